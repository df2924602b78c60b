package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The draws of one chain after warm-up, in order, in the sampler's coordinates, and the statistics
 * of every iteration, warm-up included.
 *
 * <p>Not safe for use by several threads.
 */
public final class ChainTrace implements Serializable {
  /**
   * One iteration.
   *
   * @param seconds the wall time of the iteration; stepwise, it includes waiting for a job shared
   *     with other chains; in a segment, it is the time of the chain's own task
   */
  public record Iteration(StepInfo info, double seconds) {}

  /**
   * A kept draw.
   *
   * @param theta a copy
   * @param logDensity the log-density of the chain's target
   */
  public record Draw(double[] theta, double logDensity) {}

  private final int chain;

  /** θ, then its log-density. */
  private final DoubleRows draws;

  private final Columns warmup;
  private final Columns sampling;
  private long initialEvaluations;
  private double stepSize = Double.NaN;

  private ChainTrace(ChainTrace other, UnaryOperator<double[]> draw) {
    chain = other.chain;
    draws = new DoubleRows(true);
    warmup = other.warmup;
    sampling = other.sampling;
    initialEvaluations = other.initialEvaluations;
    stepSize = other.stepSize;
    other.drawsFrom(0).forEach(one -> addDraw(draw.apply(one.theta), one.logDensity));
  }

  /** Returns the trace of the same iterations with other draws, each a function of one here. */
  public ChainTrace mapped(UnaryOperator<double[]> draw) {
    return new ChainTrace(this, draw);
  }

  /** Begins the trace of a chain, numbered from 1. */
  public ChainTrace(int chain) {
    this(chain, false);
  }

  private ChainTrace(int chain, boolean overflows) {
    this.chain = chain;
    this.draws = new DoubleRows(overflows);
    this.warmup = new Columns(overflows);
    this.sampling = new Columns(overflows);
  }

  /**
   * Starts the trace of a chain that may be long: beyond a few MiB it is written to a file in
   * {@code java.io.tmpdir}, and read from there on demand.
   */
  public static ChainTrace overflowing(int chain) {
    return new ChainTrace(chain, true);
  }

  /** Records the likelihood evaluations at the start of the chain, and the first step size. */
  public void begin(long evaluations, double firstStepSize) {
    initialEvaluations = evaluations;
    stepSize = firstStepSize;
  }

  /** Notes the step size that adaptation arrived at, used for every kept draw. */
  public void freeze(double adaptedStepSize) {
    stepSize = adaptedStepSize;
  }

  /** Adds an iteration of the warm-up, whose draw is not kept. */
  public void addWarmup(Iteration iteration) {
    warmup.add(iteration);
  }

  /**
   * Adds an iteration of the sampling phase.
   *
   * @param theta the draw; copied
   * @param logDensity the log-density that the chain's target has at the draw, natural log, without
   *     its normalising constant
   */
  public void add(double[] theta, double logDensity, Iteration iteration) {
    addDraw(theta, logDensity);
    sampling.add(iteration);
  }

  /** Adds a draw whose iteration is added by itself. */
  public void addDraw(double[] theta, double logDensity) {
    double[] row = Arrays.copyOf(theta, theta.length + 1);
    row[theta.length] = logDensity;
    draws.add(row);
  }

  /** Adds an iteration of the sampling phase without its draw, as thinning leaves it out. */
  public void addBetween(Iteration iteration) {
    sampling.add(iteration);
  }

  /** Appends the trace of further iterations of the same chain. Their trace is not modified. */
  public void append(ChainTrace further) {
    if (further.chain != chain) {
      throw new IllegalArgumentException("chain " + further.chain + " is not chain " + chain);
    }
    draws.addAll(further.draws);
    warmup.append(further.warmup);
    sampling.append(further.sampling);
    stepSize = further.stepSize;
  }

  /** Returns this trace with selected draws: the given numbers, from 0, in this order. */
  public ChainTrace keeping(int[] draws) {
    ChainTrace other = new ChainTrace(chain);
    other.begin(initialEvaluations, stepSize);
    other.warmup.append(warmup);
    other.sampling.append(sampling);
    for (int draw : draws) {
      other.draws.add(this.draws.get(draw));
    }
    return other;
  }

