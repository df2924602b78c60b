package org.lampyris.samplers.scales;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.samplers.kernel.Leaping;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
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

  /** Returns the start that a kernel of the coefficients has near θ, with the scales of θ. */
  double[] start(ThetaKernel kernel, double[] theta) {
    int known = scales.known(theta.length);
    double[] all = theta.clone();
    System.arraycopy(kernel.start(Arrays.copyOf(theta, known)), 0, all, 0, known);
    return all;
  }

  /** Returns how often the scales are moved for each move of the coefficients. */
  int cycles() {
    return shared().stream()
            .anyMatch(
                one -> scales.groups().get(one.g).compensating(one.k).length > 0 || isVague(one))
        ? CYCLES
        : 1;
  }

  private boolean isVague(Shared one) {
    return scales.spread()[at(one) - scales.known(at(one))] > VAGUE;
  }

  /**
   * Proposes to move a scale of which the rows say little, and its coefficients with it: one that
   * can be near 0 and far from it leaves the region of bounds, and comes back. Reversible for π̂.
   */
  Leaping.@Nullable Leap leap(double[] theta, Noise noise) {
    List<Shared> vague = shared().stream().filter(this::isVague).toList();
    if (vague.isEmpty()) {
      return null;
    }
    double[] to = carried(theta, chosen(vague, noise), noise);
    return new Leaping.Leap(to, correction(theta, to));
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
   * Draws a shared scale, and moves its coefficients along its {@linkplain #path path}: a slice
   * from π̂ there, for which the move is reversible.
   *
   * @param theta where the chain is, all elements; not modified
   * @return all elements where it leads
   */
  double[] carried(double[] theta, Shared one, Noise noise) {
    ScalePath path = path(theta, one);
    double from = theta[at(one)];
    double level = path.logSurrogate(from);
    return level == Double.NEGATIVE_INFINITY
        ? theta
        : end(theta, one, path, slice(path::logSurrogate, from, level, width(at(one)), noise));
  }

  /**
   * Draws a shared scale from a target along its {@linkplain #path path}, by a slice from π̂ and
   * one from π/π̂ there: the bracket grows by the first alone, and a value that the first takes is
   * tried by the second. Where π̂ is good, one value of the target is needed.
   *
   * @param point where the chain is; not modified
   */
  Point carried(LogDensity target, Point point, Shared one, Noise noise) {
    double[] theta = point.theta();
    ScalePath path = path(theta, one);
    double from = theta[at(one)];
    double level = path.logSurrogate(from);
    if (level == Double.NEGATIVE_INFINITY) {
      return point;
    }
    double least = point.logDensity() + path.logVolume(from) - level - noise.exponential();
    Point[] last = {point};
    DoublePredicate taken =
        x -> {
          double surrogate = path.logSurrogate(x) - path.logVolume(x);
          double[] end = end(theta, one, path, x);
          last[0] = new Point(end, target.value(end));
          return last[0].logDensity() - surrogate > least;
        };
    double to = slice(path::logSurrogate, from, level, width(at(one)), taken, noise);
    return to == from ? point : last[0];
  }

  private int at(Shared one) {
    return scales.first(one.g) + one.k;
  }

  /**
   * Returns the curve along which a scale moves: that of its {@linkplain MarginalMove marginal
   * density}, or with u held fixed where too many coefficients meet.
   */
  ScalePath path(double[] theta, Shared one) {
    MarginalMove marginal = normal.marginal(one.g);
    if (marginal == null) {
      return new Whitened(theta, one.g, one.k);
    }
    double[] slopes = normal.gradient(theta, scales.groups().get(one.g).coefficients());
    Followers followers = normal.followers(one.g);
    if (followers != null) {
      double[] phi = Arrays.copyOfRange(theta, scales.known(theta.length), theta.length);
      double[] precisions = scales.precisions(phi);
      double[] gradient = normal.gradient(theta, followers.elements());
      followers.addSlopes(theta, gradient, precisions, slopes);
      marginal = marginal.with(followers.curvature(precisions));
    }
    return marginal.path(
        one.k, scales.phi(one.g, theta), scales.coefficients(one.g, theta), slopes);
  }

  /** Returns all elements where a path leads. */
  double[] end(double[] theta, Shared one, ScalePath path, double x) {
    double[] phi = scales.phi(one.g, theta);
    double[] b = scales.coefficients(one.g, theta);
    path.move(x, phi, b);
    double[] end = theta.clone();
    int[] places = scales.groups().get(one.g).coefficients();
    Followers followers = normal.followers(one.g);
    if (followers != null) {
      double[] delta = b.clone();
      Arrays.setAll(delta, i -> b[i] - theta[places[i]]);
      followers.move(delta, end);
    }
    for (int i = 0; i < b.length; i++) {
      end[places[i]] = b[i];
    }
    System.arraycopy(phi, 0, end, scales.first(one.g), phi.length);
    return end;
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
   * The path with u = T(φ)⁻¹b held fixed. The {@linkplain ScaleGroup#compensating compensating}
   * elements of coefficients that the rows hold fast shrink as φ_k grows, so that those
   * coefficients stay where they are: a shift of φ along a line, of volume 1.
   */
  private final class Whitened implements ScalePath {
    private final int k;
    private final int[] others;
    private final ScaleGroup group;
    private final double[] phi;
    private final double[] b;
    private final double[] u;
    private final int[] elements;
    private final NormalGivenScales.Line line;
    private final double[] slopes;

    Whitened(double[] theta, int g, int k) {
      this.k = k;
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
    public double logSurrogate(double x) {
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

    @Override
    public double logVolume(double x) {
      return group.logDeterminant(with(x));
    }

    @Override
    public void move(double x, double[] phi, double[] b) {
      System.arraycopy(coefficients(x), 0, b, 0, b.length);
      System.arraycopy(with(x), 0, phi, 0, phi.length);
    }
  }

  /**
   * Draws from a density of one number by a slice: stepping out, then shrinking.
   *
   * @param from where it is
   * @param level the log-density there
   * @param width of the bracket at first
   * @param taken whether an end is taken that the density takes
   */
  private static double slice(
      DoubleUnaryOperator density,
      double from,
      double level,
      double width,
      DoublePredicate taken,
      Noise noise) {
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
      if (density.applyAsDouble(x) > y && taken.test(x)) {
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

  private static double slice(
      DoubleUnaryOperator density, double from, double level, double width, Noise noise) {
    return slice(density, from, level, width, x -> true, noise);
  }
}
