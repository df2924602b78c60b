package org.lampyris.driver.question;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.lampyris.bounds.numeric.StableMath;

/** Number that is computed from the parameters of a draw. */
sealed interface Quantity {
  /** Functions of one number; {@code neg} is the minus sign before a number. */
  Map<String, DoubleUnaryOperator> UNARY =
      Map.ofEntries(
          Map.entry("neg", x -> -x),
          Map.entry("abs", Math::abs),
          Map.entry("exp", Math::exp),
          Map.entry("expm1", Math::expm1),
          Map.entry("inv_logit", StableMath::sigmoid),
          Map.entry("log", Math::log),
          Map.entry("log10", Math::log10),
          Map.entry("log1p", Math::log1p),
          Map.entry("log2", x -> Math.log(x) / Math.log(2)),
          Map.entry("logit", p -> Math.log(p) - Math.log1p(-p)),
          Map.entry("sqrt", Math::sqrt));

  /** Operators, and functions of two numbers. */
  Map<String, DoubleBinaryOperator> BINARY =
      Map.of(
          "+", Double::sum,
          "-", (a, b) -> a - b,
          "*", (a, b) -> a * b,
          "/", (a, b) -> a / b,
          "^", Math::pow,
          "max", Math::max,
          "min", Math::min);

  /** A number that is the same in all draws. */
  record Constant(double value) implements Quantity {
    @Override
    public double of(ToDoubleFunction<String> theta) {
      return value;
    }
  }

  /** A parameter, by its name in the draws. */
  record Parameter(String name) implements Quantity {
    @Override
    public double of(ToDoubleFunction<String> theta) {
      return theta.applyAsDouble(name);
    }
  }

  /** A function of one number. */
  record Unary(String function, Quantity x) implements Quantity {
    @Override
    public double of(ToDoubleFunction<String> theta) {
      return operator().applyAsDouble(x.of(theta));
    }

    private DoubleUnaryOperator operator() {
      return java.util.Objects.requireNonNull(UNARY.get(function));
    }
  }

  /** An operator, or a function of two numbers. */
  record Binary(String function, Quantity a, Quantity b) implements Quantity {
    @Override
    public double of(ToDoubleFunction<String> theta) {
      return operator().applyAsDouble(a.of(theta), b.of(theta));
    }

    private DoubleBinaryOperator operator() {
      return java.util.Objects.requireNonNull(BINARY.get(function));
    }
  }

  /** Returns the number. NaN if it is not defined, as the logarithm of a negative number. */
  double of(ToDoubleFunction<String> theta);

  /** Returns the names of the parameters, in the order of the text. */
  default Set<String> parameters() {
    Set<String> names = new LinkedHashSet<>();
    collect(names);
    return names;
  }

  private void collect(Set<String> names) {
    if (this instanceof Parameter parameter) {
      names.add(parameter.name);
    } else if (this instanceof Unary unary) {
      unary.x.collect(names);
    } else if (this instanceof Binary binary) {
      binary.a.collect(names);
      binary.b.collect(names);
    }
  }

  /**
   * Weighted sum of parameters, constant + Σ w_j θ_j.
   *
   * @param weights by the parameters' names; none is 0
   */
  record Affine(double constant, Map<String, Double> weights) {
    private static Affine sum(Affine a, double factor, Affine b) {
      Map<String, Double> weights = new LinkedHashMap<>(a.weights);
      b.weights.forEach((name, w) -> weights.merge(name, factor * w, Double::sum));
      weights.values().removeIf(w -> w == 0);
      return new Affine(a.constant + factor * b.constant, weights);
    }

    private Affine times(double factor) {
      return sum(new Affine(0, Map.of()), factor, this);
    }
  }

  /** Returns this quantity as a weighted sum of parameters; empty if it is none. */
  default Optional<Affine> affine() {
    if (this instanceof Constant constant) {
      return Optional.of(new Affine(constant.value, Map.of()));
    }
    if (this instanceof Parameter parameter) {
      return Optional.of(new Affine(0, Map.of(parameter.name, 1.0)));
    }
    if (this instanceof Unary unary) {
      Optional<Affine> x = unary.x.affine();
      if (unary.function.equals("neg")) {
        return x.map(of -> of.times(-1));
      }
      return x.filter(of -> of.weights.isEmpty())
          .map(of -> new Affine(unary.operator().applyAsDouble(of.constant), Map.of()));
    }
    Binary binary = (Binary) this;
    Affine a = binary.a.affine().orElse(null);
    Affine b = binary.b.affine().orElse(null);
    if (a == null || b == null) {
      return Optional.empty();
    }
    if (a.weights.isEmpty() && b.weights.isEmpty()) {
      return Optional.of(
          new Affine(binary.operator().applyAsDouble(a.constant, b.constant), Map.of()));
    }
    return switch (binary.function) {
      case "+" -> Optional.of(Affine.sum(a, 1, b));
      case "-" -> Optional.of(Affine.sum(a, -1, b));
      case "*" ->
          a.weights.isEmpty()
              ? Optional.of(b.times(a.constant))
              : Optional.of(a).filter(one -> b.weights.isEmpty()).map(one -> one.times(b.constant));
      case "/" ->
          Optional.of(a).filter(one -> b.weights.isEmpty()).map(x -> x.times(1 / b.constant));
      default -> Optional.empty();
    };
  }

  /** Returns the names of the functions, as a text writes them. */
  static List<String> functions() {
    return java.util.stream.Stream.concat(UNARY.keySet().stream(), BINARY.keySet().stream())
        .filter(name -> Character.isLetter(name.charAt(0)) && !name.equals("neg"))
        .sorted()
        .toList();
  }
}
