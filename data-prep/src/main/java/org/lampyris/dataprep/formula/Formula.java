package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * A model in R's notation: {@code delayed ~ log(distance) + dow * hour + s(minute, 8) + (1 |
 * carrier)}.
 *
 * @param text as it was written
 * @param response the left-hand side
 * @param fixed the right-hand side without offsets and effects of groups
 * @param offset the sum of what stands in {@code offset()}; null for none
 * @param random what varies by group
 */
public record Formula(
    String text,
    Expression response,
    Expression fixed,
    @Nullable Expression offset,
    List<RandomTerm> random) {
  private static final String INTERCEPT = "(Intercept)";

  /** Stands for all columns that have no other role. */
  static final String ALL = ".";

  /** Copies the list. */
  public Formula {
    random = List.copyOf(random);
  }

  /**
   * Reads a formula.
   *
   * @throws UserException (usage) that says where it goes wrong
   */
  public static Formula parse(String text) {
    Expression whole = FormulaParser.parse(text);
    if (!(whole instanceof Expression.Call call) || !call.is("~", 2)) {
      throw wrong(text, "it has no ~ with the label before it and the terms behind it");
    }
    List<Expression> offsets = new ArrayList<>();
    List<RandomTerm> random = new ArrayList<>();
    Expression fixed = fixed(text, call.second(), offsets, random);
    Set<String> groups = new HashSet<>();
    for (RandomTerm one : random) {
      if (!groups.add(one.group())) {
        throw wrong(
            text,
            "two terms are of the group '%s'; write what varies by it as one, such as (1 + x | %1$s)"
                .formatted(one.group()));
      }
    }
    Expression offset =
        offsets.stream().reduce((a, b) -> new Expression.Call("+", a, b)).orElse(null);
    if (call.first() instanceof Expression.Constant) {
      throw wrong(text, "the label before ~ is a number");
    }
    Formula formula =
        new Formula(
            text, call.first(), fixed == null ? new Expression.Constant(1) : fixed, offset, random);
    formula.terms();
    return formula;
  }

  /** Takes a sum apart, and returns what is left of it without offsets and groups, if anything. */
  private static @Nullable Expression fixed(
      String text, Expression of, List<Expression> offsets, List<RandomTerm> random) {
    if (of instanceof Expression.Call call && (call.is("+", 2) || call.is("-", 2))) {
      Expression left = fixed(text, call.first(), offsets, random);
      Expression right =
          call.is("-", 2) ? call.second() : fixed(text, call.second(), offsets, random);
      if (right == null) {
        return left;
      }
      return left == null && call.is("+", 2)
          ? right
          : new Expression.Call(
              call.function(), left == null ? new Expression.Constant(1) : left, right);
    }
    if (of instanceof Expression.Call call && call.is("offset", 1)) {
      offsets.add(call.first());
      return null;
    }
    if (of instanceof Expression.Call call
        && call.is("(", 1)
        && call.first() instanceof Expression.Call inner
        && (inner.is("|", 2) || inner.is("||", 2))) {
      random.add(random(text, inner));
      return null;
    }
    return of;
  }

  private static RandomTerm random(String text, Expression.Call bar) {
    if (bar.function().equals("||")) {
      throw wrong(
          text,
          "effects of a group that are not correlated, (%s), cannot be had; write | for ||"
              .formatted(bar));
    }
    if (!(bar.second() instanceof Expression.Name group)) {
      throw wrong(
          text,
          "the group in (%s) is not one column; make a column of it in data.query".formatted(bar));
    }
    Terms terms = Terms.of(bar.first(), text);
    List<String> effects = new ArrayList<>();
    if (terms.intercept()) {
      effects.add(INTERCEPT);
    }
    for (int t = 0; t < terms.terms().size(); t++) {
      effects.add(terms.label(t));
    }
    if (effects.isEmpty()) {
      throw wrong(text, "nothing varies in (" + bar + ")");
    }
    return new RandomTerm(group.name(), effects);
  }

  /** Returns what the right-hand side comes to; "." is a variable yet. */
  Terms terms() {
    return Terms.of(fixed, text);
  }

  /** Returns the name of the label: a column, or the text of what is computed. */
  public String label() {
    return response.label();
  }

  /** Returns the name of the offset: a column, or the text of what is computed. */
  public Optional<String> offsetName() {
    return Optional.ofNullable(offset).map(Expression::label);
  }

  /** Returns whether there is an intercept. */
  public boolean intercept() {
    return terms().intercept();
  }

  /** Returns the labels of the terms in their order, "." as it stands. */
  public List<String> termLabels() {
    Terms terms = terms();
    return IntStream.range(0, terms.terms().size()).mapToObj(terms::label).toList();
  }

  /** Returns what it says, as comments of a configuration. */
  public String described() {
    List<String> terms = new ArrayList<>(intercept() ? List.of(INTERCEPT) : List.of());
    terms.addAll(termLabels());
    StringBuilder lines = new StringBuilder("# model.formula: label " + label());
    lines.append("; terms ").append(String.join(", ", terms));
    offsetName().ifPresent(name -> lines.append("; offset ").append(name));
    for (RandomTerm one : random) {
      lines.append("; by ").append(one.group()).append(" vary ");
      lines.append(String.join(", ", one.effects()));
    }
    return lines.append("\n").toString();
  }

  /**
   * Returns the formula with these columns for the ".", if it has one. Those of the left-hand side,
   * the offset and the groups are left out.
   */
  Formula over(List<String> columns) {
    Set<String> others = new LinkedHashSet<>(columns);
    others.removeAll(namesIn(response));
    if (offset != null) {
      others.removeAll(namesIn(offset));
    }
    random.forEach(one -> others.remove(one.group()));
    if (!namesIn(fixed).contains(ALL)) {
      return this;
    }
    Expression all =
        others.stream()
            .<Expression>map(Expression.Name::new)
            .reduce((a, b) -> new Expression.Call("+", a, b))
            .orElse(new Expression.Constant(1));
    Expression inner = new Expression.Call("(", all);
    return new Formula(
        text,
        response,
        fixed.with(name -> name.equals(new Expression.Name(ALL)) ? inner : name),
        offset,
        random);
  }

  /** Returns the terms as they are stored, from which {@link #parse} makes them again. */
  String stored() {
    return response + " ~ " + fixed + (offset == null ? "" : " + offset(" + offset + ")");
  }

  /** Returns the columns that are named in an expression. */
  static Set<String> namesIn(Expression of) {
    Set<String> names = new LinkedHashSet<>();
    of.with(
        name -> {
          names.add(name.label());
          return name;
        });
    return names;
  }

  static UserException wrong(String text, String problem) {
    return UserException.usage("model.formula \"%s\": %s.".formatted(text, problem));
  }
}
