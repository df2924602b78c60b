package org.lampyris.bounds.family;

import java.util.stream.IntStream;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Poisson regression: y has mean exp(xᵀθ + offset), where {@code offset} names a column, which the
 * table's blocks hold.
 */
public final class PoissonFamily extends LinkedFamily {
  public PoissonFamily() {
    super(
        "poisson",
        LabelKind.COUNT,
        "log",
        new PoissonLikelihood(),
        Expectation.of(Math::exp)
            .with((mean, theta) -> mean, (mean, theta) -> new Response.Poisson(mean)));
  }

  /** Returns the family without the offset: that is the table's, and part of its fingerprint. */
  @Override
  public FamilySpec canonical(FamilySpec spec) {
    return FamilySpec.of(name());
  }

  /**
   * Poisson regression with a logarithmic link: y ∈ {0, 1, 2, …} has mean e^η, log L(η; y) = yη −
   * e^η − log y!, natural log.
   *
   * <p>dlog L/dη = y − e^η and d²log L/dη² = −e^η: the log-likelihood is concave. It falls
   * exponentially as η → ∞, so that no quadratic in η stays below it.
   *
   * <p>For y > 0 it is computed as −y(e^−t − 1 + t) − ½ log(2πy) − S(y), t = log y − η, in which no
   * numbers of the size y log y cancel. Source: Loader (2000), "Fast and accurate computation of
   * binomial probabilities", section 5.
   */
  public static final class PoissonLikelihood implements Likelihood {
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

    /** {@inheritDoc} η and log y are subtracted, and their rounding is multiplied by dlog L/dη. */
    @Override
    public double largestTerm(double eta, double y) {
      double size = Math.max(Math.abs(eta), Math.log(Math.max(1, y)));
      return Math.max(Math.abs(logLikelihood(eta, y)), Math.abs(derivative(eta, y)) * size);
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
}