  /** Returns the chain's number, from 1. */
  public int chain() {
    return chain;
  }

  /** Returns how many likelihood evaluations it took to begin the chain. */
  public long initialEvaluations() {
    return initialEvaluations;
  }

  /** Returns the θ-kernel's step size after the warm-up; NaN before. */
  public double stepSize() {
    return stepSize;
  }

  /** Returns how many draws were kept. */
  public int size() {
    return draws.size();
  }

  /** Returns the kept draws, each a vector θ, copied on access. */
  public List<double[]> draws() {
    return new Seen<>(draws, row -> Arrays.copyOf(row, row.length - 1));
  }

  /** Returns the kept draws from one on, numbered from 0: the way to read many, one by one. */
  public Iterable<Draw> drawsFrom(int first) {
    return () ->
        draws.iterator(
            first, row -> new Draw(Arrays.copyOf(row, row.length - 1), row[row.length - 1]));
  }

  /** Returns the log-density at each kept draw. */
  public List<Double> logDensities() {
    return new Seen<>(draws, row -> row[row.length - 1]);
  }

  /** Returns the iterations of the warm-up. */
  public List<Iteration> warmup() {
    return Collections.unmodifiableList(warmup);
  }

  /** Returns the iterations of the warm-up, or of the sampling phase, from one on. */
  public Iterable<Iteration> iterationsFrom(boolean ofWarmup, int first) {
    return () -> (ofWarmup ? warmup : sampling).from(first);
  }

  /** Returns the iterations of the sampling phase, including thinned ones. */
  public List<Iteration> sampling() {
    return Collections.unmodifiableList(sampling);
  }

  /** Something of every draw. */
  private static final class Seen<T> extends AbstractList<T> implements RandomAccess {
    private final DoubleRows rows;
    private final Function<double[], T> part;

    Seen(DoubleRows rows, Function<double[], T> part) {
      this.rows = rows;
      this.part = part;
    }

    @Override
    public Iterator<T> iterator() {
      return rows.iterator(0, part);
    }

    @Override
    public Spliterator<T> spliterator() {
      return Spliterators.spliterator(iterator(), size(), Spliterator.ORDERED);
    }

    @Override
    public T get(int index) {
      return part.apply(rows.get(index));
    }

    @Override
    public int size() {
      return rows.size();
    }
  }

  /** The statistics of iterations, a row of numbers each: 40 bytes and 8 a declared column. */
  static final class Columns extends AbstractList<Iteration> implements RandomAccess, Serializable {
    /** Number of figures before the algorithm's own columns. */
    private static final int COMMON = 5;

    private final DoubleRows rows;

    Columns(boolean overflows) {
      rows = new DoubleRows(overflows);
    }

    @Override
    public boolean add(Iteration iteration) {
      StepInfo info = iteration.info();
      double[] row = new double[COMMON + info.columns().size()];
      row[0] = info.acceptanceProbability();
      row[1] = info.tuning();
      row[2] = iteration.seconds();
      row[3] = info.likelihoodEvaluations(); // whole up to 2⁵³
      row[4] = info.divergent() ? 1 : 0;
      for (int k = COMMON; k < row.length; k++) {
        row[k] = info.columns().get(k - COMMON);
      }
      rows.add(row);
      return true;
    }

    void append(Columns further) {
      rows.addAll(further.rows);
    }

    @Override
    public Iteration get(int index) {
      return of(rows.get(index));
    }

    @Override
    public Iterator<Iteration> iterator() {
      return from(0);
    }

    /** Reads many at once, unlike a list's default. */
    @Override
    public Spliterator<Iteration> spliterator() {
      return Spliterators.spliterator(iterator(), size(), Spliterator.ORDERED);
    }

    /** Returns the iterations from one on: reads them many at once. */
    Iterator<Iteration> from(int first) {
      return rows.iterator(first, Columns::of);
    }

    private static Iteration of(double[] row) {
      List<Double> declared = new ArrayList<>(row.length - COMMON);
      for (int k = COMMON; k < row.length; k++) {
        declared.add(row[k]);
      }
      return new Iteration(
          new StepInfo(row[0], (long) row[3], row[4] != 0, row[1], declared), row[2]);
    }

    @Override
    public int size() {
      return rows.size();
    }
  }
}
