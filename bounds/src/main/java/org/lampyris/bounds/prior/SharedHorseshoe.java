package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.numeric.Parameters;

/**
 * The horseshoe of all coefficients that have it, whose global scale τ is drawn with them:
 *
 * <pre>β_j·sd(x_j) ~ N(0, τ²λ̃_j²),   λ_j ~ half-Cauchy(0, 1),   τ ~ a prior of scales,</pre>
 *
 * <p>λ̃_j = λ_j, or, regularised, λ̃_j² = c²λ_j²/(c² + τ²λ_j²) with c² ~ Inv-Gamma(ν/2, νs²/2): a
 * coefficient that is not shrunk then has a Student-t prior of ν degrees of freedom and the scale
 * s. Source: Carvalho, Polson and Scott (2010); Piironen and Vehtari (2017), section 2.
 *
 * <p>As a density of one coefficient alone it is that of the horseshoe with τ where its prior has
 * most mass, by order of magnitude.
 */
public final class SharedHorseshoe implements UnivariatePrior {
  /** How far log τ is looked for. */
  private static final double FAR = 30;

  private final UnivariatePrior global;
  private final @Nullable Slab slab;
  private final double typical;
  private final HorseshoePrior alone;

  /**
   * What large coefficients have.
   *
   * @param scale s
   * @param df ν
   */
  public record Slab(double scale, double df) implements Serializable {
    /** Checks the numbers. */
    public Slab {
      Parameters.requirePositive("slab scale", scale);
      Parameters.requirePositive("slab df", df);
    }
  }

  /**
   * Takes the prior of τ.
   *
   * @param slab null if not regularised
   * @throws IllegalArgumentException if the prior of τ has negative values
   */
  public SharedHorseshoe(UnivariatePrior global, @Nullable Slab slab) {
    if (global instanceof Flat) {
      throw new IllegalArgumentException("the global scale needs a proper prior");
    }
    this.global = global;
    this.slab = slab;
    LogScalePrior log = new LogScalePrior(global);
    double best = 0;
    for (double t = -FAR; t <= FAR; t += 0.1) {
      best = log.logDensity(t) > log.logDensity(best) ? t : best;
    }
    this.typical = Math.exp(best);
    this.alone = new HorseshoePrior(typical);
  }

  /** Returns the prior of τ. */
  public UnivariatePrior global() {
    return global;
  }

  /** Returns the slab; null if not regularised. */
  public @Nullable Slab slab() {
    return slab;
  }

  /** Returns τ where its prior has most mass, by order of magnitude. */
  public double typicalGlobal() {
    return typical;
  }

  @Override
  public double logDensity(double x) {
    return alone.logDensity(x);
  }

  @Override
  public double smoothLogDensity(double x) {
    return alone.smoothLogDensity(x);
  }

  @Override
  public double derivative(double x) {
    return alone.derivative(x);
  }

  @Override
  public double secondDerivative(double x) {
    return alone.secondDerivative(x);
  }

  @Override
  public boolean isLogConcave() {
    return false;
  }

  @Override
  public double leastPower() {
    return alone.leastPower();
  }

  @Override
  public double precision() {
    return alone.precision();
  }

  /** {@inheritDoc} The same one: it is about columns divided by their standard deviations. */
  @Override
  public SharedHorseshoe scaled(double factor) {
    return this;
  }

  @Override
  public SharedHorseshoe mirrored() {
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SharedHorseshoe prior && prior.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return slab == null
        ? "horseshoe(" + global + ")"
        : String.format(
            Locale.ROOT, "regularized_horseshoe(%s, %s, %s)", global, slab.scale, slab.df);
  }
}
