package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.lampyris.bounds.config.UserException;

/**
 * Terms of a right-hand side, each with the variables that it multiplies. The algebra follows
 * Wilkinson and Rogers (1973), as in R's {@code terms.formula}: terms in the order of their degree,
 * and those of one degree as written.
 *
 * @param variables as they appear
 * @param terms of each term the places of its variables
 * @param intercept whether there is one
 */
record Terms(List<Expression> variables, List<BitSet> terms, boolean intercept) {
  private static final int HIGHEST = 10;

  /** Operators between terms. All others, such as comparisons, make a variable of their own. */
  private static final Set<String> OPERATORS =
      Set.of("(", "+", "-", "*", "/", ":", "^", "%in%", "|", "||", "~");

  static Terms of(Expression rightHandSide, String text) {
    Builder builder = new Builder(text);
    builder.install(rightHandSide);
    List<BitSet> terms = builder.encode(rightHandSide);
    // Sorted by degree; the sort is stable.
    terms.removeIf(BitSet::isEmpty);
    terms.sort(Comparator.comparingInt(BitSet::cardinality));
    return new Terms(List.copyOf(builder.variables), List.copyOf(terms), builder.intercept);
  }

  /**
   * Returns whether a factor of a term is coded by contrasts rather than by a column for each
   * level: whether the rest of the term is empty, or contained in an earlier term.
   */
  boolean contrasts(int term, int variable) {
    BitSet margin = (BitSet) terms.get(term).clone();
    margin.clear(variable);
    for (int t = 0; t < term && !margin.isEmpty(); t++) {
      BitSet beyond = (BitSet) margin.clone();
      beyond.andNot(terms.get(t));
      if (beyond.isEmpty()) {
        return true;
      }
    }
    return margin.isEmpty();
  }

  /** Returns a term's label: its variables' labels, joined by colons. */
  String label(int term) {
    return terms.get(term).stream()
        .mapToObj(v -> variables.get(v).label())
        .collect(Collectors.joining(":"));
  }

  private static final class Builder {
    private final String text;
    private final List<Expression> variables = new ArrayList<>();
    private boolean intercept = true;

    /** Whether terms are added, not removed. */
    private boolean adds = true;

    Builder(String text) {
      this.text = text;
    }

    private static boolean isOperator(Expression.Call call) {
      return OPERATORS.contains(call.function());
    }

    /** Finds all variables in order, including those of removed terms. */
    void install(Expression of) {
      if (of instanceof Expression.Call call && isOperator(call)) {
        call.arguments().forEach(this::install);
      } else if (!(of instanceof Expression.Constant) && !variables.contains(of)) {
        variables.add(of);
      }
    }

    List<BitSet> encode(Expression of) {
      if (of instanceof Expression.Constant constant) {
        if (constant.value() != 0 && constant.value() != 1) {
          throw wrong("the number " + constant + " is not a term; 0 and 1 mean the intercept");
        }
        intercept = (constant.value() == 1) == adds;
        return new ArrayList<>();
      }
      if (!(of instanceof Expression.Call call) || !isOperator(call)) {
        BitSet one = new BitSet();
        one.set(variables.indexOf(of));
        return new ArrayList<>(List.of(one));
      }
      if (call.arguments().size() == 1) {
        return call.function().equals("-")
            ? without(List.of(), call.first())
            : encode(call.first());
      }
      return switch (call.function()) {
        case "+" -> distinct(encode(call.first()), encode(call.second()));
        case "-" -> without(encode(call.first()), call.second());
        case ":" -> products(encode(call.first()), encode(call.second()));
        case "*" -> {
          List<BitSet> left = encode(call.first());
          List<BitSet> right = encode(call.second());
          yield distinct(distinct(left, right), products(left, right));
        }
        case "/" -> {
          List<BitSet> left = encode(call.first());
          yield distinct(left, products(List.of(union(left)), encode(call.second())));
        }
        case "%in%" -> products(encode(call.first()), List.of(union(encode(call.second()))));
        case "^" -> power(call);
        default ->
            throw wrong(
                "'%s' is not a term; it means (effects | group) in parentheses, and (1 | id | g) is (1 | g)"
                    .formatted(of));
      };
    }

    private List<BitSet> power(Expression.Call call) {
      if (!(call.second() instanceof Expression.Constant degree)
          || !(degree.value() >= 1 && degree.value() <= HIGHEST)
          || degree.value() != Math.rint(degree.value())) {
        throw wrong(
            "in '%s', the power of terms must be a whole number from 1 to %d; the power of a number is I(%s)"
                .formatted(call, HIGHEST, call));
      }
      List<BitSet> base = encode(call.first());
      List<BitSet> power = base;
      for (int k = 1; k < degree.value(); k++) {
        power = products(power, base);
      }
      return power;
    }

    private List<BitSet> without(List<BitSet> terms, Expression taken) {
      adds = !adds;
      List<BitSet> away = encode(taken);
      adds = !adds;
      List<BitSet> left = new ArrayList<>(terms);
      left.removeAll(away);
      return left;
    }

    private static BitSet union(List<BitSet> terms) {
      BitSet union = new BitSet();
      terms.forEach(union::or);
      return union;
    }

    private static List<BitSet> products(List<BitSet> left, List<BitSet> right) {
      List<BitSet> all = new ArrayList<>();
      for (BitSet a : left) {
        for (BitSet b : right) {
          all.add(union(List.of(a, b)));
        }
      }
      return distinct(all, List.of());
    }

    private static List<BitSet> distinct(List<BitSet> left, List<BitSet> right) {
      List<BitSet> all = new ArrayList<>(left);
      all.addAll(right);
      return new ArrayList<>(all.stream().distinct().toList());
    }

    private UserException wrong(String problem) {
      return UserException.usage(
          "model.formula \"%s\": %s.".formatted(Formula.shown(text), problem));
    }
  }
}
