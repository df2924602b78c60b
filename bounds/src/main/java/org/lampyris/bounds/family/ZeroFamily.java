package org.lampyris.bounds.family;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedDispersedLikelihood;
import org.lampyris.bounds.algebra.DerivedJointLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.ThirdDerivatives;
import org.lampyris.bounds.numeric.LogGamma;

/**
 * Counts with more zeros, or fewer: with probability p a count is 0, and otherwise Poisson or
 * negative binomial of mean μ = e^η (zero-inflated, p = {@code zi}), or the same given that it is
 * not 0 (hurdle, p = {@code hu}). The share p is a number, or a prior of a share, by default
 * uniform(0, 1), and then it is sampled on the logit scale. A negative binomial count has a {@code
 * shape}, as without zeros of their own. Source: Lambert (1992); Mullahy (1986); Zeileis, Kleiber
 * and Jackman (2008), section 2.
 */
abstract class ZeroFamily extends OnePredictorFamily {
  private final boolean hurdle;
  private final boolean overdispersed;

  ZeroFamily(String name, String parameter, boolean hurdle, boolean overdispersed) {
    super(
        name,
        LabelKind.COUNT,
        "log",
        overdispersed
            ? List.of(OwnParameter.share(parameter), NegativeBinomialFamily.shape())
            : List.of(OwnParameter.share(parameter)));
    this.hurdle = hurdle;
    this.overdispersed = overdispersed;
  }

  @Override
  public final Optional<String> zeros(FamilySpec spec) {
    return hurdle && first().isSampled(spec) ? Optional.of(first().key()) : Optional.empty();
  }

  private double shape(double[] parameters) {
    return overdispersed ? parameters[1] : Double.POSITIVE_INFINITY;
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    return expectationOfAll(
        spec,
        (eta, p) -> {
          double mean = Math.exp(eta);
          return (1 - p[0]) * (hurdle ? positiveMean(mean, shape(p)) : mean);
        },
        (expected, p) -> {
          // E[y²] = E[y](1 + μ + μ/shape), and E[y] = (1 − p)m, m the mean of what is not 0 by p.
          double count = count(expected, p[0]);
          double mean = hurdle ? meanOf(count, shape(p)) : count;
          double beyond = count < Double.POSITIVE_INFINITY ? count - mean : 0;
          double more = overdispersed ? mean / shape(p) : 0;
          return expected * (1 + (p[0] == 0 ? 0 : p[0] * count) - beyond + more);
        },
        (expected, p) -> {
          double count = count(expected, p[0]);
          double mean = hurdle ? meanOf(count, shape(p)) : count;
          return new Response.Zeros(p[0], hurdle, mean, shape(p));
        });
  }

  /** Returns the mean of what is not 0 by p; 0 if everything is. */
  private static double count(double expected, double zero) {
    return zero == 1 ? 0 : expected / (1 - zero);
  }

  /** Returns μ/(1 − P(0)), the mean of a count of mean μ that is not 0: at least 1. */
  private static double positiveMean(double mean, double shape) {
    return mean == 0 ? 1 : mean / -Math.expm1(-Response.Zeros.rate(mean, shape));
  }

  /**
   * Returns the μ whose {@link #positiveMean} is m, by Newton's method within a bracket; 0 for 1.
   */
  static double meanOf(double m, double shape) {
    double low = 0;
    double high = m;
    double mean = m;
    for (int i = 0; i < 100 && m > 1 && m < Double.POSITIVE_INFINITY; i++) {
      double rate = Response.Zeros.rate(mean, shape);
      double share = -Math.expm1(-rate);
      double excess = mean / share - m;
      low = excess < 0 ? mean : low;
      high = excess < 0 ? high : mean;
      double slope = (share - mean * Math.exp(-rate) / (1 + mean / shape)) / (share * share);
      double next = mean - excess / slope;
      next = next > low && next < high ? next : 0.5 * (low + high);
      if (Math.abs(next - mean) <= 1e-15 * mean) {
        break;
      }
      mean = next;
    }
    return m > 1 ? mean : 0;
  }

  @Override
  final JointLikelihood dispersed(FamilySpec spec) {
    return overdispersed
        ? sampled(spec, new OverdispersedLikelihood(hurdle))
        : new ZeroLikelihood(hurdle);
  }

