package org.lampyris.driver.question;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Question about the draws of a run: a quantity, or a comparison of two.
 *
 * @param text as it was written
 * @param quantity what is estimated; of a comparison the left side minus the right side
 * @param relation how that difference compares with 0; null if nothing is compared
 */
record Hypothesis(String text, Quantity quantity, @Nullable Relation relation) {
  /** Relation of a difference to 0. */
  enum Relation {
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    EQUAL("=");

    private final String symbol;

    Relation(String symbol) {
      this.symbol = symbol;
    }

    /** Returns whether a difference has this relation to 0. */
    boolean holds(double difference) {
      return switch (this) {
        case LESS -> difference < 0;
        case LESS_OR_EQUAL -> difference <= 0;
        case GREATER -> difference > 0;
        case GREATER_OR_EQUAL -> difference >= 0;
        case EQUAL -> difference == 0;
      };
    }
  }

  /** Relations in the order in which they are looked for: the longer symbols first. */
  private static final Relation[] ORDER = {
    Relation.LESS_OR_EQUAL,
    Relation.GREATER_OR_EQUAL,
    Relation.LESS,
    Relation.GREATER,
    Relation.EQUAL
  };

  /**
   * Parses a hypothesis.
   *
   * @param parameters the names of the parameters of the draws
   * @throws UserException (usage) that names what is wrong with the text
   */
  static Hypothesis parse(String text, Collection<String> parameters) {
    return parse(text, parameters, List.of());
  }

  /**
   * Parses a hypothesis.
   *
   * @param references the levels without a coefficient, which the message names
   */
  static Hypothesis parse(
      String text, Collection<String> parameters, Collection<String> references) {
    QuantityParser parser = new QuantityParser(text, parameters, references);
    Quantity left = parser.sum();
    Relation relation = null;
    for (Relation one : ORDER) {
      if (relation == null && parser.take(one.symbol)) {
        relation = one;
        if (one == Relation.EQUAL) {
          parser.take("="); // R's own ==
        }
      }
    }
    Quantity all = relation == null ? left : new Quantity.Binary("-", left, parser.sum());
    String rest = parser.rest();
    if (rest != null) {
      throw parser.wrong(
          "'%s' does not continue it. Write one quantity, or one comparison with <, > or ="
              .formatted(rest));
    }
    if (all.parameters().isEmpty()) {
      throw parser.wrong("it names no parameter of the draws. Name one");
    }
    return new Hypothesis(text, all, relation);
  }
}
