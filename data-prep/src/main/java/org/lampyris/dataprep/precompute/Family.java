package org.lampyris.dataprep.precompute;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.Laplace;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.bounds.family.Providers;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.scale.CoefficientScale;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.optimize.MapFit;

/** A family for the columns of a table. */
public final class Family {
  private final FamilySpec spec;
  private final ModelProvider provider;
  private final List<String> columns;
  private final Model model;
  private final List<String> coefficients;

  private Family(FamilySpec spec, ModelProvider provider, List<String> columns) {
    this.spec = spec;
    this.provider = provider;
    this.columns = columns;
    this.model = provider.model(spec, columns);
    this.coefficients = List.copyOf(provider.coefficients(spec, columns));
    if (coefficients.size() != model.dimension()) {
      throw UserException.usage(
          "model.family "
              + spec.name()
              + " has a model of "
              + model.dimension()
              + " coefficients and "
              + coefficients.size()
              + " names for them; correct the class.");
    }
    if (new HashSet<>(coefficients).size() < coefficients.size()) {
      throw UserException.usage(
          "two coefficients of the family "
              + spec.name()
              + " have the same name, of "
              + String.join(", ", coefficients.subList(0, Math.min(12, coefficients.size())))
              + "; rename the column in data.query.");
    }
  }

  /**
   * Returns a family.
   *
   * @param spec its name and parameters
   * @param columns the names of the table's columns
   * @throws UserException (usage) if there is no such family, or a parameter is wrong
   */
  public static Family of(FamilySpec spec, List<String> columns) {
    ModelProvider provider = Providers.named(spec.name());
    return new Family(provider.canonical(spec), provider, List.copyOf(columns));
  }

  /** Returns the name and the parameters, written in one way. */
  public FamilySpec spec() {
    return spec;
  }

  /** Returns the likelihood of a row. */
  public Model model() {
    return model;
  }

  /** Returns the names of the elements of θ. */
  public List<String> coefficients() {
    return coefficients;
  }

  /** Returns how many linear predictors the model has. */
  public int predictors() {
    return provider.predictors(spec);
  }

  /**
   * Returns the priors of the elements of θ.
   *
   * @param priorOf gives the configured prior of a coefficient by its name
   */
  public List<String> priors(UnaryOperator<String> priorOf) {
    return provider.priors(spec, columns, priorOf);
  }

  /** Returns the lower bound, if there is one, for the mode and covariance that were found. */
  public Optional<LowerBound> bound(MapFit fit) {
    return provider.bound(spec, columns, new Laplace(fit.theta(), fit.covariance()));
  }

  /**
   * Returns the lower bound that holds in a ball about the mode and is the tighter the smaller the
   * ball is, if the family has one.
   *
   * @param fit the mode and covariance that were found
   * @param radius of the ball, in posterior standard deviations
   */
  public Optional<LowerBound> localBound(MapFit fit, double radius) {
    return provider.localBound(spec, columns, new Laplace(fit.theta(), fit.covariance()), radius);
  }

  /**
   * Returns the lower bound for an algorithm that cannot do without.
   *
   * @param fit the mode and covariance that were found
   * @param algorithm the algorithm's name in the configuration
   * @throws UserException (usage) if the family has none; the message says what applies
   */
  public LowerBound requireBound(MapFit fit, String algorithm) {
    return bound(fit).orElseThrow(() -> withoutBound(spec.name(), algorithm));
  }

  /** Returns the error that an algorithm needs a lower bound, and a family has none. */
  public static UserException withoutBound(String family, String algorithm) {
    return UserException.usage(
        "sampler.algorithm: "
            + algorithm
            + " needs a lower bound on the likelihood that is quadratic in the coefficients, and"
            + " the family "
            + family
            + " has none; choose sampler.algorithm: "
            + SamplingAlgorithm.withoutNeeds()
            + ", which works with every family and kernel.");
  }

  /**
   * Returns θ as it is reported: coefficients of the input's columns, scales themselves.
   *
   * @param theta θ. Not modified.
   * @param scale the columns' scale
   */
  public double[] toInput(double[] theta, CoefficientScale scale) {
    double[] reported = theta.clone();
    int width = scale.dimension();
    double[] one = new double[width];
    int predictors = predictors();
    for (int k = 0; k < predictors; k++) {
      System.arraycopy(theta, k * width, one, 0, width);
      System.arraycopy(scale.toInput(one), 0, reported, k * width, width);
    }
    provider.report(spec, reported, predictors * width);
    return reported;
  }
}
