package org.lampyris.samplers.scales;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.mode.Curvature;

/**
 * A move of one scale φ_k by its marginal density, the group's coefficients b integrated out, which
 * is exact for π̂(b, φ) ∝ exp q(b)·N(b; 0, K(φ)⁻¹)·p(φ) with all other coefficients where they are,
 * q a quadratic of curvature −H in place of the log-likelihood. There b is normal given φ, with
 *
 * <pre>P(φ) = H + K(φ) = RRᵀ,   m(φ) = P(φ)⁻¹r,   r = ∇q(b) + Hb.</pre>
 *
 * <p>Let b follow φ_k with ε = R(φ)ᵀ(b − m(φ)) held fixed, b = m(φ) + R(φ)⁻ᵀε, of volume |R(φ)|⁻¹.
 * Under π̂ φ_k and ε are independent, and φ_k has the density
 *
 * <pre>g(φ_k) = p(φ)·|K(φ)|^½·|P(φ)|^−½·exp(½·rᵀm(φ)).</pre>
 *
 * <p>The scales of correlated effects depend on each other: a slope's column far from 0 ties the
 * intercept's standard deviation to the correlation. So φ_k takes others along, in a fixed
 * direction v, φ + (x − φ_k)v, of volume 1. With A = RRᵀ the curvature of −log g at the mode, the v
 * are the columns of R⁻ᵀ, along which a normal g is a product.
 *
 * <p>Source: Liu (1994) for integrating out; Papaspiliopoulos, Roberts and Sköld (2007), section 3,
 * for a form between centred and not.
 *
 * <p>The other coefficients may {@linkplain Followers follow}: δ of b then moves θ by Jδ, which is
 * of volume 1 beside that of b. All is as above with JᵀHJ in place of H, and Jᵀ∇q of ∇q.
 *
 * <p>Coefficients that meet in H are one block, a level of a factor or a smooth. Cost of a value of
 * g: O(Σ s³) over blocks of s coefficients.
 */
final class MarginalMove {
  /** A group with a larger block is moved in another way. */
  private static final int LARGEST_BLOCK = 64;

  /** A step of φ, for differences of log g. */
  private static final double STEP = 0.02;

  private final ScaleGroup group;
  private final List<Block> blocks;

  /** v of each element of φ; null where it moves alone. */
  private final double @Nullable [][] directions;

  /**
   * Coefficients that meet.
   *
   * @param elements which elements of b, whole levels in ascending order
   * @param curvature their part of H, row-major
   */
  private record Block(int[] elements, double[] curvature) {}

  private MarginalMove(ScaleGroup group, List<Block> blocks, double @Nullable [][] directions) {
    this.group = group;
    this.blocks = blocks;
    this.directions = directions;
  }