  @Override
  final Likelihood given(FamilySpec spec, double value) {
    double tau = first().sampled(value);
    return overdispersed
        ? new OverdispersedLikelihood(hurdle)
            .given(new double[] {tau, Math.log(last().value(spec))}, false)
        : new ZeroLikelihood(hurdle).given(tau, hurdle);
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

  /**
   * log L(η, τ; y) of a negative binomial count with p = σ(τ₁), the shape φ = e^τ₂ and u = η − τ₂,
   * natural log: with λ = φ log(1 + eᵘ), so that P(0) = e^−λ, as {@link ZeroLikelihood}, but yη +
   * log Γ(y + φ) − log Γ(φ) − yτ₂ − y log(1 + eᵘ) − λ − log y! in place of the Poisson terms.
   *
   * <p>If eᵘ is small λ is e^η times log(1 + eᵘ)/eᵘ: large factors would make intervals wide.
   */
  public static final class OverdispersedLikelihood extends DerivedJointLikelihood {
    private static final LogisticLikelihood SHARE = new LogisticLikelihood();
    private static final ThirdDerivatives COUNT = new NegativeBinomialFamily.ShapeLikelihood();
    private static final ThirdDerivatives TRUNCATION = new Truncation();

    /** Half the width of a box of log φ. In narrower boxes halving gives bounds as close. */
    private static final double NARROW = 1.0 / 64;

    /** Place of ∂³τ₁ among the third derivatives. */
    private static final int OF_SHARE = 6;

    private final boolean hurdle;

    /** Takes whether a count that is not 0 by p is above 0. */
    public OverdispersedLikelihood(boolean hurdle) {
      super(2);
      this.hurdle = hurdle;
    }

    @Override
    protected Term logLikelihood(Term eta, Term[] tau, double y) {
      Term u = eta.minus(tau[1]);
      Term logRate = logRate(eta, tau[1], u);
      Term ofZero = ofZero(hurdle, logRate, tau[0], y);
      return y == 0
          ? ofZero
          : eta.minus(u.log1pExp())
              .times(y)
              .plus(tau[1].logRisingShare(y))
              .minus(logRate.exp())
              .minus(LogGamma.of(y + 1))
              .plus(ofZero);
    }

    /** Returns log λ, λ = φ log(1 + eᵘ). */
    private static Term logRate(Term eta, Term logShape, Term u) {
      Term odds = u.exp();
      return odds.isBelow(1)
          ? eta.plus(odds.log1pRatio().log())
          : logShape.plus(u.log1pExp().log());
    }

    /**
     * {@inheritDoc} A count above 0 has terms in (η, τ₂) and a term in τ₁. In a box that is wide in
     * τ₂ each is bounded by itself, the negative binomial terms by hand. That takes a tenth of the
     * time of halving the box in three variables, and the bounds are closer.
     */
    @Override
    public void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
      if (y == 0 || reach[2] < NARROW) {
        super.thirdDerivatives(center, reach, y, out);
        return;
      }
      Arrays.fill(out, 0);
      int[] places = JointLikelihood.withoutFirst();
      double[] about = {center[0], center[2]};
      double[] along = {reach[0], reach[2]};
      double[] of = new double[places.length];
      for (ThirdDerivatives term : hurdle ? List.of(COUNT, TRUNCATION) : List.of(COUNT)) {
        term.thirdDerivatives(about, along, y, of);
        for (int k = 0; k < of.length; k++) {
          out[places[k]] += of[k];
        }
      }
      out[OF_SHARE] = SHARE.derivativeBound(3, 1, center[1] - reach[1], center[1] + reach[1]);
    }

    /** The truncation at 0, −log(1 − e^−λ): what log L of a count gains if it cannot be 0. */
    private static final class Truncation extends DerivedDispersedLikelihood {
      @Override
      protected Term logLikelihood(Term eta, Term tau, double y) {
        return logRate(eta, tau, eta.minus(tau)).log1mExpExp().negate();
      }
    }

    /** Returns log L, of a count above 0 less that of a count without zeros of its own. */
    private static Term ofZero(boolean hurdle, Term logRate, Term tau, double y) {
      if (y > 0) {
        Term above = tau.negate().logSigmoid();
        return hurdle ? above.minus(logRate.log1mExpExp()) : above;
      }
      Term zero = tau.logSigmoid();
      return hurdle
          ? zero.plus(logRate.times(0))
          : zero.plus(tau.plus(logRate.exp()).negate().log1pExp());
    }

    /** {@inheritDoc} Those of a count above 0 are the sum of two bounds. */
    @Override
    public Optional<ThirdDerivatives> byInverse() {
      DerivedJointLikelihood rest = new OfZero(hurdle);
      ThirdDerivatives count = new NegativeBinomialFamily.InverseShape();
      return Optional.of(
          (center, reach, y, out) -> {
            rest.thirdDerivatives(center, reach, y, out);
            double[] of = new double[JointLikelihood.thirds(2)];
            if (y > 0) {
              double[] about = {center[0], center[2]};
              count.thirdDerivatives(about, new double[] {reach[0], reach[2]}, y, of);
            }
            for (int k = 0; k < of.length; k++) {
              out[JointLikelihood.withoutFirst()[k]] += of[k];
            }
          });
    }

    /** {@link #ofZero} by 1/φ in place of τ₂: smooth about 0, where counts are Poisson. */
    private static final class OfZero extends DerivedJointLikelihood {
      private final boolean hurdle;

      OfZero(boolean hurdle) {
        super(2);
        this.hurdle = hurdle;
      }

      @Override
      protected Term logLikelihood(Term eta, Term[] tau, double y) {
        Term logRate = eta.plus(eta.exp().times(tau[1]).log1pRatio().log());
        return ofZero(hurdle, logRate, tau[0], y);
      }
    }
  }
}
