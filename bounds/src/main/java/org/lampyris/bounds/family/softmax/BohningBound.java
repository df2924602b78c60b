package org.lampyris.bounds.family.softmax;

import java.util.Arrays;
import java.util.Objects;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.numeric.Softmax;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the softmax likelihood of K classes, tight at η = ψ: with p =
 * softmax(ψ), δ = η − ψ and A = ½(I − 11ᵀ/K),
 *
 * <pre>log B(η) = log L(ψ) + (e_y − p)ᵀδ − ½ δᵀAδ, natural log.</pre>
 *
 * <p>diag p − ppᵀ ≤ A for every p. The anchor of a row is ψ, one number for each class with
 * coefficients; ψ = 0 is the untuned bound. The gap does not depend on y:
 *
 * <pre>gap = ½ δᵀAδ − log Σ_k p_k e^{c_k}, c_k = δ_k − Σ_j p_j δ_j.</pre>
 *
 * <p>Σ p_k c_k = 0, so that the logarithm is log(1 + Σ p_k (e^{c_k} − 1 − c_k)), a sum of positive
 * terms. Both parts are accurate to a few units in the last place, and the gap to those of ½ δᵀAδ;
 * it is never negative, and exactly 0 at the anchor.
 *
 * <p>Cost O(KD) for a gap and its gradient, and O(D² + KD) a row to collapse: Σ A ⊗ xxᵀ is made of
 * one Gram matrix. Source: Böhning (1992), theorem 1; Maclaurin and Adams (2014), section 4.2.
 */
public class BohningBound implements LowerBound {
  /** In the place of an excess: the curvature is A. */
  static final double EVERYWHERE = Double.NEGATIVE_INFINITY;

  /** Exponent beyond which e^c comes near overflow. */
  private static final double LARGE = 600;

  private final SoftmaxModel model;
  private final int classes;

  /** Returns the bound on the likelihood of a model. */
  public BohningBound(SoftmaxModel model) {
    this.model = model;
    this.classes = model.classes();
  }

  /**
   * Returns D of a row whose curvature is (1 + D)(diag p − ppᵀ) in place of A, or {@link
   * #EVERYWHERE}.
   */
  double excess(Anchors anchors, int row) {
    return EVERYWHERE;
  }

  @Override
  public final int dimension() {
    return model.dimension();
  }

  @Override
  public final int functionals() {
    return model.functionals();
  }

  @Override
  public final double functional(DataBlock block, int row, int k, double[] u, int from) {
    return model.functional(block, row, k, u, from);
  }

  @Override
  public int anchorWidth() {
    return model.functionals();
  }

