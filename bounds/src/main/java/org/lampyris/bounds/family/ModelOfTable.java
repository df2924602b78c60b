package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family for the columns of a table: the likelihood of a row, its lower bounds, the names of the
 * elements of θ, their priors, and the reported scale of θ.
 */
public final class ModelOfTable implements Serializable {
  /** The name of the column of ones. */
  public static final String INTERCEPT = "(Intercept)";

  /** Degrees of freedom of the default prior of effects' standard deviations. */
  private static final double EFFECT_DF = 3;

  /** Columns far from 0 lose digits on the way to the input's scale. */
  private static final double TAKEN_BACK = 1e-6;

  private final FamilySpec spec;
  private final FamilySpec written;
  private final ModelProvider provider;
  private final List<String> columns;
  private final Model model;
  private final Predictors predictors;
  private final List<String> coefficients;
  private final List<ConfiguredPrior> priors;
  private final ProductPrior prior;
  private final double[] effectScales;
  private final double[] effectOrigins;
  private final List<TableEffects> random;
  private final List<MonotonicPrior.Effect> monotonic;

  private ModelOfTable(
      FamilySpec spec,
      ModelProvider provider,
      List<String> columns,
      PriorConfig config,
      @Nullable TableScale table,
      List<MonotonicColumns> monotonic) {
    this.spec = spec;
    this.provider = provider;
    FamilySpec canonical = provider.canonical(spec).asText();
    // Two models that differ in nothing else are not the same.
    this.written =
        config.interceptAt() == PriorConfig.InterceptAt.ZERO
            ? canonical.with("intercept_at", "zero")
            : canonical;
    this.columns = columns;
    this.model = provider.model(spec, columns);
    this.coefficients = List.copyOf(provider.coefficients(spec, columns));
    if (coefficients.size() != model.dimension()) {
      throw UserException.usage(
          "model.family %s has a model with %s coefficients but %s names for them. Correct the class."
              .formatted(spec.name(), model.dimension(), coefficients.size()));
    }
    if (new HashSet<>(coefficients).size() < coefficients.size()) {
      throw UserException.usage(
          "two coefficients of the family %s have the same name, %s. Rename the column in data.query."
              .formatted(spec.name(), String.join(", ", coefficients.stream().limit(12).toList())));
    }
    this.predictors = provider.predictors(spec, columns.size());
    if (!monotonic.isEmpty() && predictors.count() != 1) {
      throw UserException.usage(
          "model.family: %s has %d linear predictors, and mo() is for one. Write ordered() in model.formula, polynomials of the levels."
              .formatted(spec.name(), predictors.count()));
    }
    List<String> further =
        monotonic.stream().flatMap(one -> Stream.of(one.slope(), one.simplex())).toList();
    List<String> ofMonotonic = monotonic.stream().flatMap(one -> one.columns().stream()).toList();
    Map<String, ConfiguredPrior> byName =
        config.without(further).without(ofMonotonic).priorsOf(coefficients, columns, predictors);
    Moments of =
        table == null
            ? null
            : labelOf(table, provider.offset(spec).isPresent() && provider.link().equals("log"));
    List<Moments> labels =
        IntStream.range(0, Math.max(1, predictors.count()))
            .mapToObj(p -> of == null ? Moments.STANDARD : provider.predictorScale(spec, of, p))
            .toList();
    TablePriors on = new TablePriors(config, table, labels, predictors);
    this.monotonic =
        monotonic.stream()
            .map(
                one ->
                    on.monotonic(
                        one,
                        one.columns().stream()
                            .mapToInt(name -> predictors.place(0, columns.indexOf(name)))
                            .toArray()))
            .toList();
    List<ConfiguredPrior> all = new ArrayList<>(on.of(provider.priors(spec, columns, byName::get)));
    for (MonotonicPrior.Effect one : this.monotonic) {
      for (int k = 0; k < one.size(); k++) {
        all.set(one.places()[k], TablePriors.alone(one, k));
      }
    }
    this.priors = List.copyOf(all);
    this.prior = ProductPrior.of(priors()).about(on.interceptAt());
    this.effectScales = on.effectScales(of != null && provider.isInLabelUnit(spec));
    this.effectOrigins = on.effectOrigins();
    this.random = List.of();
  }

