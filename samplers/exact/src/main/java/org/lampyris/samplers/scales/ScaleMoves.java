package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.samplers.random.Noise;

/**
 * Moves of scales: given the coefficients, without a row, and with the standardised coefficients u
 * held fixed. {@link ScaledKernel} has their mathematics.
 */
record ScaleMoves(ScaledPrior scales, NormalGivenScales normal) implements Serializable {
  /**
   * How often scales are moved for each move of the coefficients, where the rows say little of one.
   * On 50,000 rows and 100 columns with a horseshoe τ then has 600 effective draws of 4,000, some
   * 320 if scales are moved once.
   */
  static final int CYCLES = 3;

  /** The rows say little of a log sd with a larger posterior sd. */
  private static final double VAGUE = 0.2;

  /** A bracket grows to so many widths. */
  private static final int MOST_WIDTHS = 16;

  /** A bracket that has shrunk this often is where it began: each time halves it on average. */
  private static final int MOST_SHRINKS = 200;

  /** Returns how often the scales are moved for each move of the coefficients. */
  int cycles() {
    return shared().stream()
            .anyMatch(
                one ->
                    scales.groups().get(one.g).compensating(one.k).length > 0
                        || width(scales.first(one.g) + one.k) > 2 * VAGUE)
        ? CYCLES
        : 1;
  }

  /**
   * Draws the scales given the coefficients.
   *
   * @param theta all elements, the scales modified
   * @return by how much the log-density has grown
   */
  double redrawn(double[] theta, Noise noise) {
    double grown = 0;
    for (int g = 0; g < scales.groups().size(); g++) {
      ScaleGroup group = scales.groups().get(g);
      double before = scales.value(g, theta);
      int first = scales.first(g);
      double[] phi = scales.phi(g, theta);
      double[] b = scales.coefficients(g, theta);
      for (int k = 0; k < phi.length; k++) {
        phi[k] = redrawn(group, phi, b, k, first, noise);
      }
      double[] drawn = phi;
      for (int k : group.shared()) {
        drawn = compensated(group, k, drawn, width(first + k), noise);
      }
      System.arraycopy(drawn, 0, theta, first, drawn.length);
      grown += scales.value(g, theta) - before;
    }
    return grown;
  }

  /** Returns φ_k as a slice draws it given the other scales and b. φ is modified there. */
  private double redrawn(
      ScaleGroup group, double[] phi, double[] b, int k, int first, Noise noise) {
    double from = phi[k];
    DoubleUnaryOperator density =
        x -> {
          phi[k] = x;
          return group.logConditional(k, phi, b);
        };
    double level = density.applyAsDouble(from);
    return slice(density, from, level, width(first + k), noise);
  }

  /**
   * Draws φ_k with p(b | φ) held fixed, the {@linkplain ScaleGroup#compensating others} shrinking
   * as it grows: a slice from p(φ) along a line. A horseshoe's τ, given the products τλ_j instead
   * of the λ_j, depends little on where it was.
   */
  private static double[] compensated(
      ScaleGroup group, int k, double[] phi, double width, Noise noise) {
    int[] others = group.compensating(k);
    if (others.length == 0) {
      return phi;
    }
    DoubleUnaryOperator density = x -> group.logPrior(along(phi, k, x, others));
    double to = slice(density, phi[k], density.applyAsDouble(phi[k]), width, noise);
    return along(phi, k, to, others);
  }

  /** Returns φ with φ_k = x, and others smaller by as much as it has grown. */
  private static double[] along(double[] phi, int k, double x, int[] others) {
    double[] at = phi.clone();
    at[k] = x;
    for (int other : others) {
      at[other] -= x - phi[k];
    }
    return at;
  }

  private double width(int at) {
    return 2 * scales.spread()[at - scales.known(at)];
  }

  /**
   * Draws a shared scale by a slice from g, with u held fixed.
   *
   * @param theta where the chain is, all elements; not modified
   */
  Carried carried(double[] theta, Shared one, Noise noise) {
    Carried move = new Carried(theta, one.g, one.k);
    int at = scales.first(one.g) + one.k;
    double from = theta[at];
    move.to = slice(move, from, move.applyAsDouble(from), width(at), noise);
    return move;
  }

  /**
   * Returns the elements of φ that shrink as φ_k grows, of coefficients that the rows hold fast.
   */
  private int[] held(ScaleGroup group, int k) {
    return Arrays.stream(group.compensating(k))
        .filter(other -> normal.isKnown(coefficient(group, other)))
        .toArray();
  }

  /** Returns the element of θ whose own scale is an element of φ. */
  private static int coefficient(ScaleGroup group, int other) {
    return group.coefficients()[Objects.requireNonNull(group.governed(other))[0]];
  }

  /** A scale that many coefficients share: φ_k of group g. */
  record Shared(int g, int k) {}

  /** Returns all shared scales. */
  List<Shared> shared() {
    List<Shared> shared = new ArrayList<>();
    for (int g = 0; g < scales.groups().size(); g++) {
      for (int k : scales.groups().get(g).shared()) {
        shared.add(new Shared(g, k));
      }
    }
    return shared;
  }

  /** Returns one of some shared scales at random, in proportion to their posterior sds. */
  Shared chosen(List<Shared> shared, Noise noise) {
    double[] widths =
        shared.stream().mapToDouble(one -> width(scales.first(one.g) + one.k)).toArray();
    double left = noise.uniform(0, Arrays.stream(widths).sum());
    int i = 0;
    while (i < widths.length - 1 && left > widths[i]) {
      left -= widths[i++];
    }
    return shared.get(i);
  }

