package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family with a parameter above 0 shared by all rows, after the columns' coefficients: a given
 * number, or sampled on the log scale under a prior and reported on its own scale. A share may be
 * sampled on the logit scale instead. Unless it is given, its prior follows from the table; {@code
 * jeffreys} is p(s) ∝ 1/s, flat in log s.
 *
 * <p>With an {@link OwnFormula} the parameter's logarithm, or the logit of a share, is a linear
 * predictor of its own, whose coefficients have the parameter's name before the column's.
 */
public abstract class DispersedFamily extends NamedFamily {
  private static final String JEFFREYS = "jeffreys";

  private final String parameter;

  /** Describes a family; the last key is the parameter's, and its name as a coefficient. */
  protected DispersedFamily(String name, LabelKind label, String... keys) {
    super(name, label, keys);
    this.parameter = keys[keys.length - 1];
  }

  /**
   * Reads the parameter's key.
   *
   * @throws UserException (usage) if it is neither a number above 0 nor a prior of one
   */
  protected final Object parameter(Section model) {
    String text = model.text(parameter, PriorConfig.AUTO);
    if (!isPrior(text)) {
      Double number = model.number(parameter, range());
      return number == null ? text : number;
    }
    return model.checked(parameter, this::prior, text);
  }

  /** Returns the prior that a text names; {@link #JEFFREYS} has no density of the parameter. */
  private Object prior(String text) {
    if (text.equals(JEFFREYS)) {
      return text;
    }
    ConfiguredPrior prior = ConfiguredPrior.of(text);
    if (!prior.isAuto()) {
      ofSampled(prior.density());
    }
    return prior;
  }

  /** Returns the numbers that the parameter may have. */
  protected Interval range() {
    return Interval.POSITIVE;
  }

  /**
   * Returns the prior of what is sampled, by default the logarithm, from the parameter's.
   *
   * @throws IllegalArgumentException if the parameter cannot have this prior
   */
  protected UnivariatePrior ofSampled(UnivariatePrior prior) {
    return new LogScalePrior(prior);
  }

  /** Returns the parameter's prior where no table is known. */
  protected UnivariatePrior unspecific() {
    return new ExponentialPrior(1);
  }

  /** Returns the parameter, given what is sampled. */
  protected double reported(double tau) {
    return Math.exp(tau);
  }

  /** Undoes {@link #reported}. */
  protected double sampled(double parameter) {
    return Math.log(parameter);
  }

  private static boolean isPrior(String text) {
    return !text.isEmpty() && Character.isLetter(text.charAt(0));
  }

  /** Returns the prior of the parameter's logarithm. */
  private UnivariatePrior ofLogarithm(FamilySpec spec) {
    if (text(spec).equals(JEFFREYS)) {
      return new UnivariatePrior.Flat();
    }
    ConfiguredPrior prior = spec.prior(parameter, PriorConfig.AUTO);
    return ofSampled(prior.isAuto() ? unspecific() : prior.density());
  }

  private String text(FamilySpec spec) {
    return spec.text(parameter).orElse(PriorConfig.AUTO);
  }

  /** Returns whether the parameter depends on θ: as an element of it, or by a formula. */
  protected final boolean isSampled(FamilySpec spec) {
    return isPrior(text(spec)) || formula(spec) != null;
  }

  /** Returns the parameter's own linear predictor; null if it is the same for all rows. */
  private @Nullable OwnFormula formula(FamilySpec spec) {
    return spec.parameters().get(parameter) instanceof OwnFormula formula ? formula : null;
  }

  /** Returns the columns of η and of the parameter's own predictor, if it has such. */
  protected final Optional<Predictors> two(FamilySpec spec) {
    return Optional.ofNullable(formula(spec)).map(OwnFormula::predictors);
  }

  @Override
  public final Optional<String> modelled() {
    return Optional.of(parameter);
  }

  @Override
  public final int predictors(FamilySpec spec) {
    return formula(spec) == null ? 1 : 2;
  }

  @Override
  public final Predictors predictors(FamilySpec spec, int width) {
    return two(spec).orElse(Predictors.all(width, 1));
  }

  /**
   * {@inheritDoc} Of the second predictor the location is what the default prior of a parameter
   * without a formula expects, in its logarithm, or the middle of a share.
   */
  @Override
  public final Moments predictorScale(FamilySpec spec, Moments label, int predictor) {
    OwnFormula formula = formula(spec);
    return predictor == 0 || formula == null
        ? predictorScale(spec, label)
        : new Moments(formula.location(), 1);
  }

  /** Returns the parameter's given value. */
  protected final double value(FamilySpec spec) {
    return spec.positive(parameter);
  }

