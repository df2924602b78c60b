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
import org.lampyris.dataprep.read.GroupKeys;

/**
 * A model in R's notation: {@code delayed ~ log(distance) + dow * hour + s(minute) + (1 |
 * carrier)}.
 *
 * @param text as it was written
 * @param left the left-hand side
 * @param fixed the right-hand side without offsets and effects of groups
 * @param offset the sum of what stands in {@code offset()}; null for none
 * @param random what varies by group
 */
public record Formula(
    String text,
    LeftSide left,
    Expression fixed,
    @Nullable Expression offset,
    List<RandomTerm> random) {
  private static final String INTERCEPT = "(Intercept)";

  private static final int MOST_SHOWN = 200;

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
    if (whole instanceof Expression.Call bf && bf.function().equals("bf")) {
      throw UnknownFunction.of(bf, text);
    }
    if (!(whole instanceof Expression.Call call) || !call.is("~", 2)) {
      throw wrong(text, "it needs a ~ between the label and the terms");
    }
    List<Expression> offsets = new ArrayList<>();
    RandomTerms random = new RandomTerms(text);
    Expression fixed = fixed(call.second(), offsets, random);
    Expression offset =
        offsets.stream().reduce((a, b) -> new Expression.Call("+", a, b)).orElse(null);
    Formula formula =
        new Formula(
            text,
            LeftSide.of(call.first(), text),
            fixed == null ? new Expression.Constant(1) : fixed,
            offset,
            random.all());
    formula.requireFunctions();
    return formula;
  }

  /** Refuses unknown functions everywhere, and effects that cannot vary. */
  private void requireFunctions() {
    Terms terms = terms();
    terms.variables().forEach(one -> requireFunctions(one, text));
    requireSmooths(terms);
    for (int t = 0; t < terms.terms().size(); t++) {
      if (terms.terms().get(t).stream()
              .filter(v -> Factor.isMonotonic(terms.variables().get(v)))
              .count()
          > 1) {
        throw wrong(
            text,
            "'%s' multiplies two monotonic effects; multiply one by ordered() of the other column, as in mo(x):ordered(z)"
                .formatted(terms.label(t)));
      }
    }
    besides().forEach(this::requireNumber);
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
    Set<String> labels = new HashSet<>(termLabels());
    labels.addAll(LinearColumn.all(text));
    boolean all = namesIn(fixed).contains(ALL);
    for (RandomTerm one : random) {
      for (String effect : one.effects()) {
        if (!all && !effect.equals(INTERCEPT) && !labels.contains(effect)) {
          throw wrong(
              text,
              "'%s' varies by %s, but is no term outside the parentheses. Add it there too, as in %s"
                  .formatted(
                      effect, one.group(), left.response() + " ~ " + fixed + " + " + effect));
        }
      }
    }
  }

  private void requireNumber(Expression of) {
    if (!(of instanceof Expression.Name)) {
      Scalar.of(of, Cells.UNKNOWN, text);
    }
  }

  /**
   * Refuses functions and arguments that there are not.
   *
   * @throws UserException (usage) that names what to write instead
   */
  static void requireFunctions(Expression variable, String text) {
    if (variable instanceof Expression.Name) {
      return;
    }
    Smooth smooth = Smooth.of(variable, text);
    if (smooth != null) {
      smooth.margins().forEach(one -> Scalar.of(one.of(), Cells.UNKNOWN, text));
      return;
    }
    if (Factor.of(variable, Cells.UNKNOWN, text) != null) {
      return;
    }
    Basis.Wish wish = variable instanceof Expression.Call call ? Basis.Wish.of(call, text) : null;
    Expression number = wish == null ? variable : wish.of();
    Scalar.of(number, Cells.UNKNOWN, text);
    if (wish != null && !Basis.Wish.within(number, text).isEmpty()) {
      throw wrong(
          text,
          "'%s' has a function within that depends on all rows; write the column instead"
              .formatted(variable));
    }
  }

  /** Splits a sum, and returns its rest without offsets and groups, if any. */
  private static @Nullable Expression fixed(
      Expression of, List<Expression> offsets, RandomTerms random) {
    if (of instanceof Expression.Call call && (call.is("+", 2) || call.is("-", 2))) {
      Expression left = fixed(call.first(), offsets, random);
      Expression right = call.is("-", 2) ? call.second() : fixed(call.second(), offsets, random);
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
    if (of instanceof Expression.Call call && RandomTerms.is(call)) {
      random.add(call);
      return null;
    }
    return of;
  }

  /** Returns whether it has a monotonic effect, mo(x). */
  public boolean isMonotonic() {
    return terms().variables().stream().anyMatch(Factor::isMonotonic);
  }

  /** Returns the smooths and the monotonic effects, as they are written. */
  public List<String> scaledTerms() {
    return terms().variables().stream()
        .filter(one -> Smooth.is(one) || Factor.isMonotonic(one))
        .map(Expression::label)
        .toList();
  }

  /** Returns the terms of the right-hand side; "." is still a variable. */
  Terms terms() {
    return Terms.of(fixed, text);
  }

  /** Returns the name of the label: a column, or the text of a computation. */
  public String label() {
    return left.response().label();
  }

  /** Returns the name of the number of trials: a column, or the text of a computation. */
  public Optional<String> trialsName() {
    return Optional.ofNullable(left.trials()).map(Expression::label);
  }

  /** Returns the name of the weights: a column, or the text of a computation. */
  public Optional<String> weightsName() {
    return Optional.ofNullable(left.weights()).map(Expression::label);
  }

  /** Returns the names of the label, the trials, the weights and the offset that are computed. */
  public Set<String> computed() {
    return besides().stream()
        .filter(one -> !(one instanceof Expression.Name))
        .map(Expression::label)
        .collect(Collectors.toSet());
  }

  /** Returns what is no term: the label, the trials, the weights and the offset. */
  List<Expression> besides() {
    List<Expression> all = new ArrayList<>(left.all());
    if (offset != null) {
      all.add(offset);
    }
    return all;
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
    trialsName().ifPresent(name -> lines.append("; trials ").append(name));
    weightsName().ifPresent(name -> lines.append("; weights ").append(name));
    offsetName().ifPresent(name -> lines.append("; offset ").append(name));
    for (RandomTerm one : random) {
      lines.append("; by ").append(one.group()).append(" vary ");
      lines.append(String.join(", ", one.effects()));
      lines.append(one.correlated() ? "" : ", without correlations");
    }
    return lines.append("\n").toString();
  }

  /**
   * Returns the formula with these columns for the ".", if it has one. Those of the left-hand side,
   * the offset and the groups are left out.
   */
  Formula over(List<String> columns) {
    Set<String> others = new LinkedHashSet<>(columns);
    besides().forEach(one -> others.removeAll(namesIn(one)));
    random.forEach(
        one -> {
          others.remove(one.group());
          others.removeAll(GroupKeys.parts(one.group()));
        });
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
        left,
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
    return left + " ~ " + fixed + (offset == null ? "" : " + offset(" + offset + ")");
  }

  /** Returns the columns from which features, the label and the offset are computed, except ".". */
  public Set<String> columns() {
    Set<String> names = new LinkedHashSet<>();
    terms().variables().forEach(one -> names.addAll(namesIn(one)));
    besides().forEach(one -> names.addAll(namesIn(one)));
    names.remove(ALL);
    return names;
  }

  /** Returns the columns of the terms, without effects of groups; empty if all are possible. */
  public Optional<Set<String>> termColumns() {
    Set<String> names = new LinkedHashSet<>();
    terms().variables().forEach(one -> names.addAll(namesIn(one)));
    return names.contains(ALL) ? Optional.empty() : Optional.of(names);
  }

  /** Returns the columns that are named in an expression. */
  static Set<String> namesIn(Expression of) {
    Set<String> names = new LinkedHashSet<>();
    addNames(of, names);
    return names;
  }

  private static void addNames(Expression of, Set<String> names) {
    if (of instanceof Expression.Name) {
      names.add(of.label());
    } else if (of instanceof Expression.Call call) {
      Arguments.ofColumns(call).forEach(one -> addNames(one, names));
    }
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
   * @param group a column, or several joined by colons
   * @param effects the coefficients that vary by group, named as coefficients or terms are
   * @param correlated whether they have correlations with each other
   */
  public record RandomTerm(String group, List<String> effects, boolean correlated) {
    /** Copies the list. */
    public RandomTerm {
      effects = List.copyOf(effects);
    }
  }
}
