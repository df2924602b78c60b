package org.lampyris.bounds.family.poisson;

import java.util.stream.IntStream;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Poisson regression with a logarithmic link: y ∈ {0, 1, 2, …} has mean e^η, log L(η; y) = yη − e^η
 * − log y!, natural log.
 *
 * <p>dlog L/dη = y − e^η and d²log L/dη² = −e^η: the log-likelihood is concave. It falls
 * exponentially as η → ∞, so that no quadratic in η stays below it.
 *
 * <p>For y > 0 it is computed as −y(e^−t − 1 + t) − ½ log(2πy) − S(y), t = log y − η, in which no
 * numbers of the size y log y cancel. Source: Loader (2000), "Fast and accurate computation of
 * binomial probabilities", section 5.
 */
public final class PoissonLikelihood implements Likelihood {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  /** ½ log(2πy) + S(y) for y up to 255, 0 at y = 0. */
  private static final double[] CONSTANTS =
      IntStream.range(0, 256).mapToDouble(y -> y == 0 ? 0 : constant(y)).toArray();

  private static double constant(double y) {
    return HALF_LOG_TWO_PI + 0.5 * Math.log(y) + LogGamma.stirlingError(y);
  }

  /** {@inheritDoc} Here d²log L/dη² = −e^η. */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    if (y == 0) {
      return -StableMath.exp(eta);
    }
    int count = (int) y;
    double constant = count == y && count < CONSTANTS.length ? CONSTANTS[count] : constant(y);
    return -y * StableMath.expMinusLinear(eta - Math.log(y)) - constant;
  }

  @Override
  public double derivative(double eta, double y) {
    return y - StableMath.exp(eta);
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return -StableMath.exp(eta);
  }

  /** {@inheritDoc} Here |log L″| = |log L‴| = e^η, largest at the upper end. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return StableMath.exp(high);
  }
}
