package org.lampyris.bounds.family;

import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedDispersedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.LogitSharePrior;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Poisson counts with more zeros, or fewer: with probability p a count is 0, and otherwise Poisson
 * of mean λ = e^η (zero-inflated, p = {@code zi}), or Poisson of mean λ given that it is not 0
 * (hurdle, p = {@code hu}). The share p is a number, or a prior of a share, by default uniform(0,
 * 1), and then it is sampled on the logit scale. Source: Lambert (1992); Mullahy (1986).
 */
abstract class ZeroPoissonFamily extends OnePredictorFamily {
  private final boolean hurdle;

  ZeroPoissonFamily(String name, String parameter, boolean hurdle) {
    super(name, LabelKind.COUNT, "log", parameter);
    this.hurdle = hurdle;
  }

  @Override
  protected final Interval range() {
    return Interval.OPEN_UNIT;
  }

  @Override
  protected final UnivariatePrior ofSampled(UnivariatePrior prior) {
    if (prior instanceof UnivariatePrior.Uniform share) {
      return new LogitSharePrior(share);
    }
    throw new IllegalArgumentException(
        "the prior of a share must be uniform(a, b) within 0 … 1, not " + prior);
  }

  @Override
  protected final UnivariatePrior autoPrior(TableScale table) {
    return unspecific();
  }

  @Override
  protected final UnivariatePrior unspecific() {
    return new UnivariatePrior.Uniform(0, 1);
  }

  @Override
  protected final double reported(double tau) {
    return StableMath.sigmoid(tau);
  }

  @Override
  protected final double sampled(double share) {
    return logit(share);
  }

  private static double logit(double share) {
    return Math.log(share) - Math.log1p(-share);
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(
        spec,
        (eta, zero) -> (1 - zero) * (hurdle ? positiveMean(Math.exp(eta)) : Math.exp(eta)),
        (expected, zero) -> {
          // E[y²] = E[y](1 + λ), and E[y] = (1 − p)m, m the mean of what is not 0 by p.
          double count = count(expected, zero);
          double beyond = hurdle && count < 700 ? count - rateOf(count) : 0;
          return expected * (1 + (zero == 0 ? 0 : zero * count) - beyond);
        },
        (expected, zero) -> {
          double count = count(expected, zero);
          return new Response.Zeros(zero, hurdle, hurdle ? rateOf(count) : count);
        });
  }

  /** Returns the mean of what is not 0 by p; 0 if everything is. */
  private static double count(double expected, double zero) {
    return zero == 1 ? 0 : expected / (1 - zero);
  }

  /** Returns λ/(1 − e^−λ), the mean of a Poisson count that is not 0: at least 1. */
  private static double positiveMean(double rate) {
    return rate == 0 ? 1 : rate < 700 ? rate / -Math.expm1(-rate) : rate;
  }

  /** Returns the λ whose {@link #positiveMean} is m, by Newton's method from above; 0 for 1. */
  static double rateOf(double m) {
    double rate = m;
    for (int i = 0; i < 100 && m < 700; i++) {
      double share = -Math.expm1(-rate);
      double slope = (share - rate * Math.exp(-rate)) / (share * share);
      double next = rate - (rate / share - m) / slope;
      if (!(next < rate)) {
        break;
      }
      rate = Math.max(next, 0.5 * rate);
    }
    return m > 1 ? rate : 0;
  }

  @Override
  final DispersedLikelihood dispersed(FamilySpec spec) {
    return new ZeroLikelihood(hurdle);
  }

  @Override
  final Likelihood given(FamilySpec spec, double value) {
    return new ZeroLikelihood(hurdle).given(logit(value), hurdle);
  }

  /**
   * log L(η, τ; y) with p = σ(τ) and λ = e^η, natural log. Zero-inflated: log σ(τ) + log(1 +
   * e^(−τ−λ)) for y = 0, which is log(p + (1 − p)e^−λ), and log σ(−τ) + yη − λ − log y! for y > 0.
   * Hurdle: log σ(τ) for y = 0, and the same less log(1 − e^−λ) for y > 0.
   */
  public static final class ZeroLikelihood extends DerivedDispersedLikelihood {
    private final boolean hurdle;

    /** Takes whether a count that is not 0 by p is above 0. */
    public ZeroLikelihood(boolean hurdle) {
      this.hurdle = hurdle;
    }

    @Override
    protected Term logLikelihood(Term eta, Term tau, double y) {
      if (y == 0) {
        Term zero = tau.logSigmoid();
        // η has a coefficient of 0 in a hurdle's zeros, but it is a variable all the same.
        return hurdle
            ? zero.plus(eta.times(0))
            : zero.plus(tau.plus(eta.exp()).negate().log1pExp());
      }
      Term count = eta.times(y).minus(eta.exp()).minus(LogGamma.of(y + 1));
      Term given = hurdle ? count.minus(eta.log1mExpExp()) : count;
      return given.plus(tau.negate().logSigmoid());
    }
  }
}
