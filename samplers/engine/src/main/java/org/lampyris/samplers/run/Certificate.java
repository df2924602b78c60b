package org.lampyris.samplers.run;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.kernel.Preconditioner;

/**
 * Certificate that little of a posterior lies outside a ball about its mode, ‖θ − θ̂‖ ≤ R: an upper
 * bound, not an estimate.
 *
 * <p>It holds only if the log-likelihood is {@linkplain Model#isConcave known to be concave} in all
 * that is sampled: any other one may have another mode outside. Let the log-likelihood be at most
 * gᵀδ − ½δᵀUδ above its value at θ̂ in the ball. The log posterior f then falls by Δ = ½λR² − ‖∇f‖R
 * where a ray from θ̂ leaves the ball, with λ the smallest eigenvalue of U and the prior's
 * curvature in the ball's metric. As f is concave along the ray, it lies above its chord inside and
 * below the chord's continuation outside, so that from the mass
 *
 * <pre>outside/inside ≤ Q(d, Δ)/(1 − Q(d, Δ)),</pre>
 *
 * <p>Q being the regularised upper incomplete gamma function, ∫_Δ^∞ t^{d−1}e^{−t} dt / Γ(d). A
 * prior of an element that is not log-concave (Cauchy, Student-t) is left out of f. Its slope at θ̂
 * is added to ∇f, and it then counts as the ratio of its largest to its smallest density in the
 * ball.
 *
 * <p>Cost O(d³).
 */
public final class Certificate {
  private Certificate() {}

  /**
   * Returns an upper bound on the share of the posterior outside the ball: 1 if none is available,
   * for instance because the log-likelihood is not known to be concave, or a prior has a pole.
   *
   * @param model the log-likelihood of a row
   * @param laplace N(θ̂, Σ̂)
   * @param radius R
   * @param upper a quadratic about θ̂ above the log-likelihood in the ball
   * @param prior p(θ)
   * @param decrement how far θ̂ may be from the mode: √(∇fᵀΣ̂∇f)
   */
  public static double outside(
      Model model,
      LaplaceApproximation laplace,
      double radius,
      CollapsedQuadratic upper,
      ProductPrior prior,
      double decrement) {
    if (!model.isConcave() || !prior.factors().stream().allMatch(Certificate::isCovered)) {
      return 1;
    }
    int d = laplace.dimension();
    InterceptShift point = prior.point();
    double[] mode = point == null ? laplace.mode() : point.toPoint(laplace.mode());
    double[] slope = new double[d];
    double logRatio = 0;
    for (int j = 0; j < d; j++) {
      UnivariatePrior factor = prior.factors().get(j);
      double location = heavyTailedAbout(factor);
      if (!Double.isNaN(location)) {
        double[] along = gradient(point, j, d);
        double derivative = factor.derivative(mode[j]);
        Arrays.setAll(slope, k -> slope[k] + derivative * along[k]);
        double reach = radius * scaled(laplace, along);
        double least =
            Math.min(factor.logDensity(mode[j] - reach), factor.logDensity(mode[j] + reach));
        logRatio += factor.logDensity(location) - least;
      }
    }
    double fall =
        0.5 * leastCurvature(laplace, upper, prior) * radius * radius
            - (decrement + scaled(laplace, slope)) * radius;
    if (!(fall > 0)) {
      return 1;
    }
    double q = GammaDistribution.of(d, 1).survivalProbability(fall);
    double odds = Math.exp(logRatio) * q / (1 - q);
    return odds < 1 ? odds / (1 + odds) : 1;
  }

  /** Returns the gradient of the j-th prior's argument: θ_j, or η at a point of the columns. */
  private static double[] gradient(@Nullable InterceptShift point, int j, int d) {
    double[] gradient = new double[d];
    gradient[j] = 1;
    if (point != null) {
      point.gradientToStored(gradient);
    }
    return gradient;
  }

  /** Returns whether a prior is log-concave, or a heavy-tailed one of finite density. */
  private static boolean isCovered(UnivariatePrior prior) {
    return prior.isLogConcave() || !Double.isNaN(heavyTailedAbout(prior));
  }

  /** Returns the maximum of a heavy-tailed density; NaN for any other one. */
  private static double heavyTailedAbout(UnivariatePrior prior) {
    if (prior instanceof UnivariatePrior.HeavyTailed heavyTailed) {
      return heavyTailed.location();
    }
    return prior instanceof HalfPrior half ? heavyTailedAbout(half.symmetric()) : Double.NaN;
  }

  /** Returns √(sᵀΣ̂s) = |Lᵀs|. */
  private static double scaled(LaplaceApproximation laplace, double[] slope) {
    return LaplaceApproximation.norm(Preconditioner.of(laplace).transposed(slope));
  }

  /**
   * Returns λ: the smallest eigenvalue of Lᵀ(U + C)L, with −U/2 the matrix of the quadratic and C
   * the curvature of the normal priors.
   *
   * @param laplace whose L measures lengths
   * @param upper a quadratic above the log-likelihood
   */
  public static double leastCurvature(
      LaplaceApproximation laplace, CollapsedQuadratic upper, ProductPrior prior) {
    int d = laplace.dimension();
    double[] curvature = prior.normalPrecision();
    DMatrixRMaj u = new DMatrixRMaj(d, d);
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = -2 * upper.packed()[k++] + curvature[i * d + j];
        u.set(i, j, value);
        u.set(j, i, value);
      }
    }
    DMatrixRMaj l = new DMatrixRMaj(d, d, true, laplace.lower());
    DMatrixRMaj right = new DMatrixRMaj(d, d);
    CommonOps_DDRM.mult(u, l, right);
    DMatrixRMaj both = new DMatrixRMaj(d, d);
    CommonOps_DDRM.multTransA(l, right, both);
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, false, true);
    if (!eigen.decompose(both)) {
      return 0;
    }
    return IntStream.range(0, d)
        .mapToDouble(i -> eigen.getEigenvalue(i).getReal())
        .min()
        .orElseThrow();
  }
}
