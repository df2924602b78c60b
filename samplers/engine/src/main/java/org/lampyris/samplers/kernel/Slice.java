package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.random.Noise;

/**
 * Slice sampling along lines. A level log y = log π(θ) − e, e ~ Exp(1), is drawn, a bracket of
 * width w is placed at random about θ and stepped out at most m − 1 times. Points are drawn from
 * it, and each one outside the slice {π > y} shrinks it towards θ, until one is inside.
 *
 * <p>The lines are the columns of L (the coordinates of u = L⁻¹θ), or L times a random direction;
 * lengths along them are in units of u, so w is in standard deviations for a target of covariance
 * LLᵀ.
 *
 * <p>Evaluations: an end of the bracket is evaluated only if it may still be stepped out. The ends
 * are evaluated together with the first point of the present bracket (drawn again if the bracket
 * grows), and with the current point if its density is unknown. With m = 1 no end is evaluated. A
 * bracket that rounding has shrunk to nothing gives θ itself.
 *
 * <p>There is no rejection, so the width is tuned by the share of lines on which the first point of
 * the bracket was in the slice: it falls from 1 to 0 as w grows.
 *
 * <p>Source: Neal (2003), sections 4 (figures 3 and 5), with the bracket's limit m; for random
 * directions section 5 and Chen and Schmeiser's hit-and-run.
 *
 * @param preconditioner L
 * @param stepSize w, above 0
 * @param updates how many lines a step moves along, one after the other; as many as there are
 *     coordinates for a sweep
 * @param limit m, at least 1: the bracket grows to m·w at most
 */