  /** Returns ψ_n = Θ̂x_n + o_n. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    int width = anchorWidth();
    double[] values = new double[block.rows() * width];
    for (int row = 0; row < block.rows(); row++) {
      for (int k = 0; k < model.functionals(); k++) {
        values[row * width + k] = model.functional(block, row, k, reference, 0) + block.offset(row);
      }
    }
    return Anchors.perRow(values, width);
  }

  @Override
  public final double gap(DataBlock block, int row, double[] theta, Anchors anchors) {
    return block.weight(row) * new Expansion(block, row, theta, anchors).gap();
  }

  @Override
  public final double gapAt(DataBlock block, int row, double[] functionals, Anchors anchors) {
    double[] eta = new double[classes];
    for (int k = 0; k < functionals.length; k++) {
      eta[model.classAt(k)] = functionals[k] + block.offset(row);
    }
    return block.weight(row) * new Expansion(eta, row, anchors).gap();
  }

  @Override
  public final double gapGradient(
      DataBlock block, int row, double[] theta, Anchors anchors, double[] gradient) {
    Expansion at = new Expansion(block, row, theta, anchors);
    double w = block.weight(row);
    Arrays.fill(gradient, 0, dimension(), 0);
    for (int k = 0; k < model.functionals(); k++) {
      double slope = at.gapSlope(model.classAt(k));
      block.addScaled(row, w * slope, gradient, k * model.columns());
    }
    return w * at.gap();
  }

  /** Adds Σ_n w_n·log B_n, expanded about the sum's origin. */
  @Override
  public final void collapse(DataBlock block, Anchors anchors, CollapsedQuadratic sum) {
    double[] origin = sum.origin();
    double[] packed = sum.packed();
    int columns = model.columns();
    int d = dimension();
    int b = packed.length - d - 1;
    double[] weights = new double[block.rows()];
    double[][] local = new double[block.rows()][];
    double constant = 0;
    for (int row = 0; row < weights.length; row++) {
      double w = block.weight(row);
      Expansion at = new Expansion(block, row, origin, anchors);
      int y = model.classOf(block, row);
      for (int k = 0; k < model.functionals(); k++) {
        block.addScaled(row, w * at.slope(model.classAt(k), y), packed, b + k * columns);
      }
      constant += model.logLikelihood(block, row, origin) - w * at.gap();
      if (at.isLocal()) {
        local[row] = at.curvature(w);
      } else {
        weights[row] = w;
      }
    }
    double[] gram = new double[columns * columns];
    block.addOuters(weights, gram);
    for (int k = 0; k < model.functionals(); k++) {
      for (int l = 0; l <= k; l++) {
        addTile(-0.25 * ((k == l ? 1 : 0) - 1.0 / classes), gram, k, l, packed);
      }
    }
    if (Arrays.stream(local).anyMatch(Objects::nonNull)) {
      collapseLocal(block, local, packed);
    }
    packed[packed.length - 1] += constant;
  }

  /** Adds −½ Σ_n w_n(1 + D_n)(diag p_n − p_n p_nᵀ) ⊗ x_n x_nᵀ over the rows that have such. */
  private void collapseLocal(DataBlock block, double[][] curvatures, double[] packed) {
    int columns = model.columns();
    double[] gram = new double[columns * columns];
    double[] scale = new double[block.rows()];
    for (int k = 0; k < model.functionals(); k++) {
      for (int l = 0; l <= k; l++) {
        int element = model.classAt(k) * classes + model.classAt(l);
        Arrays.setAll(scale, n -> curvatures[n] == null ? 0 : curvatures[n][element]);
        Arrays.fill(gram, 0);
        block.addOuters(scale, gram);
        addTile(-0.5, gram, k, l, packed);
      }
    }
  }

  /** Adds factor·G to the tile (k, l), l ≤ k, of the packed lower triangle; G by its own. */
  private void addTile(double factor, double[] gram, int k, int l, double[] packed) {
    int columns = model.columns();
    for (int i = 0; i < columns; i++) {
      int row = k * columns + i;
      int out = row * (row + 1) / 2 + l * columns;
      int end = k == l ? i + 1 : columns;
      for (int j = 0; j < end; j++) {
        packed[out + j] += factor * (j <= i ? gram[i * columns + j] : gram[j * columns + i]);
      }
    }
  }

  /** Expansion about the anchor of one row's bound and likelihood at one θ. */
  private final class Expansion {
    private final double[] p = new double[classes];
    private final double[] complement = new double[classes];
    private final double[] logP = new double[classes];
    private final double[] delta;
    private final double excess;
    private final double meanDelta;
    private final double expectedDelta;
    private final double logMoment;

    Expansion(DataBlock block, int row, double[] theta, Anchors anchors) {
      this(model.predictors(block, row, theta), row, anchors);
    }

    /** Takes η of every class, which is modified. */
    Expansion(double[] eta, int row, Anchors anchors) {
      double[] psi = new double[classes];
      delta = eta;
      excess = excess(anchors, row);
      for (int k = 0; k < model.functionals(); k++) {
        psi[model.classAt(k)] = anchors.get(row, k);
      }
      int top = Softmax.largest(psi);
      double logSum = Softmax.probabilities(psi, top, p, complement);
      // What is common to all classes drops out, and is taken off before it can cost digits.
      double common = delta[top] - psi[top];
      double mean = 0;
      double expected = 0;
      for (int k = 0; k < classes; k++) {
        delta[k] = delta[k] - psi[k] - common;
        logP[k] = psi[k] - psi[top] - logSum;
        mean += delta[k];
        expected += p[k] * delta[k];
      }
      meanDelta = mean / classes;
      expectedDelta = expected;
      logMoment = logMoment();
    }

