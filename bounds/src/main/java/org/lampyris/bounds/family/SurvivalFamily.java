package org.lampyris.bounds.family;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lampyris.bounds.algebra.DerivedDispersedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.prior.ExponentialPrior;

/**
 * Accelerated failure time: log t = xᵀθ + {@code scale}·ε. The label is the time t of an event, or
 * a bound of it: {@link CensoredTime} has the codes in the column {@code event}. The column {@code
 * time2} ends intervals. The scale is a number, or a prior, by default exponential(1), and then it
 * is sampled on the log scale. Source: Kalbfleisch and Prentice (2002), section 2.3.
 */
abstract class SurvivalFamily extends OnePredictorFamily {
  static final String EVENT = "event";
  static final String SECOND_TIME = "time2";

  private final Response.Time.Residual error;

  SurvivalFamily(String name, Response.Time.Residual error) {
    super(
        name,
        LabelKind.TIME,
        "log",
        List.of(OwnParameter.positive("scale", new ExponentialPrior(1))),
        EVENT,
        SECOND_TIME);
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

  /**
   * Returns parameters with the columns of events and second times, if there are any.
   *
   * @throws UserException (usage) if there are second times without events, or with an offset
   */
  static Map<String, Object> withEvent(Section model, Map<String, Object> parameters) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    String event = model.text(EVENT);
    if (event != null) {
      all.put(EVENT, event);
    }
    String second = model.text(SECOND_TIME);
    if (second == null) {
      return all;
    }
    if (event == null) {
      throw UserException.usage(
          "%s: %s names the times that intervals end at, but model.event is missing. Name the column that is 3 in their rows there."
              .formatted(model.originOf(SECOND_TIME), model.name(SECOND_TIME)));
    }
    all.put(SECOND_TIME, second);
    return all;
  }

  @Override
  public final LabelKind label(FamilySpec spec) {
    return labelOf(spec);
  }

  static LabelKind labelOf(FamilySpec spec) {
    return spec.text(SECOND_TIME).isPresent() ? LabelKind.INTERVAL : LabelKind.TIME;
  }

  @Override
  public final Optional<String> secondTime(FamilySpec spec) {
    return spec.text(SECOND_TIME);
  }

  @Override
  public final Optional<String> trials(FamilySpec spec) {
    return spec.text(EVENT);
  }

  @Override
  public final Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(
        spec,
        (eta, scale) -> Math.exp(eta + logMean(scale)),
        (expected, scale) -> {
          double square = expected * expected;
          return square == 0 ? 0 : square * squaredVariation(scale);
        },
        (expected, scale) -> new Response.Time(error, Math.log(expected) - logMean(scale), scale));
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
   * log L(η, τ; y) of a {@linkplain CensoredTime time} t with z = (log t − η)e^−τ, natural log: of
   * an event the log-density log f(z) − τ − log t, and of a censored time the logarithm of P(ε > z)
   * (after t), P(ε &lt; z) (before t), or P(v &lt; ε &lt; z) with v = z − we^−τ (between t and u,
   * of which z is here):
   *
   * <pre>          event                after t            before t          between
   * extreme   z − eᶻ               −eᶻ                log(1 − e^−eᶻ)    log(e^−eᵛ − e^−eᶻ)
   * normal    −z²/2 − ½ log 2π     log Φ(−z)          log Φ(z)          log(Φ(z) − Φ(v))
   * logistic  z − 2 log(1 + eᶻ)    −log(1 + eᶻ)       log σ(z)          log(σ(z) − σ(v))</pre>
   *
   * <p>All are concave in η at a given τ. Differences are written as products: e^−eᵛ(1 − exp(−eᶻ(1
   * − e^(v − z)))), and σ(z)σ(−v)(1 − e^(v − z)). Source: Kalbfleisch and Prentice (2002), section
   * 2.3, and section 3.2 for censored times.
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
      int code = CensoredTime.code(y);
      double log = code == CensoredTime.BETWEEN ? 0 : Math.log(CensoredTime.time(y, 0));
      Term rate = tau.negate().exp();
      Term z = eta.minus(log).negate().times(rate);
      return switch (code) {
        case CensoredTime.AFTER -> after(z);
        case CensoredTime.AT -> density(z).minus(tau).minus(log);
        case CensoredTime.BEFORE -> before(z);
        default -> between(z, rate.times(CensoredTime.width(y)));
      };
    }

    @Override
    public double location(double y) {
      return CensoredTime.code(y) == CensoredTime.BETWEEN ? 0 : Math.log(CensoredTime.time(y, 0));
    }

    /** {@inheritDoc} The same event at time 1; intervals are of all widths. */
    @Override
    public double response(double y) {
      int code = CensoredTime.code(y);
      return code == CensoredTime.BETWEEN ? Double.NaN : CensoredTime.response(code, 1, 1);
    }

    @Override
    public double unit(double eta, double[] tau) {
      return Math.exp(tau[0]);
    }

    private Term density(Term z) {
      return switch (error) {
        case EXTREME -> z.minus(z.exp());
        case NORMAL -> z.square().times(-0.5).minus(HALF_LOG_TWO_PI);
        case LOGISTIC -> z.minus(z.log1pExp().times(2));
      };
    }

    private Term after(Term z) {
      return switch (error) {
        case EXTREME -> z.exp().negate();
        case NORMAL -> z.negate().logPhi();
        case LOGISTIC -> z.log1pExp().negate();
      };
    }

    private Term before(Term z) {
      return switch (error) {
        case EXTREME -> z.log1mExpExp();
        case NORMAL -> z.logPhi();
        case LOGISTIC -> z.logSigmoid();
      };
    }

    /** Returns log P(z − d &lt; ε &lt; z). */
    private Term between(Term z, Term d) {
      Term least = z.minus(d);
      return switch (error) {
        case EXTREME -> z.plus(d.log1mExp()).log1mExpExp().minus(least.exp());
        case NORMAL -> z.logPhiFrom(d);
        case LOGISTIC -> z.logSigmoid().plus(least.negate().logSigmoid()).plus(d.log1mExp());
      };
    }
  }
}
