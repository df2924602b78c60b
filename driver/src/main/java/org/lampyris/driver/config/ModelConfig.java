package org.lampyris.driver.config;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.lampyris.bounds.error.UserException;

/**
 * The section {@code model}.
 *
 * @param family the likelihood
 * @param prior the prior of every coefficient that {@code priors} does not name
 * @param priors priors by the coefficient's name, as it is reported
 */
public record ModelConfig(Family family, String prior, Map<String, String> priors) {

  /** The likelihoods that this version offers. */
  public enum Family {
    /** y in {−1, +1}, log L = log σ(y·xᵀθ). */
    LOGISTIC
  }

  private static final String[] LATER = {"softmax", "robust", "gaussian", "gamma", "poisson"};

  static ModelConfig read(Section root, Consumer<String> priorCheck) {
    Section section = root.section("model", "family", "prior", "priors");
    return new ModelConfig(
        section.choice("family", Family.LOGISTIC, LATER),
        prior(section, "prior", section.text("prior", "normal(0, 2.5)"), priorCheck),
        section.map(
            "priors",
            (parent, name) -> {
              String text = parent.text(name);
              if (text == null) {
                throw parent.wrong(name, "a prior, for instance normal(0, 2.5)");
              }
              return prior(parent, name, text, priorCheck);
            }));
  }

  private static String prior(
      Section section, String key, String text, Consumer<String> priorCheck) {
    return section.checked(
        key,
        t -> {
          priorCheck.accept(t);
          return t;
        },
        text);
  }

  /**
   * Returns the prior of each coefficient.
   *
   * @param coefficients the names of the coefficients, in order
   * @throws UserException if {@link #priors()} names one that does not exist
   */
  public List<String> priorsOf(List<String> coefficients) {
    for (String name : priors.keySet()) {
      if (!coefficients.contains(name)) {
        throw UserException.usage(
            "model.priors names \""
                + name
                + "\", which is no coefficient of the prepared table; "
                + NearestName.of(name, coefficients)
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("its coefficients are " + shortened(coefficients) + "."));
      }
    }
    return coefficients.stream().map(name -> priors.getOrDefault(name, prior)).toList();
  }

  private static String shortened(List<String> names) {
    int shown = Math.min(names.size(), 12);
    return String.join(", ", names.subList(0, shown)) + (shown < names.size() ? ", …" : "");
  }
}
