package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Left-hand side of a formula: {@code y}, {@code log(y)}, {@code cbind(successes, failures)}, or
 * with brms's additions {@code k | trials(n) + weights(w)}.
 *
 * @param response the label
 * @param trials the number of trials; null for none
 * @param weights the weights of rows; null for none
 */
record LeftSide(Expression response, @Nullable Expression trials, @Nullable Expression weights) {
  /**
   * Reads it.
   *
   * @throws UserException (usage) if it is none
   */
  static LeftSide of(Expression written, String text) {
    if (written instanceof Expression.Call call && call.is("|", 2)) {
      LeftSide side = of(call.first(), text);
      for (Expression one : sum(call.second())) {
        side = side.with(one, text);
      }
      return side;
    }
    if (written instanceof Expression.Call call && call.function().equals("cbind")) {
      if (call.arguments().size() != 2) {
        throw Formula.wrong(
            text, "'%s' is not cbind(successes, failures) of two columns".formatted(call));
      }
      return new LeftSide(call.first(), trials(call.first(), call.second()), null);
    }
    String column = Factor.columnOf(written);
    if (column != null && written instanceof Expression.Call call && call.arguments().size() == 1) {
      // The label's classes are its levels in any case.
      return new LeftSide(new Expression.Name(column), null, null);
    }
    if (written instanceof Expression.Constant || written instanceof Expression.Literal) {
      throw Formula.wrong(text, "the label before ~ is a number");
    }
    if (column != null && written instanceof Expression.Call) {
      throw Formula.wrong(
          text,
          "'%s' reorders the label's classes; write %s before ~ and set data.positive or model.order"
              .formatted(written, new Expression.Name(column)));
    }
    return new LeftSide(written, null, null);
  }

  /** Returns n for {@code cbind(k, n - k)}, and k + m for {@code cbind(k, m)}. */
  private static Expression trials(Expression successes, Expression failures) {
    return failures instanceof Expression.Call call
            && call.is("-", 2)
            && call.second().equals(successes)
        ? call.first()
        : new Expression.Call("+", successes, failures);
  }

  private static List<Expression> sum(Expression of) {
    if (of instanceof Expression.Call call && call.is("+", 2)) {
      List<Expression> all = new ArrayList<>(sum(call.first()));
      all.addAll(sum(call.second()));
      return all;
    }
    return List.of(of);
  }

  private LeftSide with(Expression addition, String text) {
    if (addition instanceof Expression.Call call && call.arguments().size() == 1) {
      if (call.is("trials", 1) && trials == null) {
        return new LeftSide(response, call.first(), weights);
      }
      if (call.is("weights", 1) && weights == null) {
        return new LeftSide(response, trials, call.first());
      }
    }
    if (addition instanceof Expression.Call call
        && !call.is("trials", 1)
        && !call.is("weights", 1)
        && !Expression.SPACED.contains(call.function())) {
      throw UnknownFunction.named(call.function(), ", as in '" + call + "'", text);
    }
    throw Formula.wrong(
        text,
        "'%s' behind | is not trials(n) or weights(w), each once, as in k | trials(n) + weights(w) ~ x"
            .formatted(addition));
  }

  /** Returns the label, trials and weights that there are. */
  List<Expression> all() {
    return Stream.of(response, trials, weights).filter(Objects::nonNull).toList();
  }

  @Override
  public String toString() {
    List<String> additions = new ArrayList<>();
    if (trials != null) {
      additions.add("trials(" + trials + ")");
    }
    if (weights != null) {
      additions.add("weights(" + weights + ")");
    }
    return response + (additions.isEmpty() ? "" : " | " + String.join(" + ", additions));
  }
}