  private ModelOfTable(ModelOfTable other, ProductPrior prior, List<TableEffects> random) {
    this.spec = other.spec;
    this.written = other.written;
    this.provider = other.provider;
    this.columns = other.columns;
    this.model = other.model;
    this.predictors = other.predictors;
    this.coefficients = other.coefficients;
    this.priors = other.priors;
    this.prior = prior;
    this.effectScales = other.effectScales;
    this.effectOrigins = other.effectOrigins;
    this.random = random;
    this.monotonic = other.monotonic;
  }

  private ModelOfTable(
      ModelOfTable other, List<String> more, List<ScaleGroup> groups, double[] phi) {
    this.spec = other.spec;
    // Bounds by an earlier version are for effects of columns as they are.
    this.written =
        other.random.stream().anyMatch(of -> of.effects().isElsewhere())
            ? other.written.with("effects_at", "centers")
            : other.written;
    this.provider = other.provider;
    List<String> all = new ArrayList<>(other.columns);
    all.addAll(more);
    this.columns = List.copyOf(all);
    this.model = provider.model(spec, columns);
    this.predictors = provider.predictors(spec, columns.size());
    this.coefficients = List.copyOf(provider.coefficients(spec, columns));
    List<ConfiguredPrior> of = new ArrayList<>(other.priors);
    of.addAll(other.columns.size(), Collections.nCopies(more.size(), ConfiguredPrior.of("flat")));
    int at = 0;
    for (ScaleGroup group : groups) {
      double[] sds = group.sds(Arrays.copyOfRange(phi, at, at + group.parameters()));
      for (int i = 0; i < sds.length; i++) {
        of.set(group.coefficients()[i], ConfiguredPrior.of(new UnivariatePrior.Normal(0, sds[i])));
      }
      at += group.parameters();
    }
    this.priors = List.copyOf(of);
    this.prior = ProductPrior.of(priors()).about(other.prior.point());
    this.effectScales = other.effectScales;
    this.effectOrigins = other.effectOrigins;
    this.random = other.random;
    this.monotonic = other.monotonic;
  }

  /** Returns the monotonic effects; none unless the formula has such. */
  public List<MonotonicPrior.Effect> monotonic() {
    return monotonic;
  }

  /**
   * Returns the same model with the prior that chains draw from. Unless there are monotonic effects
   * it is this model. {@link #priors} and the mode have a smooth prior in place of theirs.
   */
  public ModelOfTable drawn() {
    return monotonic.isEmpty() ? this : with(prior.with(new MonotonicPrior(monotonic)));
  }

  /**
   * Returns the same model with effects as coefficients, given their scales: further columns come
   * after those of the table, and the coefficients of scale groups have the normal priors that φ
   * gives them.
   *
   * @param more the names of the further columns
   * @param phi of all groups. Not modified.
   */
  public ModelOfTable given(List<String> more, List<ScaleGroup> groups, double[] phi) {
    return new ModelOfTable(this, more, groups, phi);
  }

  /** Returns the same model with scales that are sampled: φ comes behind the elements of θ. */
  public ModelOfTable sampling(ScaledPrior scales) {
    List<UnivariatePrior> factors = new ArrayList<>(priors());
    scales
        .groups()
        .forEach(
            group ->
                Arrays.stream(group.coefficients())
                    .forEach(j -> factors.set(j, new UnivariatePrior.Flat())));
    factors.addAll(Collections.nCopies(scales.parameters(), new UnivariatePrior.Flat()));
    return with(ProductPrior.of(factors).about(prior.point()).times(scales));
  }

  /**
   * Returns the moments of a numeric label; with exposures, the moments of a rate, so that another
   * unit of the exposure moves the intercept and its prior alike. Null where they are not known.
   */
  private static @Nullable Moments labelOf(TableScale table, boolean isRate) {
    Moments label = table.label();
    Double exposure = table.exposure();
    if (label == null || !isRate) {
      return label;
    }
    return exposure == null ? null : new Moments(label.mean() / exposure, label.sd());
  }

  /** Returns whether θ is a square matrix, by rows, that may be kept orthonormal. */
  public boolean isMatrix() {
    return provider.isMatrix();
  }

  /** Returns the same model with another prior of θ, which only {@link #prior} returns. */
  public ModelOfTable with(ProductPrior other) {
    return new ModelOfTable(this, other, random);
  }

  /**
   * Returns the default prior of the standard deviation of effects of groups: see {@link
   * PriorConfig#RULE_SD}.
   *
   * @param column whose effects; −1 for the intercept's
   */
  public UnivariatePrior effectPrior(int column) {
    return effectPrior(column, TableEffects.Line.SAME);
  }