  /**
   * Returns these moves along the directions that follow from g at a point near its mode, if
   * effects are correlated.
   *
   * @param phi φ there. Not modified.
   * @param b the coefficients there. Not modified.
   * @param slopes ∇q in b
   */
  MarginalMove turned(double[] phi, double[] b, double[] slopes) {
    int p = phi.length;
    if (IntStream.range(0, p).allMatch(k -> group.governed(k) != null)) {
      return this;
    }
    Conditional[] conditionals = conditionals(b, slopes);
    double[] curvature = Curvature.of(to -> logDensity(conditionals, to), phi, STEP);
    if (Cholesky.scaled(curvature, p).isEmpty()) {
      return this;
    }
    double[] root = Cholesky.lower(curvature, p);
    double[][] along = new double[p][p];
    for (int k = 0; k < p; k++) {
      along[k][k] = 1;
      for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j <= k; j++) {
          along[k][i] -= root[j * p + i] * along[k][j] / root[i * p + i];
        }
      }
    }
    return new MarginalMove(group, blocks, along);
  }

  private Conditional[] conditionals(double[] b, double[] slopes) {
    return blocks.stream()
        .map(block -> new Conditional(block, b, slopes))
        .toArray(Conditional[]::new);
  }

  /** Returns log g(φ), up to a constant; −∞ if there is none. */
  private double logDensity(Conditional[] conditionals, double[] phi) {
    double log = group.logPrior(phi) - group.logDeterminant(phi);
    double[] level = Objects.requireNonNull(group.levelPrecision(phi));
    for (Conditional one : conditionals) {
      if (!one.given(level)) {
        return Double.NEGATIVE_INFINITY;
      }
      log += one.logVolume + one.fit;
    }
    return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
  }

  /** Returns the moves of a group; none if too many of its coefficients meet in one block. */
  static Optional<MarginalMove> of(ScaleGroup group, CollapsedQuadratic quadratic) {
    double[] level = group.levelPrecision(new double[group.parameters()]);
    if (level == null) {
      return Optional.empty();
    }
    int q = (int) Math.round(Math.sqrt(level.length));
    int[] places = group.coefficients();
    int levels = places.length / q;
    double[] packed = quadratic.packed();
    List<Block> blocks = new ArrayList<>();
    BitSet left = new BitSet();
    left.set(0, levels);
    while (!left.isEmpty()) {
      BitSet block = new BitSet();
      BitSet border = new BitSet();
      border.set(left.nextSetBit(0));
      while (!border.isEmpty()) {
        int one = border.nextSetBit(0);
        border.clear(one);
        left.clear(one);
        block.set(one);
        if (block.cardinality() * q > LARGEST_BLOCK) {
          return Optional.empty();
        }
        left.stream().filter(other -> meet(packed, places, q, one, other)).forEach(border::set);
      }
      blocks.add(block(packed, places, q, block.stream().toArray()));
    }
    return Optional.of(new MarginalMove(group, blocks, null));
  }

  /** Returns whether all coefficients of the group meet. */
  boolean isOneBlock() {
    return blocks.size() == 1;
  }

  /** Returns the moves with another H, of a group whose coefficients all meet. */
  MarginalMove with(double[] curvature) {
    return new MarginalMove(
        group, List.of(new Block(blocks.get(0).elements, curvature)), directions);
  }

  private static boolean meet(double[] packed, int[] places, int q, int one, int other) {
    for (int e = 0; e < q; e++) {
      for (int f = 0; f < q; f++) {
        if (curvature(packed, places[one * q + e], places[other * q + f]) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static Block block(double[] packed, int[] places, int q, int[] levels) {
    int s = levels.length * q;
    int[] elements = new int[s];
    Arrays.setAll(elements, i -> levels[i / q] * q + i % q);
    double[] h = new double[s * s];
    Arrays.setAll(h, ij -> curvature(packed, places[elements[ij / s]], places[elements[ij % s]]));
    return new Block(elements, h);
  }

  /** Returns H_ij = −2A_ij of a packed quadratic. */
  static double curvature(double[] packed, int i, int j) {
    int row = Math.max(i, j);
    return -2 * packed[row * (row + 1) / 2 + Math.min(i, j)];
  }

  /**
   * Returns the way of θ as φ_k changes.
   *
   * @param phi φ; modified
   * @param b the coefficients; not modified
   * @param slopes ∇q in b
   */
  ScalePath path(int k, double[] phi, double[] b, double[] slopes) {
    return new Path(k, phi, b, slopes);
  }

  private final class Path implements ScalePath {
    private final int k;
    private final double[] begin;
    private final double[] phi;
    private final Conditional[] conditionals;
    private final double[][] epsilon;
    private double at = Double.NaN;
    private boolean inside;

    Path(int k, double[] phi, double[] b, double[] slopes) {
      this.k = k;
      this.begin = phi.clone();
      this.phi = phi;
      this.conditionals = conditionals(b, slopes);
      this.epsilon = new double[conditionals.length][];
      if (given(phi[k])) {
        Arrays.setAll(epsilon, i -> conditionals[i].standardised(b));
      }
    }

    private void set(double x, double[] to) {
      for (int i = 0; directions != null && i < to.length; i++) {
        to[i] = begin[i] + (x - begin[k]) * directions[k][i];
      }
      to[k] = x;
    }

    /** Makes the conditional densities those given φ_k; returns false if one is none. */
    private boolean given(double x) {
      if (x != at) {
        at = x;
        set(x, phi);
        double[] level = Objects.requireNonNull(group.levelPrecision(phi));
        inside = Arrays.stream(conditionals).allMatch(one -> one.given(level));
      }
      return inside;
    }

    @Override
    public double logSurrogate(double x) {
      set(x, phi);
      double log = group.logPrior(phi);
      if (log == Double.NEGATIVE_INFINITY || !given(x)) {
        return Double.NEGATIVE_INFINITY;
      }
      log -= group.logDeterminant(phi);
      for (Conditional one : conditionals) {
        log += one.logVolume + one.fit;
      }
      return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
    }

    @Override
    public double logVolume(double x) {
      if (!given(x)) {
        return Double.NEGATIVE_INFINITY;
      }
      return Arrays.stream(conditionals).mapToDouble(one -> one.logVolume).sum();
    }

    @Override
    public void move(double x, double[] phi, double[] b) {
      given(x);
      set(x, phi);
      for (int i = 0; i < conditionals.length; i++) {
        conditionals[i].place(epsilon[i], b);
      }
    }
  }

  /** N(m(φ), P(φ)⁻¹) of the coefficients of a block. */
  private static final class Conditional {
    private final Block block;
    private final int s;

    /** r. */
    private final double[] linear;

    /** R, lower triangle, row-major. */
    private final double[] factor;

    private final double[] mean;

    /** −½ log |P| = −log |R|. */
    private double logVolume;

    /** ½ rᵀm. */
    private double fit;

    Conditional(Block block, double[] b, double[] slopes) {
      this.block = block;
      this.s = block.elements.length;
      this.factor = new double[s * s];
      this.mean = new double[s];
      this.linear = new double[s];
      for (int i = 0; i < s; i++) {
        linear[i] = slopes[block.elements[i]];
        for (int j = 0; j < s; j++) {
          linear[i] += block.curvature[i * s + j] * b[block.elements[j]];
        }
      }
    }

    /**
     * Takes the prior precision of a level.
     *
     * @return false if P is not positive definite
     */
    boolean given(double[] level) {
      int q = (int) Math.round(Math.sqrt(level.length));
      logVolume = 0;
      fit = 0;
      for (int i = 0; i < s; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = block.curvature[i * s + j];
          if (i / q == j / q) {
            sum += level[i % q * q + j % q];
          }
          for (int k = 0; k < j; k++) {
            sum -= factor[i * s + k] * factor[j * s + k];
          }
          if (i > j) {
            factor[i * s + j] = sum / factor[j * s + j];
          } else if (sum > 0) {
            factor[i * s + i] = Math.sqrt(sum);
            logVolume -= 0.5 * Math.log(sum);
          } else {
            return false;
          }
        }
      }
      for (int i = 0; i < s; i++) {
        double sum = linear[i];
        for (int k = 0; k < i; k++) {
          sum -= factor[i * s + k] * mean[k];
        }
        mean[i] = sum / factor[i * s + i];
        fit += 0.5 * mean[i] * mean[i];
      }
      solveTransposed(mean);
      return true;
    }

    /** Replaces x by R⁻ᵀx. */
    private void solveTransposed(double[] x) {
      for (int i = s - 1; i >= 0; i--) {
        for (int k = i + 1; k < s; k++) {
          x[i] -= factor[k * s + i] * x[k];
        }
        x[i] /= factor[i * s + i];
      }
    }

    /** Returns ε = Rᵀ(b − m). */
    double[] standardised(double[] b) {
      double[] epsilon = new double[s];
      for (int i = 0; i < s; i++) {
        for (int k = i; k < s; k++) {
          epsilon[i] += factor[k * s + i] * (b[block.elements[k]] - mean[k]);
        }
      }
      return epsilon;
    }

    /** Sets b = m + R⁻ᵀε. */
    void place(double[] epsilon, double[] b) {
      double[] deviation = epsilon.clone();
      solveTransposed(deviation);
      for (int i = 0; i < s; i++) {
        b[block.elements[i]] = mean[i] + deviation[i];
      }
    }
  }
}
