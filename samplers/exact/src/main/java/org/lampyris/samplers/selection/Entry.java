package org.lampyris.samplers.selection;

import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Noise;

/**
 * Move by which elements x enter a model with the elements I, and leave it.
 *
 * <p>x is drawn from the multivariate t density q with {@value #DF} degrees of freedom, with the
 * mean and covariance of the approximation's marginal of x as location and shape. The others follow
 * along the approximation's regression on x, θ_I ← θ_I − P_II⁻¹P_Ix·x, so that none is far from its
 * conditional mean. (θ_I, x) ↦ (θ_I′, x) has the Jacobian 1. Leaving is the way back. If the
 * posterior were the approximation and q its marginal, the acceptance probability would not depend
 * on θ.
 *
 * <p>Source: Green (1995), section 3.3; Brooks, Giudici and Roberts (2003), section 4, for
 * proposals that a normal approximation centres.
 *
 * @param present I
 * @param entering the elements x in θ
 * @param slopes P_II⁻¹P_Ix, a vector for each element of x
 * @param marginal the approximation's marginal of x
 */
record Entry(int[] present, int[] entering, double[][] slopes, LaplaceApproximation marginal) {
  /** Tails that a posterior's with normal ones or heavier ones do not leave behind soon. */
  private static final int DF = 4;

  /** Draws x, and enters it. θ, without x, is modified. */
  void enter(double[] theta, Noise noise) {
    double[] x = marginal.mode().clone();
    // χ² with 4 degrees of freedom is twice the sum of 2 exponential numbers.
    double mixing = 2 * (noise.exponential() + noise.exponential()) / DF;
    Preconditioner.of(marginal).addTo(noise.normals(x.length), 1 / Math.sqrt(mixing), x);
    for (int a = 0; a < x.length; a++) {
      theta[entering[a]] = x[a];
    }
    follow(theta, -1);
  }

  /** Takes x out. θ, with x, is modified. */
  void leave(double[] theta) {
    follow(theta, 1);
    for (int j : entering) {
      theta[j] = 0;
    }
  }

  private void follow(double[] theta, double sign) {
    for (int a = 0; a < entering.length; a++) {
      double by = sign * theta[entering[a]];
      for (int i = 0; i < present.length; i++) {
        theta[present[i]] += by * slopes[a][i];
      }
    }
  }

  /** Returns log q of the x that θ has, natural log. θ is not modified. */
  double logDensity(double[] theta) {
    int g = entering.length;
    double[] x = new double[g];
    double logScale = 0;
    for (int a = 0; a < g; a++) {
      x[a] = theta[entering[a]];
      logScale += Math.log(marginal.lower()[a * g + a]);
    }
    double distance = marginal.distance(x);
    return LogGamma.of((DF + g) / 2.0)
        - LogGamma.of(DF / 2.0)
        - 0.5 * g * Math.log(DF * Math.PI)
        - logScale
        - 0.5 * (DF + g) * Math.log1p(distance * distance / DF);
  }
}