  /** Returns the default prior of the standard deviation of effects of a line of a column. */
  public UnivariatePrior effectPrior(int column, TableEffects.Line line) {
    double scale = effectScale(column) / Math.abs(line.scale());
    return new HalfPrior(new UnivariatePrior.StudentT(EFFECT_DF, 0, scale));
  }

  /** Returns the scale of {@link #effectPrior}. */
  public double effectScale(int column) {
    return effectScales[column < 0 ? effectScales.length - 1 : column];
  }

  /** Returns the scale of the default prior of the standard deviation of an effect. */
  double effectScale(TableEffects of, int effect) {
    return effectScale(of.column()[effect]) / Math.abs(of.lines().get(effect).scale());
  }

  /**
   * Returns the point of a column, or of a line of it, that priors of the effects of groups are
   * about: its mean, or 0 where the intercept's prior is about columns of 0 or there is none.
   */
  public double effectOrigin(int column, TableEffects.Line line) {
    boolean about = column >= 0 && !Double.isNaN(effectOrigins[column]);
    return about ? line.of(effectOrigins[column]) : 0;
  }

  /** Returns the same model, to whose linear predictor effects of groups are added. */
  public ModelOfTable withRandom(List<TableEffects> effects) {
    return new ModelOfTable(this, prior, List.copyOf(effects));
  }

  /** Returns the effects of groups; none unless the model has such. */
  public List<TableEffects> random() {
    return random;
  }

  /**
   * Returns the model.
   *
   * @param table what priors follow from, and the scale of its columns; null where they are about
   *     the columns as they are
   * @throws UserException (usage) if there is no such family, or a parameter is wrong
   */
  public static ModelOfTable of(
      FamilySpec spec, List<String> columns, PriorConfig priors, @Nullable TableScale table) {
    return of(spec, columns, priors, table, List.of());
  }

  /**
   * Returns the model.
   *
   * @param table what priors follow from, and the scale of its columns; null where they are about
   *     the columns as they are
   * @param monotonic the columns of monotonic effects
   * @throws UserException (usage) if there is no such family, or a parameter is wrong
   */
  public static ModelOfTable of(
      FamilySpec spec,
      List<String> columns,
      PriorConfig priors,
      @Nullable TableScale table,
      List<MonotonicColumns> monotonic) {
    Families families = Families.find();
    ModelProvider provider = families.named(spec.name());
    if (families.registered(spec.name()).isPresent()) {
      spec.requireOnly(provider.keys());
    }
    FamilySpec on = table == null ? spec : provider.on(spec, table);
    return new ModelOfTable(on, provider, List.copyOf(columns), priors, table, monotonic);
  }

  /** Returns the family's name and parameters, written in one way. */
  public FamilySpec spec() {
    return written;
  }

  /** Returns whether the family is a class of the user's. */
  public boolean isOwn() {
    return !provider.getClass().getName().startsWith("org.lampyris.");
  }

  /** Returns whether it is a {@linkplain ModelProvider#isProgram program}. */
  public boolean isProgram() {
    return provider.isProgram();
  }

  /** Returns the likelihood of a row. */
  public Model model() {
    return model;
  }

  /** Returns the model whose mode is sought, in a table of some rows: a smooth one. */
  public Model surrogate(long rows) {
    return provider.surrogate(spec, columns, rows).orElse(model);
  }

  /** Returns the family's starting point for the mode search, if it has one. */
  public double @Nullable [] start() {
    return provider.start(spec, columns);
  }

  /** Returns the names of the elements of θ. */
  public List<String> coefficients() {
    return coefficients;
  }

  /**
   * Returns the sampled parameter besides the coefficients of columns that, given as a number,
   * leaves a concave log-likelihood; empty if there is none.
   */
  public Optional<String> concaveGiven() {
    String last = coefficients.get(coefficients.size() - 1);
    if (coefficients.size() <= Math.max(columns.size(), predictors.coefficients())) {
      return Optional.empty();
    }
    try {
      boolean concave = provider.model(spec.with(last, 1.0), columns).isConcave();
      return concave ? Optional.of(last) : Optional.empty();
    } catch (UserException | IllegalArgumentException e) {
      return Optional.empty(); // no parameter of the family
    }
  }

  /** Returns whether D + 1 rows have the likelihood of all: see {@link ModelProvider}. */
  public boolean isLeastSquares() {
    return provider.isLeastSquares() && predictors.count() == 1;
  }

