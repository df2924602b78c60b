package org.lampyris.bounds.family;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedDispersedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Accelerated failure time: log t = xᵀθ + {@code scale}·ε. The label is the time t of an event, or,
 * where the column {@code event} is 0, a time until which there was none (censored on the right).
 * The scale is a number, or a prior, by default exponential(1), and then it is sampled on the log
 * scale. Source: Kalbfleisch and Prentice (2002), section 2.3.
 */
abstract class SurvivalFamily extends OnePredictorFamily {
  static final String EVENT = "event";

  private final Response.Time.Residual error;

  SurvivalFamily(String name, Response.Time.Residual error) {
    super(name, LabelKind.TIME, "log", EVENT, "scale");
    this.error = error;
  }

  /** Returns log E[e^(σε)], the logarithm of the mean time beyond η; +∞ if there is no mean. */
  abstract double logMean(double scale);

  /** Returns Var(t)/E[t]²; +∞ if there is none. */
  final double squaredVariation(double scale) {
    double square = logMean(2 * scale);
    return square == Double.POSITIVE_INFINITY ? square : Math.expm1(square - 2 * logMean(scale));
  }

  @Override
  public final Map<String, Object> read(Section model) {
    return withEvent(model, super.read(model));
  }

  /** Returns parameters with the column of events, if there is one. */
  static Map<String, Object> withEvent(Section model, Map<String, Object> parameters) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    String event = model.text(EVENT);
    if (event != null) {
      all.put(EVENT, event);
    }
    return all;
  }

  @Override
  public final Optional<String> trials(FamilySpec spec) {
    return spec.text(EVENT);
  }

  @Override
  protected final UnivariatePrior autoPrior(TableScale table) {
    return new ExponentialPrior(1);
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    boolean sampled = isSampled(spec);
    double given = sampled ? Double.NaN : value(spec);
    Expectation mean =
        (eta, theta, out) ->
            out[0] = Math.exp(eta[0] + logMean(sampled ? theta[theta.length - 1] : given));
    return Optional.of(
        mean.with(
            variance(
                spec,
                (expected, scale) -> {
                  double square = expected * expected;
                  return square == 0 ? 0 : square * squaredVariation(scale);
                }),
            response(
                spec,
                (expected, scale) ->
                    new Response.Time(error, Math.log(expected) - logMean(scale), scale))));
  }

  @Override
  final DispersedLikelihood dispersed(FamilySpec spec) {
    return new TimeLikelihood(error);
  }

  @Override
  final Likelihood given(FamilySpec spec, double value) {
    return new TimeLikelihood(error).given(Math.log(value), true);
  }

  /**
   * log L(η, τ; y) of a time t = |y| with z = (log t − η)e^−τ, natural log: of an event (y > 0) the
   * log-density log f(z) − τ − log t, and of a censored time (y &lt; 0) log P(ε > z):
   *
   * <pre>extreme   z − eᶻ                    −eᶻ
   * normal    −z²/2 − ½ log 2π          log Φ(−z)
   * logistic  z − 2 log(1 + eᶻ)         −log(1 + eᶻ)</pre>
   *
   * <p>All six are concave in η at a given τ. Source: Kalbfleisch and Prentice (2002), section 2.3,
   * and section 3.2 for censored times.
   */
  public static final class TimeLikelihood extends DerivedDispersedLikelihood {
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private final Response.Time.Residual error;

    /** Takes the distribution of ε. */
    public TimeLikelihood(Response.Time.Residual error) {
      this.error = error;
    }

    @Override
    protected Term logLikelihood(Term eta, Term tau, double y) {
      double log = Math.log(Math.abs(y));
      Term z = eta.minus(log).negate().times(tau.negate().exp());
      if (y < 0) {
        return switch (error) {
          case EXTREME -> z.exp().negate();
          case NORMAL -> z.negate().logPhi();
          case LOGISTIC -> z.log1pExp().negate();
        };
      }
      Term density =
          switch (error) {
            case EXTREME -> z.minus(z.exp());
            case NORMAL -> z.square().times(-0.5).minus(HALF_LOG_TWO_PI);
            case LOGISTIC -> z.minus(z.log1pExp().times(2));
          };
      return density.minus(tau).minus(log);
    }
  }
}
