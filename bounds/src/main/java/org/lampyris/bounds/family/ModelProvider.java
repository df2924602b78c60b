package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.Predictors;

/**
 * Family of likelihoods: its name, its keys, the label that it needs, its model and its lower
 * bounds. It is a public class with a public constructor without parameters, Lampyris's own as well
 * as a user's, on the class path of the driver and the executors ({@code --jars}).
 *
 * <p>The configuration names it ({@code model.family}) in one of two ways:
 *
 * <ul>
 *   <li>by its {@link #name}, if its jar registers it as a service, in {@code
 *       META-INF/services/org.lampyris.bounds.family.ModelProvider}. Its keys then stand in the
 *       section {@code model}, and {@link #read} reads them;
 *   <li>by its class, {@code com.acme.MyModel}. Its parameters are then what {@code model.options}
 *       holds, as text, and the label is what {@code model.label_kind} says.
 * </ul>
 *
 * <p>Throughout, {@code spec} is the family with its parameters, and {@code columns} are the names
 * of the table's columns, the intercept's included, in order.
 *
 * <p>A provider has no state: what the model depends on is in the spec. The model and the bound are
 * sent to the executors by Java's serialisation.
 *
 * <p>Only {@link #model} must be overridden. A complete family, a binary regression with the
 * complementary log-log link, which {@code model: {family: Cloglog, label_kind: binary}} samples
 * with every algorithm. Its likelihood is a formula, from which derivatives and bounds follow:
 *
 * <pre>{@code
 * public final class Cloglog extends DerivedLikelihood implements ModelProvider {
 *   @Override
 *   public Model model(FamilySpec spec, List<String> columns) {
 *     return new LinearModel(this, columns.size());
 *   }
 *
 *   @Override
 *   public Optional<LowerBound> localBound(
 *       FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
 *     return Optional.of(new LocalTaylorBound(this, laplace, radius));
 *   }
 *
 *   @Override
 *   public LabelKind label() {
 *     return LabelKind.BINARY;
 *   }
 *
 *   // P(y = 1) = 1 - exp(-exp(eta)); the labels are -1 and 1.
 *   @Override
 *   protected Term logLikelihood(Term eta, double y) {
 *     return y > 0 ? eta.exp().log1mExp() : eta.exp().negate();
 *   }
 * }
 * }</pre>
 */
public interface ModelProvider extends Serializable {
  /** Key of the column that is added to η, which is read for every family that lists it. */
  String OFFSET = "offset";

  /** Returns the name that the configuration has for the family: one word. */
  default String name() {
    return getClass().getName();
  }

  /** Returns the keys of the section {@code model} that are the family's. */
  default List<String> keys() {
    return List.of();
  }

  /**
   * Reads the family's keys and returns its parameters by key, defaults filled in: numbers as
   * {@code Double}, everything else as text. This is what the effective configuration shows.
   *
   * @throws UserException (usage) if a key is missing or wrong
   */
  default Map<String, Object> read(Section model) {
    return Map.of();
  }

  /** Returns the kind of label that the family needs. */
  default LabelKind label() {
    return LabelKind.REAL;
  }

  /**
   * Returns false if neither {@link #bound} nor {@link #localBound} ever returns a bound, so that
   * algorithms that need one are refused before the table is prepared.
   */
  default boolean hasBound() {
    return true;
  }

  /** Returns false if they never give one for these parameters. */
  default boolean hasBound(FamilySpec spec) {
    return hasBound();
  }

  /** Returns the default anchor of the untuned bounds, {@code precompute.anchor}. */
  default double anchor() {
    return 0;
  }

  /**
   * Returns whether it is a probabilistic program: it states its priors itself, has no likelihood
   * of a row in θ alone, and is sampled by {@code sampler.algorithm: program} only.
   */
  default boolean isProgram() {
    return false;
  }

  /** Returns whether the first elements of θ are the coefficients of the columns. */
  default boolean usesColumns() {
    return true;
  }

