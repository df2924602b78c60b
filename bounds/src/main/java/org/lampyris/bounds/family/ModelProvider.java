package org.lampyris.bounds.family;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.Model;

/**
 * Makes the model of a family. Lampyris's own families are providers; a user's is a public class
 * with a public constructor without parameters, named in the configuration ({@code model.family:
 * com.acme.MyModel}) and found on the class path of the driver and the executors ({@code --jars}).
 *
 * <p>A provider has no state: what the model depends on is in the spec. The model and the bound are
 * sent to the executors by Java's serialisation.
 */
public interface ModelProvider {

  /**
   * Returns the model.
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns, the intercept's included, in order
   * @throws UserException (usage) if a parameter is missing or wrong
   */
  Model model(FamilySpec spec, List<String> columns);

  /**
   * Returns a lower bound on the model's likelihood that collapses, if it has one: Firefly needs
   * it.
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns
   */
  default Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return Optional.empty();
  }

  /**
   * Returns the lower bound where the Laplace approximation of the posterior is known, for bounds
   * that hold in its neighbourhood only.
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns
   * @param laplace the approximation
   */
  default Optional<LowerBound> bound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace) {
    return bound(spec, columns);
  }

  /**
   * Returns a lower bound that holds in a ball about the mode and makes use of that, if there is
   * one: {@code sampler.firefly.bound: local}.
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns
   * @param laplace the Laplace approximation, whose covariance is the ball's metric
   * @param radius the ball's radius, in posterior standard deviations
   */
  default Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.empty();
  }

  /**
   * Returns how many linear predictors the model has: θ begins with the coefficients of the
   * columns, once for each of them. Standardised columns are undone there.
   */
  default int predictors(FamilySpec spec) {
    return 1;
  }

  /**
   * Returns the names of the elements of θ, as they are reported: the columns' for one linear
   * predictor and nothing else; otherwise {@code theta1}, {@code theta2}, ….
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns
   */
  default List<String> coefficients(FamilySpec spec, List<String> columns) {
    int d = model(spec, columns).dimension();
    return predictors(spec) == 1 && d == columns.size()
        ? columns
        : IntStream.rangeClosed(1, d).mapToObj(j -> "theta" + j).toList();
  }

  /**
   * Returns the priors of the elements of θ, as {@link org.lampyris.bounds.prior.PriorParser} reads
   * them.
   *
   * @param spec the family with its parameters
   * @param columns the names of the table's columns
   * @param priorOf gives the configured prior of a coefficient by its name
   */
  default List<String> priors(
      FamilySpec spec, List<String> columns, UnaryOperator<String> priorOf) {
    return new ArrayList<>(coefficients(spec, columns)).stream().map(priorOf).toList();
  }

  /**
   * Turns what follows the columns' coefficients in θ into what is reported, for instance a
   * logarithm into a scale.
   *
   * @param spec the family with its parameters
   * @param theta θ with the columns' coefficients on the input's scale; from {@code from} on it may
   *     be changed. Modified.
   * @param from the index after the columns' coefficients
   */
  default void report(FamilySpec spec, double[] theta, int from) {}

  /**
   * Returns the spec with its parameters written in one way, so that two that say the same are
   * equal.
   */
  default FamilySpec canonical(FamilySpec spec) {
    return spec;
  }
}
