package org.lampyris.bounds.family.ordinal;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LocalBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the likelihood of a cumulative logit regression, tight at the mode, in a
 * ball about it. With f = (η, κ) of a row and u = f − f̂, it is the Taylor polynomial of order 2
 * minus Σ_k D_k u_k²/2. D_k is a third of the bound in {@link CutDerivatives} on the row's box,
 * |u_k| ≤ R posterior standard deviations.
 *
 * <p>A gap is taken as a difference, with an error of some units in the last place of log L. The
 * anchor of a row is (f̂, D). Cost O(d + K²) per row, O(d²) for its anchor and to collapse. Source:
 * ours.
 */
public final class LocalOrdinalBound implements LowerBound {
  private final OrdinalModel model;
  private final int columns;
  private final int width;
  private final LaplaceApproximation laplace;
  private final double radius;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalOrdinalBound(OrdinalModel model, LaplaceApproximation laplace, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.model = model;
    this.columns = model.columns();
    this.width = model.functionals();
    this.laplace = laplace;
    this.radius = radius;
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public int functionals() {
    return width;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return model.functional(block, row, k, u, from);
  }

  @Override
  public int anchorWidth() {
    return 2 * width;
  }

  @Override
  public Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchors(block, reference, 1);
  }

  /** {@inheritDoc} With −D, because the remainder is bounded on both sides. */
  @Override
  public Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return Optional.of(anchors(block, reference, -1));
  }

  private Anchors anchors(DataBlock block, double[] reference, int sign) {
    double[] values = new double[2 * width * block.rows()];
    double[] sds = laplace.sds(block);
    double[] kappa = Arrays.copyOfRange(reference, columns, reference.length);
    double[] s = new double[width - 1];
    Arrays.setAll(s, j -> radius * laplace.sd(columns + j));
    double[] q = new double[width];
    double widest = Arrays.stream(s).max().orElse(0);
    Map<Integer, List<CutDerivatives>> byPieces = new HashMap<>();
    for (int row = 0; row < sds.length; row++) {
      double eta = block.linearPredictor(row, reference);
      int at = 2 * width * row;
      values[at] = eta;
      System.arraycopy(kappa, 0, values, at + 1, width - 1);
      double r = radius * sds[row];
      int n = LocalBound.pieces(Math.max(r, widest));
      List<CutDerivatives> pieces =
          byPieces.computeIfAbsent(n, count -> CutDerivatives.pieces(kappa, s, count));
      for (int i = 1; i <= n; i++) {
        pieces.get(i - 1).forms(3, eta, r, model.rank(block.response(row)), q);
        for (int k = 0; k < width; k++) {
          values[at + width + k] += sign * LocalBound.weight(i, n) * q[k] / 3;
        }
      }
    }
    return Anchors.perRow(values, 2 * width);
  }

  /** Value, gradient and Hessian of log L in f, at one κ. */
  private final class Expansion {
    private final double[] kappa;
    private final CutPoints cuts;
    private final double[] gradient = new double[width];
    private final double[] hessian = new double[width * width];
    private final double[] at = new double[4];
    private final double[] cross = new double[width - 1];

    Expansion(double... kappa) {
      this.kappa = kappa;
      this.cuts = new CutPoints(kappa, 0);
    }

    /** Returns whether a row's bound is tight at this κ. */
    boolean isAt(Anchors anchors, int row) {
      for (int j = 0; j < kappa.length; j++) {
        if (anchors.get(row, 1 + j) != kappa[j]) {
          return false;
        }
      }
      return true;
    }

    double value(double eta, int rank) {
      return cuts.at(eta, rank, at);
    }

    double withGradient(double eta, int rank) {
      double value = value(eta, rank);
      Arrays.fill(gradient, 0);
      gradient[0] = -(at[0] + at[1]);
      cuts.addGradient(rank, 1, at, gradient, 1);
      return value;
    }

    double withHessian(double eta, int rank) {
      double value = withGradient(eta, rank);
      Arrays.fill(hessian, 0);
      hessian[0] = at[2] + at[3];
      cuts.cross(rank, at, cross);
      System.arraycopy(cross, 0, hessian, 1, width - 1);
      cuts.addHessian(rank, 1, at, hessian, width, 1);
      for (int k = 0; k < width; k++) {
        for (int l = 0; l < k; l++) {
          double of = l == 0 ? hessian[k] : hessian[k * width + l];
          hessian[k * width + l] = of;
          hessian[l * width + k] = of;
        }
      }
      return value;
    }
  }

  private Expansion about(Anchors anchors, int row) {
    double[] kappa = new double[width - 1];
    Arrays.setAll(kappa, j -> anchors.get(row, 1 + j));
    return new Expansion(kappa);
  }

  private Expansion at(double[] theta) {
    return new Expansion(Arrays.copyOfRange(theta, columns, theta.length));
  }

  @Override
  public double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * gap(block, row, eta, at(theta), theta, columns, anchors, null);
  }

  @Override
  public double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double eta = functionals[0] + block.offset(row);
    Expansion there = new Expansion(Arrays.copyOfRange(functionals, 1, width));
    return block.weight(row) * gap(block, row, eta, there, functionals, 1, anchors, null);
  }

  @Override
  public boolean hasUsualGap() {
    return true;
  }

  @Override
  public double usualGap(DataBlock block, int row, double[] spread, Anchors anchors) {
    double bent = 0;
    for (int k = 0; k < width; k++) {
      bent += anchors.get(row, width + k) * spread[k * (width + 1)];
    }
    return 0.5 * block.weight(row) * bent;
  }

  @Override
  public double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    double w = block.weight(row);
    double eta = block.linearPredictor(row, theta);
    double[] slopes = new double[width];
    double gap = gap(block, row, eta, at(theta), theta, columns, anchors, slopes);
    Arrays.fill(gradient, 0, dimension(), 0);
    block.addScaled(row, w * slopes[0], gradient, 0);
    for (int j = 1; j < width; j++) {
      gradient[columns + j - 1] = w * slopes[j];
    }
    return w * gap;
  }

  /**
   * Returns the gap of a row of weight 1.
   *
   * @param kappa where κ stands, from {@code from} on
   * @param slopes the derivatives in f are written here; null if they are not wanted
   */
  private double gap(
      DataBlock block,
      int row,
      double eta,
      Expansion there,
      double[] kappa,
      int from,
      Anchors anchors,
      double @Nullable [] slopes) {
    int rank = model.rank(block.response(row));
    Expansion about = about(anchors, row);
    double atMode = about.withHessian(anchors.get(row, 0), rank);
    double value = slopes == null ? there.value(eta, rank) : there.withGradient(eta, rank);
    double[] u = new double[width];
    Arrays.setAll(u, k -> (k == 0 ? eta : kappa[from + k - 1]) - anchors.get(row, k));
    double gap = value - atMode;
    double largest = Math.max(1, Math.max(Math.abs(value), Math.abs(atMode)));
    boolean moved = false;
    for (int k = 0; k < width; k++) {
      double slope = -anchors.get(row, width + k) * u[k];
      for (int l = 0; l < width; l++) {
        slope += about.hessian[k * width + l] * u[l];
      }
      double term = u[k] * (about.gradient[k] + 0.5 * slope);
      gap -= term;
      largest = Math.max(largest, Math.abs(term));
      moved |= u[k] != 0;
      if (slopes != null) {
        slopes[k] = there.gradient[k] - about.gradient[k] - slope;
      }
    }
    return moved ? Rounding.notNegative(gap, largest) : 0;
  }

  /** Adds Σ_n w_n·log B_n, expanded about the sum's origin. */
  @Override
  public void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    int b = packed.length - dimension() - 1;
    double[] scale = new double[block.rows()];
    double[] u = new double[width];
    Expansion about = null;
    for (int row = 0; row < scale.length; row++) {
      double w = block.weight(row);
      if (about == null || !about.isAt(anchors, row)) {
        about = about(anchors, row);
      }
      double value = about.withHessian(anchors.get(row, 0), model.rank(block.response(row)));
      u[0] = block.linearPredictor(row, origin) - anchors.get(row, 0);
      for (int j = 1; j < width; j++) {
        u[j] = origin[columns + j - 1] - anchors.get(row, j);
      }
      for (int k = 0; k < width; k++) {
        about.hessian[k * width + k] -= anchors.get(row, width + k);
        double slope = 0;
        for (int l = 0; l < width; l++) {
          slope += about.hessian[k * width + l] * u[l];
        }
        value += u[k] * (about.gradient[k] + 0.5 * slope);
        if (k == 0) {
          block.addScaled(row, w * (about.gradient[0] + slope), packed, b);
        } else {
          packed[b + columns + k - 1] += w * (about.gradient[k] + slope);
          int start = (columns + k - 1) * (columns + k) / 2;
          block.addScaled(row, 0.5 * w * about.hessian[k * width], packed, start);
          for (int l = 1; l <= k; l++) {
            packed[start + columns + l - 1] += 0.5 * w * about.hessian[k * width + l];
          }
        }
      }
      scale[row] = 0.5 * w * about.hessian[0];
      packed[packed.length - 1] += w * value;
    }
    double[] lower = new double[columns * columns];
    block.addOuters(scale, lower);
    sum.addMatrix(1, lower, columns);
  }
}
