package org.lampyris.bounds.family.ordinal;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Bounds on the second and third derivatives of an ordinal row's log-likelihood on a box about (η̂,
 * κ̂), |η − η̂| ≤ r and |κ_j − κ̂_j| ≤ s_j.
 *
 * <p>Along a path in the box with direction (v_η, v), the argument A = Σ_{j≤k} e^{κ_j} − η of a
 * term log σ(±A) has the derivatives A′ = Σ d_j v_j − v_η, A″ = Σ d_j v_j² and A‴ = Σ d_j v_j³. The
 * term's third derivative is then at most M₃|A′|³ + 3M₂|A′A″| + M₁|A‴|, with M_i bounding the
 * logistic function's derivatives. With the largest d_j on the box, α = r + Σ d_j s_j and Cauchy's
 * inequality that is at most
 *
 * <pre>M₃α²(v_η²/r + Σ d_j v_j²/s_j) + 3M₂α Σ d_j v_j² + M₁ Σ d_j s_j v_j²,</pre>
 *
 * <p>a quadratic form without products. The second derivative is at most M₂A′² + M₁|A″|, and that
 * at most M₂α(v_η²/r + Σ d_j v_j²/s_j) + M₁ Σ d_j v_j². The second and third derivatives in κ of
 * log(1 − e^−d), d = e^κ, are at most d/2, and at most {@value #LARGEST_SECOND} and {@value
 * #LARGEST_THIRD}.
 */
final class CutDerivatives {
  private static final LogisticLikelihood LOGISTIC = new LogisticLikelihood();

  /** The largest size of that second derivative, 0.41241 at κ = 0.6, rounded up. */
  private static final double LARGEST_SECOND = 0.4125;

  /** The largest size of that third derivative, 0.42520 at κ = 1.4, rounded up. */
  private static final double LARGEST_THIRD = 0.4253;

  private final double[] s;
  private final double share;
  private final double[] least;
  private final double[] most;

  /**
   * Takes κ̂ and s, of K − 2 elements each; s is not copied.
   *
   * @param share the share of the box, from its centre, in which derivatives are bounded;
   *     directions are scaled to the whole box
   */
  CutDerivatives(double[] kappa, double[] s, double share) {
    this.s = s;
    this.share = share;
    this.least = new double[s.length];
    this.most = new double[s.length];
    for (int j = 0; j < s.length; j++) {
      least[j] = Math.exp(kappa[j] - share * s[j]);
      most[j] = Math.exp(kappa[j] + share * s[j]);
    }
  }

  /** Returns the bounds on n equal pieces of the path to the box's edge. */
  static List<CutDerivatives> pieces(double[] kappa, double[] s, int n) {
    return IntStream.rangeClosed(1, n)
        .mapToObj(i -> new CutDerivatives(kappa, s, (double) i / n))
        .toList();
  }

  /**
   * Writes q with |Dᵏlog L[v, …, v]| ≤ q_0 v_η² + Σ q_j v_j² for every v of the box, for a row of
   * class {@code rank}; natural log.
   *
   * @param order k, 2 or 3
   * @param r r, not negative
   * @param q of K − 1 elements. Modified.
   */
  void forms(int order, double eta, double r, int rank, double[] q) {
    Arrays.fill(q, 0);
    int last = s.length + 1;
    if (rank < last) {
      add(order, rank, 1, eta, r, q);
    }
    if (rank > 0) {
      add(order, rank - 1, -1, eta, r, q);
    }
    if (rank > 0 && rank < last) {
      double half = 0.5 * most[rank - 1];
      q[rank] +=
          order == 2 ? Math.min(half, LARGEST_SECOND) : s[rank - 1] * Math.min(half, LARGEST_THIRD);
    }
  }

  /** Adds the form of log σ(±(c_k − η)). */
  private void add(int order, int k, int sign, double eta, double r, double[] q) {
    double low = -eta - share * r;
    double high = -eta + share * r;
    double alpha = r;
    for (int j = 0; j < k; j++) {
      low += least[j];
      high += most[j];
      alpha += most[j] * s[j];
    }
    double first = StableMath.sigmoid(sign > 0 ? -low : high);
    double second = LOGISTIC.derivativeBound(2, 1, low, high);
    if (order == 2) {
      q[0] += r == 0 ? 0 : second * alpha / r;
      for (int j = 0; j < k; j++) {
        q[1 + j] += most[j] * (second * alpha / s[j] + first);
      }
      return;
    }
    double third = LOGISTIC.derivativeBound(3, 1, low, high) * alpha * alpha;
    q[0] += r == 0 ? 0 : third / r;
    for (int j = 0; j < k; j++) {
      q[1 + j] += most[j] * (third / s[j] + 3 * second * alpha + first * s[j]);
    }
  }
}
