package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * A model in R's notation: {@code delayed ~ log(distance) + dow * hour + s(minute) + (1 |
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

  private static final int MOST_SHOWN = 200;

  /** Alternative to effects without correlations, for messages. */
  private static final String CORRELATED =
      "that is not available yet. The model (1 + x | g) also estimates the correlations. To keep"
          + " them near 0, write it with model.random: [{group: g, prior: {correlation: lkj(50)}}]";

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
    try {
      return parsed(text);
    } catch (StackOverflowError e) {
      throw UserException.usage(
          "model.formula \"%s\" has too many terms to be parsed. Name columns by a . or in data.features, or compute sums in data.query."
              .formatted(shown(text)),
          e);
    }
  }

  private static Formula parsed(String text) {
    Expression whole = FormulaParser.parse(text);
    if (!(whole instanceof Expression.Call call) || !call.is("~", 2)) {
      throw wrong(text, "it needs a ~ between the label and the terms");
    }
    List<Expression> offsets = new ArrayList<>();
    List<RandomTerm> random = new ArrayList<>();
    Expression fixed = fixed(text, call.second(), offsets, random);
    Set<String> groups = new HashSet<>();
    for (RandomTerm one : random) {
      if (!groups.add(one.group())) {
        throw wrong(
            text,
            "two terms have the group '%s', so their effects have no correlations; %s"
                .formatted(one.group(), CORRELATED));
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
    formula.requireFunctions();
    return formula;
  }

  /** Refuses unknown functions everywhere, and effects that cannot vary. */
  private void requireFunctions() {
    Terms terms = terms();
    terms.variables().forEach(one -> requireFunctions(one, text));
    requireSmooths(terms);
    requireNumber(response);
    if (offset != null) {
      requireNumber(offset);
    }
  }

  /** Refuses smooths that are multiplied, that come twice, or whose constant nothing stands for. */
  private void requireSmooths(Terms terms) {
    Set<String> labels = new HashSet<>();
    for (int t = 0; t < terms.terms().size(); t++) {
      for (int v : terms.terms().get(t).stream().toArray()) {
        Smooth smooth = Smooth.of(terms.variables().get(v), text);
        if (smooth == null) {
          continue;
        }
        if (terms.terms().get(t).cardinality() > 1) {
          throw wrong(
              text,
              "'%s' multiplies a smooth; write s(x, by = f) for a smooth by factor or number f, t2(x, z) for one of two numbers"
                  .formatted(terms.label(t)));
        }
        if (!labels.add(smooth.label())) {
          throw wrong(
              text, "two terms are the smooth %s; leave one of them out".formatted(smooth.label()));
        }
        if (smooth.margins().size() > 1 && !terms.intercept()) {
          throw wrong(
              text,
              "'%s' has no constant of its own and needs an intercept; leave 0 or -1 out"
                  .formatted(terms.label(t)));
        }
      }
    }
  }

  /**
   * Refuses effects that are not terms, and so have no mean to vary about.
   *
   * @throws UserException (usage) that says where to write it
   */
  public void requireEffects() {
    List<String> labels = termLabels();
    boolean all = namesIn(fixed).contains(ALL);
    for (RandomTerm one : random) {
      for (String effect : one.effects()) {
        if (!all && !effect.equals(INTERCEPT) && !labels.contains(effect)) {
          throw wrong(
              text,
              "'%s' varies by %s, but is no term outside the parentheses. Add it there too, as in %s"
                  .formatted(effect, one.group(), response + " ~ " + fixed + " + " + effect));
        }
      }
    }
  }

  private void requireNumber(Expression of) {
    if (!(of instanceof Expression.Name)) {
      Scalar.of(of, List.of(), text);
    }
  }

  private static void requireFunctions(Expression variable, String text) {
    if (variable instanceof Expression.Call call) {
      if (ModelFrame.FACTORS.contains(call.function())) {
        if (call.arguments().size() != 1 || !(call.first() instanceof Expression.Name)) {
          throw wrong(text, "'" + call + "' is not factor(x), x a column of numbers or text");
        }
        return;
      }
      Smooth smooth = Smooth.of(call, text);
      if (smooth != null) {
        smooth.margins().forEach(one -> Scalar.of(one.of(), List.of(), text));
        return;
      }
      Basis.Wish wish = Basis.Wish.of(call, text);
      Scalar.of(wish == null ? call : wish.of(), List.of(), text);
    }
  }

  /** Splits a sum, and returns its rest without offsets and groups, if any. */
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
    if (!(bar.second() instanceof Expression.Name group)) {
      throw notOneColumn(text, bar);
    }
    Terms terms = Terms.of(bar.first(), text);
    for (Expression variable : terms.variables()) {
      requireFunctions(variable, text);
      requireOneColumn(text, bar, variable);
    }
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
    if (bar.function().equals("||") && effects.size() > 1) {
      throw wrong(
          text, "(%s) requests effects without correlations; %s".formatted(bar, CORRELATED));
    }
    return new RandomTerm(group.name(), effects);
  }

  /** Refuses functions with several columns, because the term names none of them. */
  private static void requireOneColumn(String text, Expression.Call bar, Expression variable) {
    if (Smooth.is(variable)) {
      throw wrong(
          text,
          "'%s' cannot vary by a group, as in (%s); write s(x, by = g), a smooth for each level of g"
              .formatted(variable, bar));
    }
    Basis.Wish wish = variable instanceof Expression.Call call ? Basis.Wish.of(call, text) : null;
    if (wish != null && wish.size() > 1) {
      boolean name = wish.of() instanceof Expression.Name;
      String x = name ? wish.of().toString() : "(" + wish.of() + ")";
      String powers =
          IntStream.rangeClosed(1, wish.size())
              .mapToObj(k -> k > 1 ? "I(" + x + "^" + k + ")" : name ? x : "I" + x)
              .collect(Collectors.joining(" + "));
      throw wrong(
          text,
          "'%s' becomes %d columns, which cannot vary by a group as one term, as in (%s); %s"
              .formatted(
                  variable,
                  wish.size(),
                  bar,
                  wish.kind() == Basis.Kind.SPLINE
                      ? "let columns from data.query vary instead, or polynomials, such as x +"
                          + " I(x^2)"
                      : "write %s instead, inside the parentheses and outside, for the same curves with other coefficients"
                          .formatted(powers)));
    }
  }

  /** Explains how to write a group of several columns. */
  private static UserException notOneColumn(String text, Expression.Call bar) {
    List<String> names = List.copyOf(namesIn(bar.second()));
    if (names.size() < 2 || !(bar.second() instanceof Expression.Call call)) {
      return wrong(text, "the group in (%s) is no column; name one".formatted(bar));
    }
    List<String> groups = new ArrayList<>();
    List<String> columns = new ArrayList<>(List.of("*"));
    for (int k = call.is("/", 2) ? 1 : names.size(); k <= names.size(); k++) {
      List<String> first = names.subList(0, k);
      String group = new Expression.Name(String.join("_", first)).toString();
      groups.add("(" + bar.first() + " | " + group + ")");
      if (k > 1) {
        columns.add(
            first.stream()
                .map(name -> new Expression.Name(name).toString())
                .collect(Collectors.joining(", ':', ", "concat(", ") AS " + group)));
      }
    }
    return wrong(
        text,
        "the group in (%s) has several columns. Combine them, data.query: \"SELECT %s FROM input\", and write %s instead"
            .formatted(bar, String.join(", ", columns), String.join(" + ", groups)));
  }

  /** Returns the terms of the right-hand side; "." is still a variable. */
  Terms terms() {
    return Terms.of(fixed, text);
  }

  /** Returns the name of the label: a column, or the text of a computation. */
  public String label() {
    return response.label();
  }

  /** Returns the name of the offset: a column, or the text of a computation. */
  public Optional<String> offsetName() {
    return Optional.ofNullable(offset).map(Expression::label);
  }

  /** Returns whether there is an intercept. */
  public boolean intercept() {
    return terms().intercept();
  }

  /** Returns the labels of the terms in order, with "." unexpanded. */
  public List<String> termLabels() {
    Terms terms = terms();
    return IntStream.range(0, terms.terms().size()).mapToObj(terms::label).toList();
  }

  /** Returns a description, as comments of a configuration. */
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
        others.isEmpty()
            ? new Expression.Constant(1)
            : sum(others.stream().<Expression>map(Expression.Name::new).toList());
    Expression inner = new Expression.Call("(", all);
    return new Formula(
        text,
        response,
        fixed.with(name -> name.equals(new Expression.Name(ALL)) ? inner : name),
        offset,
        random);
  }

  /**
   * Returns the sum of expressions in order, as a shallow tree, because trees are walked
   * recursively.
   */
  private static Expression sum(List<Expression> of) {
    int half = of.size() / 2;
    return half == 0
        ? of.get(0)
        : new Expression.Call("+", sum(of.subList(0, half)), sum(of.subList(half, of.size())));
  }

  /** Returns the stored form of the terms, which {@link #parse} reads again. */
  String stored() {
    return response + " ~ " + fixed + (offset == null ? "" : " + offset(" + offset + ")");
  }

  /** Returns the columns from which features, the label and the offset are computed, except ".". */
  public Set<String> columns() {
    Set<String> names = ModelFrame.inputs(this, true);
    names.remove(ALL);
    return names;
  }

  /** Returns the columns of the terms, without effects of groups; empty if all are possible. */
  public Optional<Set<String>> termColumns() {
    Set<String> names = new LinkedHashSet<>();
    terms().variables().forEach(one -> names.addAll(ModelFrame.columnsIn(one)));
    return names.contains(ALL) ? Optional.empty() : Optional.of(names);
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
    return UserException.usage("model.formula \"%s\": %s.".formatted(shown(text), problem));
  }

  /** Returns a formula as messages show it. */
  static String shown(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }

  /**
   * A term {@code (effects | group)} of a formula: an entry of {@code model.random}.
   *
   * @param effects the coefficients that vary by group, named as coefficients are
   */
  public record RandomTerm(String group, List<String> effects) {
    /** Copies the list. */
    public RandomTerm {
      effects = List.copyOf(effects);
    }
  }
}