  /** Returns E[y], Var(y) and the distribution of y, given the parameter as it is reported. */
  protected final Optional<Expectation> expectation(
      FamilySpec spec, OfParameter mean, OfParameter variance, ByParameter response) {
    boolean sampled = isSampled(spec);
    double given = sampled ? Double.NaN : value(spec);
    OfTheta parameter = theta -> sampled ? theta[theta.length - 1] : given;
    Expectation expected =
        formula(spec) == null
            ? (eta, theta, out) -> out[0] = mean.value(eta[0], parameter.value(theta))
            : new OfTwo(this, mean);
    return Optional.of(
        expected.with(
            (m, theta) -> variance.value(m, parameter.value(theta)),
            (m, theta) -> response.response(m, parameter.value(theta))));
  }

  @FunctionalInterface
  private interface OfTheta extends Serializable {
    double value(double[] theta);
  }

  /** E[y] of a row with a parameter of its own, which is finite and above 0 wherever rows are. */
  private record OfTwo(DispersedFamily family, OfParameter mean) implements Expectation {
    private static final double FAR = 700;

    private double parameter(double[] eta) {
      return family.reported(Math.max(-FAR, Math.min(FAR, eta[1])));
    }

    @Override
    public void write(double[] eta, double[] theta, double[] out) {
      out[0] = mean.value(eta[0], parameter(eta));
    }

    @Override
    public double[] ofRow(double[] eta, double[] theta) {
      return new double[] {parameter(eta)};
    }
  }

  /** Distribution of y from E[y] and the reported parameter. */
  @FunctionalInterface
  protected interface ByParameter extends Serializable {
    /** Returns the distribution. */
    Response response(double mean, double parameter);
  }

  /** E[y] from η, or Var(y) from E[y], and the reported parameter. */
  @FunctionalInterface
  protected interface OfParameter extends Serializable {
    /** Returns the value. */
    double value(double of, double parameter);
  }

  /** Returns the parameter's prior unless it is given: for one in the label's units. */
  protected UnivariatePrior autoPrior(TableScale table) {
    Moments label = table.label();
    double sd = label != null && label.sd() > 0 ? label.sd() : 1;
    return new ExponentialPrior(1 / sd);
  }

  @Override
  public Map<String, Object> read(Section model) {
    return Map.of(parameter, parameter(model));
  }

  @Override
  public final FamilySpec on(FamilySpec spec, TableScale table) {
    OwnFormula formula = formula(spec);
    if (formula != null) {
      boolean positive = autoPrior(table) instanceof ExponentialPrior;
      double usual = positive ? 1 / ((ExponentialPrior) autoPrior(table)).rate() : Double.NaN;
      return positive ? spec.with(parameter, formula.about(sampled(usual))) : spec;
    }
    return text(spec).equals(PriorConfig.AUTO)
        ? spec.with(parameter, ConfiguredPrior.of(autoPrior(table)))
        : spec;
  }

  @Override
  public final List<String> ownCoefficients() {
    return List.of(parameter);
  }

  @Override
  public final List<String> coefficients(FamilySpec spec, List<String> columns) {
    return two(spec)
        .map(of -> ofPredictors(of, columns))
        .orElseGet(() -> with(columns, isSampled(spec) ? parameter : null));
  }

  @Override
  public final List<ConfiguredPrior> priors(
      FamilySpec spec, List<String> columns, Function<String, ConfiguredPrior> priorOf) {
    if (formula(spec) != null) {
      return coefficients(spec, columns).stream().map(priorOf).toList();
    }
    try {
      return with(
          columns.stream().map(priorOf).toList(),
          isSampled(spec) ? ConfiguredPrior.of(ofLogarithm(spec)) : null);
    } catch (IllegalArgumentException e) {
      throw UserException.usage("model." + parameter + ": " + e.getMessage(), e);
    }
  }

  /** Returns the names of both predictors' coefficients, as brms has them. */
  private List<String> ofPredictors(Predictors of, List<String> columns) {
    return IntStream.range(0, of.coefficients())
        .mapToObj(
            j ->
                of.predictor(j) == 0
                    ? columns.get(of.column(j))
                    : OwnFormula.name(parameter, columns.get(of.column(j))))
        .toList();
  }

  private static <T> List<T> with(List<T> elements, @Nullable T last) {
    List<T> all = new ArrayList<>(elements);
    if (last != null) {
      all.add(last);
    }
    return all;
  }

  @Override
  public final void report(FamilySpec spec, double[] theta, int from) {
    for (int j = from; j < theta.length; j++) {
      theta[j] = reported(theta[j]);
    }
  }

  @Override
  public final void restore(FamilySpec spec, double[] theta, int from) {
    for (int j = from; j < theta.length; j++) {
      theta[j] = sampled(theta[j]);
    }
  }

  @Override
  public final FamilySpec canonical(FamilySpec spec) {
    return spec.canonical(parameter);
  }
}
