package org.lampyris.bounds.family;

import java.util.Objects;
import java.util.Optional;
import org.lampyris.bounds.error.UserException;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.Model;

/**
 * A likelihood, the lower bound that goes with it if there is one that collapses, and what its
 * coefficients are called.
 *
 * @param spec what it was made from
 * @param model the likelihood of a row
 * @param bound its lower bound; empty if none is known, and then Firefly does not apply
 * @param coefficients the names of θ's elements
 */
public record Family(
    FamilySpec spec, Model model, Optional<LowerBound> bound, Coefficients coefficients) {

  /** Checks that the parts fit together. */
  public Family {
    Objects.requireNonNull(spec);
    int d = model.dimension();
    if (coefficients.dimension() != d) {
      throw new IllegalArgumentException(
          "the model has " + d + " coefficients and " + coefficients.dimension() + " names");
    }
    if (bound.isPresent() && bound.get().dimension() != d) {
      throw new IllegalArgumentException(
          "the model has " + d + " coefficients and its bound " + bound.get().dimension());
    }
  }

  /**
   * Returns a family of one's own with a bound.
   *
   * @param model the likelihood of a row
   * @param bound its lower bound
   * @param coefficients the names of θ's elements; {@link Coefficients#of} where they are those of
   *     the columns
   */
  public static Family of(Model model, LowerBound bound, Coefficients coefficients) {
    return new Family(
        FamilySpec.of(model.getClass().getName()), model, Optional.of(bound), coefficients);
  }

  /** Returns a family of one's own without a bound, for algorithms that read all rows. */
  public static Family of(Model model, Coefficients coefficients) {
    return new Family(
        FamilySpec.of(model.getClass().getName()), model, Optional.empty(), coefficients);
  }

  /**
   * Returns the lower bound for an algorithm that cannot do without.
   *
   * @param algorithm the algorithm's name in the configuration
   * @throws UserException (usage) if the family has none; the message says what applies
   */
  public LowerBound requireBound(String algorithm) {
    return bound.orElseThrow(() -> withoutBound(spec.name(), algorithm));
  }

  /** Returns the error that an algorithm needs a lower bound, and a family has none. */
  public static UserException withoutBound(String family, String algorithm) {
    return UserException.usage(
        "sampler.algorithm: "
            + algorithm
            + " needs a lower bound on the likelihood that is quadratic in the coefficients, and"
            + " the family "
            + family
            + " has none; choose sampler.algorithm: metropolis, which works with every family and"
            + " kernel.");
  }
}