public record Slice(
    Preconditioner preconditioner, double stepSize, Directions directions, int updates, int limit)
    implements ThetaKernel {
  /** A bracket that has shrunk this often is θ: each time halves it on average. */
  private static final int MOST_SHRINKS = 1000;

  /** Lines along which a step moves. */
  public enum Directions {
    /** Each coordinate of u in its turn: a sweep. */
    COORDINATE,
    /** Coordinates of u chosen at random. */
    RANDOM_COORDINATE,
    /** Directions drawn uniformly from the sphere in u. */
    RANDOM
  }

  public Slice {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
    if (updates < 1 || limit < 1) {
      throw new IllegalArgumentException(updates + " updates, bracket limit " + limit);
    }
  }

  /** Returns the initial width for a normal target of covariance LLᵀ. */
  public static double optimalStepSize() {
    return 3;
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    int dimension = point.theta().length;
    int lines = directions == Directions.COORDINATE ? dimension : updates;
    Point now = point;
    int hits = 0;
    for (int i = 0; i < lines; i++) {
      Line line = new Line(target, now, direction(i, dimension, noise), noise);
      now = line.update();
      hits += line.drawn == 1 ? 1 : 0;
    }
    return new Step(now, 1, false, (double) hits / lines);
  }

  /** Returns a line's direction in θ. */
  private double[] direction(int line, int dimension, Noise noise) {
    double[] u = new double[dimension];
    switch (directions) {
      case COORDINATE -> u[line] = 1;
      case RANDOM_COORDINATE -> u[noise.index(dimension)] = 1;
      case RANDOM -> {
        u = noise.normals(dimension);
        double length = Math.sqrt(Arrays.stream(u).reduce(0, (sum, x) -> sum + x * x));
        u = Arrays.stream(u).map(x -> x / length).toArray();
      }
    }
    double[] direction = new double[dimension];
    preconditioner.addTo(u, 1, direction);
    return direction;
  }

  @Override
  public Slice withStepSize(double size) {
    return new Slice(preconditioner, size, directions, updates, limit);
  }

  /** The share of first points in the slice that adaptation aims for. */
  @Override
  public double targetAcceptance() {
    return 0.35;
  }

  /** One update along a line through θ. */
  private final class Line {
    private final LogDensity target;
    private final Point from;
    private final double[] direction;
    private final Noise noise;

    /** The ends of the bracket: lower, then upper. */
    private final double[] ends = new double[2];

    private double level;
    private int drawn;

    Line(LogDensity target, Point from, double[] direction, Noise noise) {
      this.target = target;
      this.from = from;
      this.direction = direction;
      this.noise = noise;
    }

    Point update() {
      ends[0] = -noise.uniform(0, stepSize);
      ends[1] = ends[0] + stepSize;
      int[] left = {noise.index(limit), 0};
      left[1] = limit - 1 - left[0];
      double candidate = noise.uniform(ends[0], ends[1]);
      double[] values = from.logDensities(target, points(left, candidate));
      double current = values[0];
      level = current - noise.exponential();
      double atCandidate = values[values.length - 1];
      drawn = stepOut(left, Arrays.copyOfRange(values, 1, values.length - 1)) ? 0 : 1;
      for (int i = 0; i < MOST_SHRINKS; i++) {
        if (drawn > 0 && atCandidate > level) {
          return new Point(at(candidate), atCandidate);
        }
        if (drawn > 0) {
          ends[candidate < 0 ? 0 : 1] = candidate;
        }
        candidate = noise.uniform(ends[0], ends[1]);
        atCandidate = target.value(at(candidate));
        drawn++;
      }
      return new Point(from.theta(), current);
    }

    /** Returns the ends that may be stepped out still, then further points. */
    private double[][] points(int[] left, double... further) {
      return DoubleStream.concat(
              IntStream.range(0, 2).filter(k -> left[k] > 0).mapToDouble(k -> ends[k]),
              Arrays.stream(further))
          .mapToObj(this::at)
          .toArray(double[][]::new);
    }

    /**
     * Steps out both ends, in one question while both go on.
     *
     * @param left the number of further steps out for each end; 0 once it stops. Modified.
     * @param values the log-densities at those that may be
     * @return true if the bracket has grown
     */
    private boolean stepOut(int[] left, double[] values) {
      boolean grows = false;
      double[] there = values;
      while (there.length > 0) {
        int asked = 0;
        for (int k = 0; k < 2; k++) {
          boolean out = left[k] > 0 && there[asked++] > level;
          left[k] = out ? left[k] - 1 : 0;
          ends[k] += out ? (2 * k - 1) * stepSize : 0;
          grows |= out;
        }
        double[][] points = points(left);
        there = new double[points.length];
        if (points.length > 0) {
          target.values(points, there);
        }
      }
      return grows;
    }

    private double[] at(double distance) {
      double[] theta = from.theta().clone();
      for (int i = 0; i < theta.length; i++) {
        theta[i] += distance * direction[i];
      }
      return theta;
    }
  }

  /**
   * The section {@code sampler.slice}.
   *
   * @param updates along how many lines an iteration moves; not used by {@code directions:
   *     coordinate}, which moves along each coordinate once
   * @param bracketLimit how many widths a bracket may grow to: with 1 it is not stepped out
   */
  public record Settings(Directions directions, int updates, int bracketLimit)
      implements Serializable {}

  /** {@code sampler.kernel: slice}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("slice", false);
    }

    @Override
    public List<OwnSection<?>> sections() {
      return List.of(
          new OwnSection<>(
              "slice",
              Settings.class,
              (section, defaults) ->
                  new Settings(
                      section.choice("directions", Directions.COORDINATE),
                      section.whole("updates", 1, 1, 1_000_000),
                      section.whole("bracket_limit", 1, 1, 1_000_000))));
    }

    @Override
    public String adapts() {
      return "the width, from the share of lines whose first point is in the slice";
    }

    @Override
    public ThetaKernel create(Setting setting) {
      Settings own = setting.own().of(Settings.class);
      return new Slice(
          setting.shape(),
          setting.stepSize(optimalStepSize()),
          own.directions(),
          own.updates(),
          own.bracketLimit());
    }
  }
}