  /**
   * Refuses, before a table is read, columns that the family has no coefficients for.
   *
   * @param intercept whether there is a column of ones
   * @param terms the terms of {@code model.formula}, or the features that are named
   * @throws UserException (usage) that names the remedy
   */
  default void requireColumns(boolean intercept, List<String> terms) {}

  /** Returns whether there is one linear predictor, to which effects of groups can be added. */
  default boolean takesEffects() {
    return usesColumns() && label() != LabelKind.CLASSES;
  }

  /** Returns the name of the link between E[y] and the linear predictor; empty if there is none. */
  default String link() {
    return "";
  }

  /**
   * Returns whether θ is a square matrix, by rows, that may be kept orthonormal: the kernel {@code
   * stiefel} moves such.
   */
  default boolean isMatrix() {
    return false;
  }

  /**
   * Returns whether the likelihood depends on the rows through Σ w_n and Σ w_n (y_n − η_n)² alone,
   * so that {@link org.lampyris.bounds.model.LeastSquares} can reduce the table to D + 1 rows.
   */
  default boolean isLeastSquares() {
    return false;
  }

  /** Returns the names of the elements of θ that may follow the columns' coefficients. */
  default List<String> ownCoefficients() {
    return List.of();
  }

  /** Returns the column of the offset, if there is one. */
  default Optional<String> offset(FamilySpec spec) {
    return Optional.empty();
  }

  /** Returns the classes that a label of several classes may have; empty for those that occur. */
  default List<String> classes(FamilySpec spec) {
    return List.of();
  }

  /** Returns the parameter that only labels of 0 tell anything about, if there is one. */
  default Optional<String> zeros(FamilySpec spec) {
    return Optional.empty();
  }

  /** Returns the kind of label that the family needs with these parameters. */
  default LabelKind label(FamilySpec spec) {
    return label();
  }

  /** Returns the column with the times that intervals end at, if there is one. */
  default Optional<String> secondTime(FamilySpec spec) {
    return Optional.empty();
  }

  /**
   * Returns the column with the numbers of trials, or with the events of times, if there is one.
   */
  default Optional<String> trials(FamilySpec spec) {
    return Optional.empty();
  }

  /**
   * Returns the family with the parameters that follow from a table in place of {@link
   * PriorConfig#AUTO}.
   */
  default FamilySpec on(FamilySpec spec, TableScale table) {
    return spec;
  }

  /**
   * Returns the approximate location and spread of η, as far as the label shows them: the scale of
   * the prior {@link PriorConfig#AUTO}. A label on another scale than η shows nothing.
   *
   * @param label the label's moments; with an {@linkplain #offset offset} o and a logarithmic
   *     {@link #link} its mean is Σ y/Σ eᵒ, a rate, and those of a real label are the moments of y
   *     − o
   */
  default Moments predictorScale(FamilySpec spec, Moments label) {
    return Moments.STANDARD;
  }

  /** Returns the same of one of several linear predictors. */
  default Moments predictorScale(FamilySpec spec, Moments label, int predictor) {
    return predictorScale(spec, label);
  }

  /** Returns whether η has the label's unit, so that doubling the label doubles η. */
  default boolean isInLabelUnit(FamilySpec spec) {
    double once = predictorScale(spec, new Moments(1, 1)).sd();
    double twice = predictorScale(spec, new Moments(1, 2)).sd();
    return usesColumns() && once > 0 && twice == 2 * once;
  }

  /**
   * Returns the model.
   *
   * @throws UserException (usage) if a parameter is missing or wrong
   */
  Model model(FamilySpec spec, List<String> columns);

  /**
   * Returns a smooth model in the same θ whose mode and curvature stand for those of a model with
   * kinks; empty if the model is smooth itself.
   *
   * @param rows how many rows the table has
   */
  default Optional<Model> surrogate(FamilySpec spec, List<String> columns, long rows) {
    return Optional.empty();
  }

