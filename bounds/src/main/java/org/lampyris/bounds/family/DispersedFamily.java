package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family with {@linkplain OwnParameter parameters} shared by all rows, after the columns'
 * coefficients in θ.
 *
 * <p>With an {@link OwnFormula} the first parameter's logarithm, or the logit of a share, is a
 * linear predictor of its own, whose coefficients have the parameter's name before the column's.
 */
abstract class DispersedFamily extends NamedFamily {
  private final List<OwnParameter> own;

  /** Describes a family by its parameters and its other keys. */
  DispersedFamily(String name, LabelKind label, List<OwnParameter> own, String... keys) {
    super(
        name,
        label,
        Stream.concat(Stream.of(keys), own.stream().map(OwnParameter::key)).toArray(String[]::new));
    this.own = List.copyOf(own);
  }

  /** Returns the first parameter. */
  final OwnParameter first() {
    return own.get(0);
  }

  /** Returns the last parameter. */
  final OwnParameter last() {
    return own.get(own.size() - 1);
  }

  /** Returns the parameters that are elements of θ, in their order. */
  private List<OwnParameter> shared(FamilySpec spec) {
    return own.stream().filter(one -> one.isShared(spec)).toList();
  }

  /** Returns whether a parameter depends on θ: as an element of it, or by a formula. */
  protected final boolean isSampled(FamilySpec spec) {
    return own.stream().anyMatch(one -> one.isSampled(spec));
  }

  /** Returns the columns of η and of the first parameter's own predictor, if it has such. */
  protected final Optional<Predictors> two(FamilySpec spec) {
    return Optional.ofNullable(first().formula(spec)).map(OwnFormula::predictors);
  }

  @Override
  public Optional<String> modelled() {
    return Optional.of(first().key());
  }

  @Override
  public final int predictors(FamilySpec spec) {
    return first().formula(spec) == null ? 1 : 2;
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
    OwnFormula formula = first().formula(spec);
    return predictor == 0 || formula == null
        ? predictorScale(spec, label)
        : new Moments(formula.location(), 1);
  }

  /** Returns the first parameter's given value. */
  protected final double value(FamilySpec spec) {
    return first().value(spec);
  }

  /** Returns E[y], Var(y) and the distribution of y, given the first parameter. */
  protected final Optional<Expectation> expectation(
      FamilySpec spec, OfParameter mean, OfParameter variance, ByParameter response) {
    return expectationOfAll(
        spec,
        (eta, p) -> mean.value(eta, p[0]),
        (m, p) -> variance.value(m, p[0]),
        (m, p) -> response.response(m, p[0]));
  }

  /** Returns E[y], Var(y) and the distribution of y, given all parameters as they are reported. */
  final Optional<Expectation> expectationOfAll(
      FamilySpec spec, OfParameters mean, OfParameters variance, ByParameters response) {
    OfRow row =
        new OfRow(
            first(),
            first().formula(spec) != null,
            own.stream()
                .mapToDouble(one -> one.isSampled(spec) ? Double.NaN : one.value(spec))
                .toArray(),
            shared(spec).size());
    return Optional.of(
        new Expected(row, mean)
            .with(
                (m, theta) -> variance.value(m, row.again(theta)),
                (m, theta) -> response.response(m, row.again(theta))));
  }

  /**
   * The parameters of a row.
   *
   * @param given their values; NaN for what is sampled
   * @param shared how many are elements of θ, its last ones
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record OfRow(OwnParameter first, boolean isByFormula, double[] given, int shared)
      implements Serializable {
    /** Beyond, a predictor's parameter is as good as 0 or infinite. */
    private static final double FAR = 700;

    /** Returns the parameters; one with a predictor is finite and above 0 wherever rows are. */
    double[] of(double[] eta, double[] theta) {
      double[] all = given.clone();
      int at = theta.length - shared;
      if (isByFormula) {
        all[0] = first.reported(Math.max(-FAR, Math.min(FAR, eta[1])));
      }
      for (int k = isByFormula ? 1 : 0; k < all.length; k++) {
        all[k] = Double.isNaN(given[k]) ? theta[at++] : given[k];
      }
      return all;
    }