  /**
   * Draws one shared scale given the coefficients, by a slice.
   *
   * @param theta where the chain is, all elements; not modified
   * @return all elements where it leads
   */
  double[] redrawn(double[] theta, Shared one, Noise noise) {
    int first = scales.first(one.g);
    double[] phi = scales.phi(one.g, theta);
    double[] b = scales.coefficients(one.g, theta);
    double[] end = theta.clone();
    end[first + one.k] = redrawn(scales.groups().get(one.g), phi, b, one.k, first, noise);
    return end;
  }

  /**
   * Returns log π̂(θ)/π̂(θ′), by which π(θ′)/π(θ) is multiplied for a move that is reversible for
   * π̂: what is left is how log-likelihood and q differ. Source: Liu (2001), section 9.4.
   */
  double correction(double[] from, double[] to) {
    int[] elements = IntStream.range(0, scales.known(0)).toArray();
    double[] delta = Arrays.stream(elements).mapToDouble(j -> to[j] - from[j]).toArray();
    return scales.value(from)
        - scales.value(to)
        - normal.change(normal.gradient(from, elements), elements, delta);
  }

  /**
   * log g(φ_k) with u held fixed, and where φ_k leads. The {@linkplain ScaleGroup#compensating
   * compensating} elements of coefficients that the rows hold fast shrink as it grows, so that
   * those coefficients stay where they are: a shift of φ along a line, of Jacobian 1.
   */
  final class Carried implements DoubleUnaryOperator {
    /** φ_k where the move leads. */
    private double to;

    private final double[] theta;
    private final int at;
    private final int k;
    private final int[] others;
    private final ScaleGroup group;
    private final double[] phi;
    private final double[] b;
    private final double[] u;
    private final int[] elements;
    private final NormalGivenScales.Line line;
    private final double[] slopes;

    Carried(double[] theta, int g, int k) {
      this.theta = theta;
      this.k = k;
      this.at = scales.first(g) + k;
      this.group = scales.groups().get(g);
      this.phi = scales.phi(g, theta);
      this.b = scales.coefficients(g, theta);
      this.u = b.clone();
      group.whiten(phi, u);
      others = held(group, k);
      int[] multiplied = group.multiplied(k);
      if (multiplied == null) {
        elements = group.coefficients();
        slopes = normal.gradient(theta, elements);
        line = new NormalGivenScales.Line(0, 0);
      } else {
        Set<Integer> held =
            Arrays.stream(others)
                .mapToObj(other -> coefficient(group, other))
                .collect(Collectors.toSet());
        elements =
            Arrays.stream(multiplied)
                .map(i -> group.coefficients()[i])
                .filter(j -> !held.contains(j))
                .toArray();
        slopes = new double[0];
        line =
            normal.line(
                theta, elements, Arrays.stream(elements).mapToDouble(j -> theta[j]).toArray());
      }
    }

    private double[] with(double x) {
      return along(phi, k, x, others);
    }

    private double[] coefficients(double x) {
      double[] other = u.clone();
      group.color(with(x), other);
      return other;
    }

    @Override
    public double applyAsDouble(double x) {
      double prior = group.logPrior(with(x));
      if (prior == Double.NEGATIVE_INFINITY) {
        return prior;
      }
      double change;
      if (slopes.length == 0) {
        change = line.change(Math.expm1(x - phi[k]));
      } else {
        double[] delta = coefficients(x);
        Arrays.setAll(delta, i -> delta[i] - b[i]);
        change = normal.change(slopes, elements, delta);
      }
      double log = prior + change;
      return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
    }

    /** Returns whether the move leads anywhere. */
    boolean moves() {
      return to != phi[k];
    }

    /** Returns all elements where the move leads. */
    double[] end() {
      double[] end = theta.clone();
      double[] carried = coefficients(to);
      for (int i = 0; i < carried.length; i++) {
        end[group.coefficients()[i]] = carried[i];
      }
      System.arraycopy(with(to), 0, end, at - k, phi.length);
      return end;
    }

    /**
     * Returns log |det T(φ′)|/|det T(φ)| + log g(φ_k)/g(φ_k′): what π(θ′)/π(θ) is multiplied by.
     */
    double correction() {
      return group.logDeterminant(with(to))
          - group.logDeterminant(phi)
          - applyAsDouble(to)
          + applyAsDouble(phi[k]);
    }
  }

  /**
   * Draws from a density of one number by a slice: stepping out, then shrinking.
   *
   * @param from where it is
   * @param level the log-density there
   * @param width of the bracket at first
   */
  private static double slice(
      DoubleUnaryOperator density, double from, double level, double width, Noise noise) {
    double y = level - noise.exponential();
    double low = from - width * noise.uniform(0, 1);
    double high = low + width;
    int left = noise.index(MOST_WIDTHS);
    int right = MOST_WIDTHS - 1 - left;
    while (left-- > 0 && density.applyAsDouble(low) > y) {
      low -= width;
    }
    while (right-- > 0 && density.applyAsDouble(high) > y) {
      high += width;
    }
    for (int i = 0; i < MOST_SHRINKS; i++) {
      double x = noise.uniform(low, high);
      if (density.applyAsDouble(x) > y) {
        return x;
      }
      if (x < from) {
        low = x;
      } else {
        high = x;
      }
    }
    return from;
  }
}