  /**
   * Returns a lower bound on the model's likelihood that collapses, if it has one: Firefly needs
   * it.
   */
  default Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.empty();
  }

  /**
   * Returns the lower bound given the Laplace approximation of the posterior, for bounds that hold
   * near the mode only.
   */
  default Optional<LowerBound> bound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace) {
    return bound(spec, columns);
  }

  /**
   * Returns a lower bound that holds in a ball about the mode and is tighter for it, if there is
   * one: {@code sampler.firefly.bound: local}. The radius is in posterior standard deviations, by
   * the Laplace approximation's covariance.
   */
  default Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.empty();
  }

  /**
   * Returns the number of linear predictors: θ starts with the coefficients of the columns, once
   * for each of them. Standardised columns are undone there.
   */
  default int predictors(FamilySpec spec) {
    return usesColumns() ? 1 : 0;
  }

  /** Returns the columns of each linear predictor, for tables of some number of columns. */
  default Predictors predictors(FamilySpec spec, int width) {
    return Predictors.all(width, predictors(spec));
  }

  /**
   * Returns the parameter that may have a linear predictor of its own, an {@link OwnFormula} in its
   * place; empty if none may.
   */
  default Optional<String> modelled() {
    return Optional.empty();
  }

  /**
   * Returns the names of the reported elements of θ: the columns' for one linear predictor and
   * nothing else; otherwise {@code theta1}, {@code theta2}, ….
   */
  default List<String> coefficients(FamilySpec spec, List<String> columns) {
    int d = model(spec, columns).dimension();
    return predictors(spec) == 1 && d == columns.size()
        ? columns
        : IntStream.rangeClosed(1, d).mapToObj(j -> "theta" + j).toList();
  }

  /** Returns the priors of the elements of θ, from the prior of a coefficient by its name. */
  default List<ConfiguredPrior> priors(
      FamilySpec spec, List<String> columns, Function<String, ConfiguredPrior> priorOf) {
    return coefficients(spec, columns).stream().map(priorOf).toList();
  }

  /**
   * Returns the priors of the reported elements, given {@link #priors}; they differ if a family
   * reports another sign.
   */
  default List<ConfiguredPrior> reportedPriors(List<ConfiguredPrior> priors) {
    return priors;
  }

  /**
   * Returns the starting point for the mode search; null to start at the priors' means, or at 0.
   */
  default double @Nullable [] start(FamilySpec spec, List<String> columns) {
    return null;
  }

  /**
   * Converts the elements of θ after the columns' coefficients to the reported scale, for instance
   * a logarithm to a scale. θ is modified.
   *
   * @param from the index of the first element after those coefficients
   */
  default void report(FamilySpec spec, double[] theta, int from) {}

  /**
   * Undoes {@link #report}: who overrides one overrides the other. θ is modified.
   *
   * @param from the index of the first element after those coefficients
   */
  default void restore(FamilySpec spec, double[] theta, int from) {}

  /** Returns the expected response of a row; empty if the model cannot predict. */
  default Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.empty();
  }

  /** Returns the spec with its parameters in canonical form, so that equivalent specs are equal. */
  default FamilySpec canonical(FamilySpec spec) {
    return spec;
  }

  /**
   * Reads a number above 0 that a family cannot do without.
   *
   * @throws UserException (usage) if it is missing, or is no such number
   */
  static double positive(Section model, String family, String key) {
    Double value = model.number(key, Interval.POSITIVE);
    if (value == null) {
      throw missing(model, family, key, "a number above 0, for instance " + key + ": 2");
    }
    return value;
  }

  /** Returns the error that a key is missing, with an example of its value. */
  static UserException missing(Section model, String family, String key, String remedy) {
    return UserException.usage(
        "%s: %s is missing. The family %s needs %s."
            .formatted(model.originOf("family"), model.name(key), family, remedy));
  }
}
