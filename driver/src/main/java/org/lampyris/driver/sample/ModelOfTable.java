package org.lampyris.driver.sample;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.dataprep.precompute.Family;
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
   * @throws org.lampyris.bounds.config.UserException (usage) if the two do not go together
   */
  public static ModelOfTable of(ModelConfig config, TableSchema schema) {
    config.requireLabel(schema.label());
    List<String> columns = schema.columnNames();
    Family family = Family.of(spec(config, schema.label()), columns);
    int linear = family.predictors() * columns.size();
    List<String> priors =
        family.priors(config.priorsOf(family.coefficients(), columns, linear)::get);
    return new ModelOfTable(
        family,
        switch (config.priorScale()) {
          case STANDARDIZED -> priors;
          case INPUT ->
              ProductPrior.parse(priors)
                  .onInputScale(schema.coefficientScale(), family.predictors())
                  .factors()
                  .stream()
                  .map(UnivariatePrior::toString)
                  .toList();
        });
  }

  private static FamilySpec spec(ModelConfig config, TableSchema.Label label) {
    Map<String, String> parameters = new LinkedHashMap<>(config.options());
    put(parameters, "df", config.df());
    put(parameters, "scale", config.scale());
    put(parameters, "sigma", config.sigma());
    put(parameters, "shape", config.shape());
    put(parameters, "reference_class", config.referenceClass());
    // The two classes of a binary label are −1 and +1; a family has no use for their names.
    boolean named = label.kind() == TableSchema.LabelKind.CLASSES;
    return new FamilySpec(config.family(), parameters, named ? label.classes() : List.of());
  }

  private static void put(Map<String, String> parameters, String name, @Nullable Object value) {
    if (value != null) {
      parameters.put(name, value.toString());
    }
  }
}
