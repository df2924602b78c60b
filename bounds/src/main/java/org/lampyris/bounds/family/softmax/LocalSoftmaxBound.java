package org.lampyris.bounds.family.softmax;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.numeric.Softmax;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the softmax likelihood, tight at the mode, that holds in a ball about
 * it, ‖θ − θ̂‖ ≤ R in the metric of the Laplace covariance Σ̂. With f = −log L, H = diag p − ppᵀ at
 * the mode and δ = η − η̂,
 *
 * <pre>log B(η) = log L(η̂) + (e_y − p)ᵀδ − ½ c(r)·δᵀHδ, c(r) = 2(eʳ − 1 − r)/r².</pre>
 *
 * <p>The third derivative of f along v, v, u is the covariance of v² about its mean and u under
 * softmax(η), so that |D³f[v, v, u]| ≤ (max u − min u)·D²f[v, v]. Between η̂ and η̂ + δ, D²f
 * therefore grows by a factor of at most e^{t·range δ}, which integrates to c(range δ). In the ball
 * the range is at most r = R·max_{k,l} sd(η_k − η_l), with the class of reference among them.
 *
 * <p>If Böhning's A has the smaller E[δᵀAδ] under N(0, Σ̂), as on rows of small tables with equally
 * likely classes, the row uses it: D = {@link #EVERYWHERE}.
 *
 * <p>c(r) − 1 is about r/3: as in {@link org.lampyris.bounds.bound.LocalBound}, bright rows and the
 * loss by conditioning vanish like 1/√n. The anchor of a row is (η̂, D = c(r) − 1). Cost O(K²D²) a
 * row for its anchor and to collapse, once; O(KD) for a gap. Source: the bound is ours; Bach
 * (2010), "Self-concordant analysis for logistic regression", proposition 1, for derivatives
 * bounded in this way.
 */
public final class LocalSoftmaxBound extends BohningBound {
  /** From this range on eʳ might overflow, and A is smaller. */
  private static final double WIDEST = 300;

  private final SoftmaxModel model;
  private final LaplaceApproximation laplace;
  private final double radius;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalSoftmaxBound(SoftmaxModel model, LaplaceApproximation laplace, double radius) {
    super(model);
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.model = model;
    this.laplace = laplace;
    this.radius = radius;
  }

  @Override
  public int anchorWidth() {
    return model.functionals() + 1;
  }

  @Override
  public Optional<Region> region() {
    return Optional.of(laplace.ball(radius));
  }

  @Override
  double excess(Anchors anchors, int row) {
    return anchors.get(row, model.functionals());
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchors(block, reference, r -> r < WIDEST ? excess(r) : Double.POSITIVE_INFINITY, true);
  }

  /** {@inheritDoc} With c(−r) = 2(e⁻ʳ − 1 + r)/r², the largest decrease of D²f. */
  @Override
  public Optional<Anchors> upperAnchorsAt(DataBlock block, double[] reference) {
    return Optional.of(anchors(block, reference, r -> excess(-r), false));
  }

  /** Returns c(r) − 1. */
  private static double excess(double r) {
    return r == 0 ? 0 : 2 * (StableMath.expMinusQuadratic(r) / r / r);
  }

  private Anchors anchors(
      DataBlock block, double[] reference, DoubleUnaryOperator excess, boolean orBohning) {
    int classes = model.classes();
    int functionals = model.functionals();
    int width = anchorWidth();
    double[] values = new double[block.rows() * width];
    double[] p = new double[classes];
    double[] spread = new double[classes * classes];
    for (int row = 0; row < block.rows(); row++) {
      double[] eta = model.predictors(block, row, reference);
      Softmax.probabilities(eta, Softmax.largest(eta), p, new double[classes]);
      double[] own = laplace.spread(model, block, row);
      for (int k = 0; k < functionals; k++) {
        values[row * width + k] = eta[model.classAt(k)];
        for (int l = 0; l < functionals; l++) {
          spread[model.classAt(k) * classes + model.classAt(l)] = own[k * functionals + l];
        }
      }
      double local = excess.applyAsDouble(radius * largestSd(spread));
      boolean isLocal = !orBohning || (1 + local) * expected(p, spread) < expectedByA(spread);
      values[row * width + functionals] = isLocal ? local : EVERYWHERE;
    }
    return Anchors.perRow(values, width);
  }

  /** Returns max_{k,l} sd(η_k − η_l). */
  private double largestSd(double[] spread) {
    int classes = model.classes();
    double largest = 0;
    for (int k = 0; k < classes; k++) {
      for (int l = 0; l < k; l++) {
        double variance =
            spread[k * classes + k] + spread[l * classes + l] - 2 * spread[k * classes + l];
        largest = Math.max(largest, variance);
      }
    }
    return Math.sqrt(largest);
  }

  /** Returns E[δᵀHδ] = Σ_k p_k C_kk − pᵀCp. */
  private double expected(double[] p, double[] spread) {
    int classes = model.classes();
    double sum = 0;
    for (int k = 0; k < classes; k++) {
      for (int l = 0; l < k; l++) {
        double variance =
            spread[k * classes + k] + spread[l * classes + l] - 2 * spread[k * classes + l];
        sum += p[k] * p[l] * variance;
      }
    }
    return sum;
  }

  /** Returns E[δᵀAδ]. */
  private double expectedByA(double[] spread) {
    double[] even = new double[model.classes()];
    Arrays.fill(even, 1.0 / even.length);
    return 0.5 * even.length * expected(even, spread);
  }
}