    /** Returns the parameters from what {@link Expectation#ofRow} returned. */
    double[] again(double[] theta) {
      return isByFormula ? theta : of(theta, theta);
    }
  }

  /** E[y] of a row. */
  private record Expected(OfRow row, OfParameters mean) implements Expectation {
    @Override
    public void write(double[] eta, double[] theta, double[] out) {
      out[0] = mean.value(eta[0], row.of(eta, theta));
    }

    @Override
    public double[] ofRow(double[] eta, double[] theta) {
      return row.isByFormula ? row.of(eta, theta) : theta;
    }
  }

  /** Distribution of y from E[y] and the first parameter. */
  @FunctionalInterface
  protected interface ByParameter extends Serializable {
    /** Returns the distribution. */
    Response response(double mean, double parameter);
  }

  /** Distribution of y from E[y] and all parameters. */
  @FunctionalInterface
  interface ByParameters extends Serializable {
    /** Returns the distribution. */
    Response response(double mean, double[] parameters);
  }

  /** E[y] from η, or Var(y) from E[y], and the first parameter. */
  @FunctionalInterface
  protected interface OfParameter extends Serializable {
    /** Returns the value. */
    double value(double of, double parameter);
  }

  /** E[y] from η, or Var(y) from E[y], and all parameters. */
  @FunctionalInterface
  interface OfParameters extends Serializable {
    /** Returns the value. */
    double value(double of, double[] parameters);
  }

  @Override
  public Map<String, Object> read(Section model) {
    Map<String, Object> read = new LinkedHashMap<>();
    own.forEach(one -> read.put(one.key(), one.read(model)));
    return read;
  }

  @Override
  public final FamilySpec on(FamilySpec spec, TableScale table) {
    FamilySpec on = spec;
    for (OwnParameter one : own) {
      on = one.on(on, table);
    }
    return on;
  }

  @Override
  public final List<String> ownCoefficients() {
    return own.stream().map(OwnParameter::key).toList();
  }

  @Override
  public final List<String> coefficients(FamilySpec spec, List<String> columns) {
    List<String> all = new ArrayList<>(two(spec).map(of -> names(of, columns)).orElse(columns));
    shared(spec).forEach(one -> all.add(one.key()));
    return all;
  }

  @Override
  public final List<ConfiguredPrior> priors(
      FamilySpec spec, List<String> columns, Function<String, ConfiguredPrior> priorOf) {
    List<OwnParameter> shared = shared(spec);
    List<String> names = coefficients(spec, columns);
    List<ConfiguredPrior> all =
        new ArrayList<>(
            names.subList(0, names.size() - shared.size()).stream().map(priorOf).toList());
    for (OwnParameter one : shared) {
      try {
        all.add(one.ofSampled(spec));
      } catch (IllegalArgumentException e) {
        throw UserException.usage("model." + one.key() + ": " + e.getMessage(), e);
      }
    }
    return all;
  }

  /** Returns the names of both predictors' coefficients, as brms has them. */
  private List<String> names(Predictors of, List<String> columns) {
    return IntStream.range(0, of.coefficients())
        .mapToObj(
            j ->
                of.predictor(j) == 0
                    ? columns.get(of.column(j))
                    : OwnFormula.name(first().key(), columns.get(of.column(j))))
        .toList();
  }

  @Override
  public final void report(FamilySpec spec, double[] theta, int from) {
    List<OwnParameter> shared = shared(spec);
    for (int k = 0; k < shared.size(); k++) {
      theta[from + k] = shared.get(k).reported(theta[from + k]);
    }
  }

  @Override
  public final void restore(FamilySpec spec, double[] theta, int from) {
    List<OwnParameter> shared = shared(spec);
    for (int k = 0; k < shared.size(); k++) {
      theta[from + k] = shared.get(k).sampled(theta[from + k]);
    }
  }

  @Override
  public final FamilySpec canonical(FamilySpec spec) {
    FamilySpec written = spec;
    for (OwnParameter one : own) {
      written = written.canonical(one.key());
    }
    return written;
  }
}
