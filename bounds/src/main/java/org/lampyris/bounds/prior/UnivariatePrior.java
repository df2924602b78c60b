package org.lampyris.bounds.prior;

import java.io.Serializable;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StudentDensity;

/**
 * Prior density of one coefficient, natural log, with its normalising constant if it has one.
 *
 * <p>Parameters are the same as in Stan's densities with these names. {@link Object#toString} gives
 * the form that {@link PriorParser} reads, with every digit of the parameters.
 */
public sealed interface UnivariatePrior extends Serializable
    permits UnivariatePrior.Normal,
        UnivariatePrior.Laplace,
        UnivariatePrior.HeavyTailed,
        UnivariatePrior.Uniform,
        UnivariatePrior.Flat,
        HalfPrior,
        HorseshoePrior,
        SharedHorseshoe,
        ExponentialPrior,
        GammaPrior,
        LogScalePrior,
        LogitSharePrior,
        TemperedPrior {
  /** Returns log p(x): −∞ outside of the support. */
  double logDensity(double x);

  /**
   * Returns log p(x), or, if p has a pole, a smooth function in its place, which has the
   * derivatives below and is used in the mode search.
   */
  default double smoothLogDensity(double x) {
    return logDensity(x);
  }

  /**
   * Returns d log p(x) / dx, or the derivative of {@link #smoothLogDensity}; at a kink of log p,
   * the mean of the two one-sided derivatives.
   */
  default double derivative(double x) {
    return 0;
  }

  /** Returns d² log p(x) / dx², 0 at a kink. */
  default double secondDerivative(double x) {
    return 0;
  }

  /**
   * Returns the prior of factor·x, factor above 0, if this is the prior of x: the same family with
   * its location and scale multiplied.
   */
  UnivariatePrior scaled(double factor);

  /**
   * Returns the prior of −x if this is the prior of x.
   *
   * @throws IllegalArgumentException if it has no such form, as it has only positive values
   */
  default UnivariatePrior mirrored() {
    throw new IllegalArgumentException(this + " has no values below 0; choose a prior that has");
  }

  /**
   * Returns the power above which powers of a proper p are proper. 0 if the tails fall as fast as
   * an exponential, or the support is bounded.
   */
  default double leastPower() {
    return 0;
  }

  /** Returns whether log p is concave: false if the tails are heavy, or p has a pole. */
  default boolean isLogConcave() {
    return true;
  }

  /** Returns whether p integrates to 1: false for an improper density, or one to a power. */
  default boolean isNormalised() {
    return true;
  }

  /** Returns the least value in the support. */
  default double lower() {
    return Double.NEGATIVE_INFINITY;
  }

  /** Returns the greatest value in the support. */
  default double upper() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns 1/variance, or 1/scale² if the variance is infinite, and 0 if p is improper or has
   * curvature of its own: a curvature for the mode search if neither rows nor prior have any.
   */
  default double precision() {
    return 0;
  }

  /** Returns the point where d log p/dx jumps; NaN if there is none. */
  default double kink() {
    return Double.NaN;
  }

  /** Returns half of the jump: see {@link Prior#kinkSize}. */
  default double kinkSize() {
    return 0;
  }

  /** A normal density: log p = −½((x − mean)/sd)² − log(sd √(2π)). */
  final class Normal implements UnivariatePrior {
    private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private final double mean;
    private final double sd;
    private final double logSd;

    public Normal(double mean, double sd) {
      Parameters.requireFinite("mean", mean);
      Parameters.requirePositive("sd", sd);
      this.mean = mean;
      this.sd = sd;
      this.logSd = Math.log(sd);
    }

    public double mean() {
      return mean;
    }

    public double sd() {
      return sd;
    }

    @Override
    public double logDensity(double x) {
      double z = (x - mean) / sd;
      return -0.5 * z * z - logSd - LOG_ROOT_TWO_PI;
    }

    @Override
    public double derivative(double x) {
      return (mean - x) / sd / sd;
    }

    @Override
    public double secondDerivative(double x) {
      return -1 / sd / sd;
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return new Normal(factor * mean, factor * sd);
    }

    @Override
    public UnivariatePrior mirrored() {
      return new Normal(0.0 - mean, sd);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Normal normal && toString().equals(normal.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return "normal(" + mean + ", " + sd + ")";
    }
  }

  /**
   * A Laplace (double exponential) density: log p = −|x − location|/scale − log(2 scale).
   *
   * @param location its mean and mode, where log p has a kink
   * @param scale its scale; the standard deviation is scale·√2
   */
  record Laplace(double location, double scale) implements UnivariatePrior {
    public Laplace {
      Parameters.requireFinite("location", location);
      Parameters.requirePositive("scale", scale);
    }

    @Override
    public double logDensity(double x) {
      return -Math.abs(x - location) / scale - Math.log(2) - Math.log(scale);
    }

    @Override
    public double derivative(double x) {
      return Math.signum(location - x) / scale;
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return new Laplace(factor * location, factor * scale);
    }

    @Override
    public UnivariatePrior mirrored() {
      return new Laplace(0.0 - location, scale);
    }

    @Override
    public double precision() {
      return 0.5 / scale / scale;
    }

    @Override
    public double kink() {
      return location;
    }

    @Override
    public double kinkSize() {
      return 1 / scale;
    }

    @Override
    public String toString() {
      return "laplace(" + location + ", " + scale + ")";
    }
  }

  /** A density of z = (x − location)/scale that is Student's t with df degrees of freedom. */
  sealed interface HeavyTailed extends UnivariatePrior permits Cauchy, StudentT {
    /** Returns the degrees of freedom. */
    double df();

    /** Returns the median and mode. */
    double location();

    /** Returns the scale. */
    double scale();

    @Override
    default double derivative(double x) {
      return StudentDensity.derivative((x - location()) / scale(), df()) / scale();
    }

    @Override
    default double secondDerivative(double x) {
      double z = (x - location()) / scale();
      return StudentDensity.secondDerivative(z, df()) / scale() / scale();
    }

    @Override
    default double precision() {
      return 1 / scale() / scale();
    }

    @Override
    default boolean isLogConcave() {
      return false;
    }

    @Override
    default double leastPower() {
      return 1 / (df() + 1);
    }
  }

  /**
   * A Cauchy density: log p = −log(1 + ((x − location)/scale)²) − log(π scale).
   *
   * @param location its median and mode
   * @param scale its scale: half of the mass lies within one scale of the location
   */
  record Cauchy(double location, double scale) implements HeavyTailed {
    public Cauchy {
      Parameters.requireFinite("location", location);
      Parameters.requirePositive("scale", scale);
    }

    @Override
    public double df() {
      return 1;
    }

    @Override
    public double logDensity(double x) {
      return StudentDensity.logKernel((x - location) / scale, 1)
          - Math.log(Math.PI)
          - Math.log(scale);
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return new Cauchy(factor * location, factor * scale);
    }

    @Override
    public UnivariatePrior mirrored() {
      return new Cauchy(0.0 - location, scale);
    }

    @Override
    public String toString() {
      return "cauchy(" + location + ", " + scale + ")";
    }
  }

  /**
   * A Student-t density: log p = −(df + 1)/2 · log(1 + z²/df) + log Γ((df + 1)/2) − log Γ(df/2) −
   * log(scale √(df π)), z = (x − location)/scale.
   */
  record StudentT(double df, double location, double scale) implements HeavyTailed {
    public StudentT {
      Parameters.requirePositive("df", df);
      Parameters.requireFinite("location", location);
      Parameters.requirePositive("scale", scale);
    }

    @Override
    public double logDensity(double x) {
      return StudentDensity.logKernel((x - location) / scale, df)
          + StudentDensity.logConstant(df)
          - Math.log(scale);
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return new StudentT(df, factor * location, factor * scale);
    }

    @Override
    public UnivariatePrior mirrored() {
      return new StudentT(df, 0.0 - location, scale);
    }

    @Override
    public String toString() {
      return "student_t(" + df + ", " + location + ", " + scale + ")";
    }
  }

  /** A uniform density on [lower, upper]: log p = −log(upper − lower) inside, −∞ outside. */
  record Uniform(double lower, double upper) implements UnivariatePrior {
    public Uniform {
      Parameters.requireFinite("lower end", lower);
      Parameters.requireFinite("upper end", upper);
      if (!(lower < upper) || Double.isInfinite(upper - lower)) {
        throw new IllegalArgumentException(
            "the lower end " + lower + " must be below the upper end " + upper);
      }
    }

    @Override
    public double logDensity(double x) {
      return x >= lower && x <= upper ? -Math.log(upper - lower) : Double.NEGATIVE_INFINITY;
    }

    @Override
    public double precision() {
      return 12 / (upper - lower) / (upper - lower);
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return new Uniform(factor * lower, factor * upper);
    }

    @Override
    public UnivariatePrior mirrored() {
      return new Uniform(0.0 - upper, 0.0 - lower);
    }

    @Override
    public String toString() {
      return "uniform(" + lower + ", " + upper + ")";
    }
  }

  /** The improper density log p = 0 everywhere. */
  record Flat() implements UnivariatePrior {
    @Override
    public double logDensity(double x) {
      return 0;
    }

    @Override
    public boolean isNormalised() {
      return false;
    }

    @Override
    public UnivariatePrior scaled(double factor) {
      return this;
    }

    @Override
    public UnivariatePrior mirrored() {
      return this;
    }

    @Override
    public String toString() {
      return "flat";
    }
  }
}