  /** Returns how many columns the table has. */
  public int columns() {
    return columns.size();
  }

  /** Returns the linear predictors of the model, whose coefficients come first in θ. */
  public Predictors predictors() {
    return predictors;
  }

  /**
   * Returns the elements of θ that are coefficients of a column, one for each linear predictor, for
   * every column but the intercept's.
   */
  public List<int[]> slopes() {
    return IntStream.range(0, predictors.count() == 0 ? 0 : columns.size())
        .filter(j -> !columns.get(j).equals(INTERCEPT))
        .mapToObj(
            j ->
                IntStream.range(0, predictors.count())
                    .map(p -> predictors.place(p, j))
                    .filter(place -> place >= 0)
                    .toArray())
        .toList();
  }

  /** Returns the prior density of each element of θ, as the sampler sees it. */
  public List<UnivariatePrior> priors() {
    return priors.stream().map(ConfiguredPrior::density).toList();
  }

  /**
   * Returns the prior of each reported coefficient, for the columns of the input; the intercept's
   * at the point in {@code model.intercept_at}.
   */
  public List<String> inputPriors() {
    return provider.reportedPriors(priors).stream().map(ConfiguredPrior::toString).toList();
  }

  /** Returns the prior of θ. */
  public ProductPrior prior() {
    return prior;
  }

  /** Returns the prior of θ, given scales about where they lie if some are sampled. */
  public ProductPrior priorGivenScales() {
    return prior.known() == prior.dimension() && prior.monotonic() == null
        ? prior
        : ProductPrior.of(priors()).about(prior.point());
  }

  /** Returns the different {@link SharedHorseshoe} priors that coefficients have. */
  public List<SharedHorseshoe> horseshoes() {
    return priors().stream()
        .filter(SharedHorseshoe.class::isInstance)
        .map(SharedHorseshoe.class::cast)
        .distinct()
        .toList();
  }

  /** Returns whether there is a lower bound, everywhere or in a ball about the mode. */
  public boolean hasBound(LaplaceApproximation laplace) {
    return bound(laplace).isPresent() || localBound(laplace, 1).isPresent();
  }

  /**
   * Returns the lower bound for a mode and covariance, if there is one that does not need a ball.
   */
  public Optional<LowerBound> bound(LaplaceApproximation laplace) {
    return provider.bound(spec, columns, laplace);
  }

  /**
   * Returns the lower bound that holds in a ball about the mode and is tighter for a smaller ball,
   * if the family has one. The radius is in posterior standard deviations.
   */
  public Optional<LowerBound> localBound(LaplaceApproximation laplace, double radius) {
    return provider.localBound(spec, columns, laplace, radius);
  }

  /** Returns the expected response of a row, if the model can predict. */
  public Optional<Expectation> expectation() {
    return provider.expectation(spec);
  }

  /**
   * Returns θ in the model's coordinates from a reported one: the inverse of {@link #toInput}.
   *
   * @throws UserException (usage) if the family cannot take it back
   */
  public double[] fromInput(double[] reported, ColumnCenters centers) {
    double[] theta = reported.clone();
    provider.restore(spec, theta, predictors.coefficients());
    moved(theta, centers::fromInput);
    double[] again = toInput(theta, centers);
    for (int j = 0; j < again.length; j++) {
      if (!(Math.abs(again[j] - reported[j]) <= TAKEN_BACK * (1 + Math.abs(reported[j])))) {
        throw UserException.usage(
            "the family %s reports %s with an extra scale or shift, which restore does not undo. Override restore in the class, as well as report."
                .formatted(spec.name(), coefficients.get(j)));
      }
    }
    return theta;
  }

  /**
   * Returns θ on the reported scale: coefficients of the input's columns, and scales themselves.
   */
  public double[] toInput(double[] theta, ColumnCenters centers) {
    double[] reported = theta.clone();
    moved(reported, centers::toInput);
    provider.report(spec, reported, predictors.coefficients());
    return reported;
  }

  /** Moves the coefficients of every linear predictor, which are modified. */
  private void moved(double[] theta, UnaryOperator<double[]> to) {
    for (int p = 0; p < predictors.count(); p++) {
      double[] one = to.apply(predictors.full(p, theta, 0));
      int[] of = predictors.columns(p);
      for (int i = 0; i < of.length; i++) {
        theta[predictors.start(p) + i] = one[of[i]];
      }
    }
  }
}