    boolean isLocal() {
      return excess > EVERYWHERE;
    }

    /** Returns w(1 + D)(diag p − ppᵀ), classes × classes. */
    double[] curvature(double w) {
      double[] matrix = new double[classes * classes];
      for (int k = 0; k < classes; k++) {
        for (int l = 0; l < classes; l++) {
          double h = k == l ? p[k] * complement[k] : -p[k] * p[l];
          matrix[k * classes + l] = w * (1 + excess) * h;
        }
      }
      return matrix;
    }

    /** Returns log Σ p_k e^{c_k}, not negative. */
    private double logMoment() {
      double sum = 0;
      double largest = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < classes; k++) {
        double c = delta[k] - expectedDelta;
        largest = Math.max(largest, logP[k] + c);
        sum += c < 1 ? p[k] * StableMath.expMinusLinear(c) : Math.exp(logP[k] + c) - p[k] * (1 + c);
      }
      if (largest < LARGE) {
        return StableMath.log1pSmall(sum);
      }
      double scaled = 0;
      for (int k = 0; k < classes; k++) {
        scaled += Math.exp(logP[k] + delta[k] - expectedDelta - largest);
      }
      return largest + Math.log(scaled);
    }

    double gap() {
      return isLocal() ? localGap() : gapEverywhere();
    }

    /**
     * Returns ½(1 + D) Σ p_k c_k² − log(1 + S), S = Σ p_k (e^{c_k} − 1 − c_k), as ½D Σ p_k c_k² − Σ
     * p_k (e^{c_k} − 1 − c_k − c_k²/2) + (S − log(1 + S)): near the anchor nothing cancels but
     * terms of the third order.
     */
    private double localGap() {
      double variance = 0;
      double cubic = 0;
      double sum = 0;
      for (int k = 0; k < classes; k++) {
        double c = delta[k] - expectedDelta;
        variance += p[k] * c * c;
        cubic += p[k] * StableMath.expMinusQuadratic(c);
        sum += p[k] * StableMath.expMinusLinear(c);
      }
      double bent = 0.5 * excess * variance;
      return Rounding.notNegative(
          bent - cubic + StableMath.minusLog1p(sum), Math.max(Math.abs(bent), sum));
    }

    private double gapEverywhere() {
      double squares = 0;
      for (int k = 0; k < classes; k++) {
        double deviation = delta[k] - meanDelta;
        squares += deviation * deviation;
      }
      return Rounding.notNegative(0.25 * squares - logMoment, logMoment);
    }

    /**
     * Returns ∂gap/∂η_k = (Aδ)_k − (softmax(η)_k − p_k), of a local curvature p_k(Dc_k + log Σ p_l
     * e^{c_l} − (eˣ − 1 − x)), x = log softmax(η)_k − log p_k.
     */
    double gapSlope(int k) {
      double x = delta[k] - expectedDelta - logMoment;
      if (isLocal()) {
        double c = delta[k] - expectedDelta;
        return p[k] * (excess * c + logMoment - StableMath.expMinusLinear(x));
      }
      double change = x < 1 ? p[k] * StableMath.expm1(x) : Math.exp(logP[k] + x) - p[k];
      return 0.5 * (delta[k] - meanDelta) - change;
    }

    /** Returns ∂log B/∂η_k = (e_y − p)_k − (Aδ)_k. */
    double slope(int k, int y) {
      double bent =
          isLocal()
              ? (1 + excess) * p[k] * (delta[k] - expectedDelta)
              : 0.5 * (delta[k] - meanDelta);
      return (k == y ? complement[k] : -p[k]) - bent;
    }
  }
}
