package org.lampyris.bounds.family.ordinal;

import org.lampyris.bounds.numeric.StableMath;

/**
 * log L of a class as a function of η at given cut points c_0 = 0 &lt; c_1 &lt; … &lt; c_{K−2}, c_j
 * = c_{j−1} + d_j, d_j = e^{κ_j}: with A = c_r − η and B = c_{r−1} − η,
 *
 * <pre>log P(y = r) = log(σ(A) − σ(B)) = log σ(A) + log σ(−B) + log(1 − e^{−d_r}), natural log,
 * </pre>
 *
 * <p>in which nothing cancels; of the lowest class, r = 0, only the first term is there, and of the
 * highest, r = K − 1, the second.
 */
final class CutPoints {
  private final double[] cut;
  private final double[] width;
  private final double[] logWithin;
  private final double[] slopeWithin;
  private final double[] curvatureWithin;

  /** Takes θ, whose elements from {@code from} on are κ_1 … κ_{K−2}. It is not modified. */
  CutPoints(double[] theta, int from) {
    int count = theta.length - from + 1;
    cut = new double[count];
    width = new double[count];
    logWithin = new double[count];
    slopeWithin = new double[count];
    curvatureWithin = new double[count];
    for (int j = 1; j < count; j++) {
      double d = Math.exp(theta[from + j - 1]);
      width[j] = d;
      cut[j] = cut[j - 1] + d;
      logWithin[j] =
          d < 1
              ? Math.log(StableMath.brightProbability(d))
              : StableMath.log1pSmall(-StableMath.exp(-d));
      slopeWithin[j] = d == 0 ? 1 : d / StableMath.expm1(d);
      double root = d == 0 ? 1 : 0.5 * d / Math.sinh(0.5 * d);
      curvatureWithin[j] = root * root;
    }
  }

  /** Returns the greatest class, K − 1. */
  private int last() {
    return cut.length;
  }

  /**
   * Returns log L and writes its first and second derivatives in A, then those in B, with those of
   * log(1 − e^{−d_r}) separate.
   *
   * @param out of length 4: ∂A, ∂B, ∂²A, ∂²B, 0 where there is none. Modified.
   */
  double at(double eta, int r, double[] out) {
    double value = 0;
    out[0] = 0;
    out[1] = 0;
    out[2] = 0;
    out[3] = 0;
    if (r < last()) {
      double a = cut[r] - eta;
      value += StableMath.logSigmoid(a);
      out[0] = StableMath.sigmoid(-a);
      out[2] = -out[0] * StableMath.sigmoid(a);
    }
    if (r > 0) {
      double b = cut[r - 1] - eta;
      value += StableMath.logSigmoid(-b);
      out[1] = -StableMath.sigmoid(b);
      out[3] = out[1] * StableMath.sigmoid(-b);
    }
    return r > 0 && r < last() ? value + logWithin[r] : value;
  }

  /**
   * Adds w·∂log L/∂κ_j of a row of class r to {@code gradient[from + j − 1]}.
   *
   * @param at what {@link #at} wrote. Not modified.
   */
  void addGradient(int r, double w, double[] at, double[] gradient, int from) {
    double both = w * (at[0] + at[1]);
    for (int j = 1; j < r; j++) {
      gradient[from + j - 1] += width[j] * both;
    }
    if (r > 0 && r < last()) {
      gradient[from + r - 1] += w * (width[r] * at[0] + slopeWithin[r]);
    }
  }

  /** Writes ∂²log L/∂η∂κ_j of a row of class r to {@code out[j − 1]}. */
  void cross(int r, double[] at, double[] out) {
    for (int j = 1; j < cut.length; j++) {
      double of = j < r ? at[2] + at[3] : j == r ? at[2] : 0;
      out[j - 1] = -width[j] * of;
    }
  }

  /**
   * Adds w·∂²log L/∂κ_i∂κ_j, i ≥ j, of a row of class r to a symmetric matrix with n columns, whose
   * elements from ({@code from}, {@code from}) belong to κ.
   */
  void addHessian(int r, double w, double[] at, double[] hessian, int n, int from) {
    double both = at[2] + at[3];
    for (int i = 1; i < cut.length && i <= r; i++) {
      double of = i < r ? both : at[2];
      int row = (from + i - 1) * n + from - 1;
      for (int j = 1; j <= i; j++) {
        hessian[row + j] += w * width[i] * width[j] * of;
      }
      hessian[row + i] +=
          w
              * (i < r
                  ? width[i] * (at[0] + at[1])
                  : width[i] * at[0] + slopeWithin[i] - curvatureWithin[i]);
    }
  }
}
