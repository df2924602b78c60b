package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.formula.Formula.RandomTerm;

/**
 * Terms {@code (effects | group)} of a formula, as lme4 and brms have them: {@code ||} for effects
 * without correlations, {@code a:b} for the combinations of two columns, {@code a/b} for {@code a}
 * and {@code a:b}. Effects of two terms with one group have no correlations.
 */
final class RandomTerms {
  private static final String INTERCEPT = "(Intercept)";

  private final String text;
  private final List<RandomTerm> all = new ArrayList<>();

  /** Of each group the effects so far. */
  private final Set<List<String>> seen = new HashSet<>();

  RandomTerms(String text) {
    this.text = text;
  }

  /** Returns whether an expression is such a term, in parentheses. */
  static boolean is(Expression of) {
    return of instanceof Expression.Call call
        && call.is("(", 1)
        && call.first() instanceof Expression.Call inner
        && (inner.is("|", 2) || inner.is("||", 2));
  }

  List<RandomTerm> all() {
    return all;
  }

  /**
   * Adds a term.
   *
   * @param of the parentheses
   * @throws UserException (usage) if it names no group, or nothing that can vary
   */
  void add(Expression.Call of) {
    Expression.Call bar = (Expression.Call) of.first();
    List<String> effects = effects(bar);
    // A single effect may be a factor, which has several columns.
    boolean alone = effects.equals(List.of("(Intercept)"));
    boolean correlated = bar.function().equals("|") || alone;
    for (String group : groups(bar)) {
      for (String effect : effects) {
        if (!seen.add(List.of(group, effect))) {
          throw Formula.wrong(
              text,
              "two terms let '%s' vary by '%s'; leave it out of one, for instance write (0 + x | %2$s)"
                  .formatted(effect, group));
        }
      }
      all.add(new RandomTerm(group, effects, correlated));
    }
  }

  private List<String> effects(Expression.Call bar) {
    Terms terms = Terms.of(bar.first(), text);
    for (Expression variable : terms.variables()) {
      Formula.requireFunctions(variable, text);
      if (Factor.isMonotonic(variable)) {
        throw Formula.wrong(
            text,
            "'%s' cannot vary by a group, as in (%s); write the column alone there, or ordered() of it"
                .formatted(variable, bar));
      }
      if (Smooth.is(variable)) {
        throw Formula.wrong(
            text,
            "'%s' cannot vary by a group, as in (%s); write s(x, by = g), a smooth for each level of g"
                .formatted(variable, bar));
      }
    }
    List<String> effects = new ArrayList<>();
    if (terms.intercept()) {
      effects.add(INTERCEPT);
    }
    for (int t = 0; t < terms.terms().size(); t++) {
      effects.add(terms.label(t));
    }
    if (effects.isEmpty()) {
      throw Formula.wrong(text, "nothing varies in (" + bar + "); write (1 | g), or leave it out");
    }
    return effects;
  }

  /** Returns the groups: columns, or several joined by colons. */
  private List<String> groups(Expression.Call bar) {
    Terms terms = Terms.of(bar.second(), text);
    if (terms.terms().isEmpty()) {
      throw Formula.wrong(text, "the group in (%s) is no column; name one".formatted(bar));
    }
    List<String> names = new ArrayList<>();
    for (Expression variable : terms.variables()) {
      String column = Factor.columnOf(variable);
      if (column == null && variable instanceof Expression.Call call) {
        throw UnknownFunction.isKnown(call.function())
            ? Formula.wrong(
                text,
                "the group '%s' in (%s) is no column; compute it in data.query and name the column"
                    .formatted(call, bar))
            : UnknownFunction.named(call.function(), ", as in '" + call + "'", text);
      }
      if (column == null) {
        throw Formula.wrong(text, "the group in (%s) is no column; name one".formatted(bar));
      }
      names.add(column);
    }
    return terms.terms().stream()
        .map(term -> String.join(":", term.stream().mapToObj(names::get).toList()))
        .toList();
  }
}
