package org.lampyris.driver.sample;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.Coefficients;
import org.lampyris.bounds.family.Family;
import org.lampyris.bounds.family.FamilyRegistry;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.dataprep.precompute.TableFacts;
import org.lampyris.driver.config.ModelConfig;
import org.lampyris.executors.table.TableSchema;

/**
 * The model that the configuration names, for a prepared table.
 *
 * @param family the likelihood, its bound, and the names of θ's elements
 * @param priors the prior of each element of θ, as the sampler sees it
 */
public record ModelOfTable(Family family, List<String> priors) {

  /** Copies the list. */
  public ModelOfTable {
    priors = List.copyOf(priors);
  }

  /**
   * Returns the model.
   *
   * @param config the section {@code model}
   * @param schema the prepared table
   * @param totalWeight the sum of the table's weights
   * @throws org.lampyris.bounds.error.UserException (usage) if the two do not go together
   */
  public static ModelOfTable of(ModelConfig config, TableSchema schema, double totalWeight) {
    config.requireLabel(schema.label());
    Family family = FamilyRegistry.family(spec(config), facts(schema, totalWeight).familyTable());
    Coefficients coefficients = family.coefficients();
    List<String> priors = config.priorsOf(coefficients, schema.columnNames());
    return new ModelOfTable(
        family,
        switch (config.priorScale()) {
          case STANDARDIZED -> priors;
          case INPUT ->
              ProductPrior.parse(priors)
                  .onInputScale(schema.coefficientScale(), coefficients.predictors())
                  .factors()
                  .stream()
                  .map(UnivariatePrior::toString)
                  .toList();
        });
  }

  /** Returns what is to be stored of a table with what is computed from it. */
  public static TableFacts facts(TableSchema schema, double totalWeight) {
    return new TableFacts(
        schema.fingerprint(),
        schema.columnNames(),
        schema.label().classes(),
        schema.rows(),
        totalWeight);
  }

  private static FamilySpec spec(ModelConfig config) {
    Map<String, String> parameters = new TreeMap<>(config.options());
    put(parameters, FamilyRegistry.DF, config.df());
    put(parameters, FamilyRegistry.SCALE, config.scale());
    put(parameters, FamilyRegistry.SIGMA, config.sigmaValue());
    put(parameters, FamilyRegistry.SHAPE, config.shape());
    put(parameters, FamilyRegistry.REFERENCE_CLASS, config.referenceClass());
    return new FamilySpec(config.family(), parameters);
  }

  private static void put(Map<String, String> parameters, String name, @Nullable Object value) {
    if (value != null) {
      parameters.put(name, value.toString());
    }
  }
}
