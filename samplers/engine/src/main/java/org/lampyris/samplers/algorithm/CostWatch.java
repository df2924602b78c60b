package org.lampyris.samplers.algorithm;

import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.run.RunProgress;

/**
 * Run progress that ends a warm-up by {@link Dearer} if a chain evaluates too many likelihoods an
 * iteration, for instance because it is often outside the region in which few rows are needed. A
 * run without a warm-up is ended if it {@linkplain #expects expects} too many of a draw.
 *
 * <p>A chain is checked when it has evaluated as many likelihoods as {@value #PASSES} passes over
 * all rows, which may be its way from a far starting point. It is then checked whenever that number
 * has doubled: by the iterations in between, and by all of them, since one that is seldom outside
 * may evaluate many rows there. So what is lost is little, and a run that needs few rows is never
 * looked at. The looks of a chain depend on its own iterations alone, so that a run ends or does
 * not end whatever the plan, the partitions and the order of threads.
 */
public final class CostWatch implements RunProgress {
  /** The likelihood evaluations of a chain before the first look, in passes over all rows. */
  static final long PASSES = 50;

  private final RunProgress shown;
  private final long rows;
  private final double most;

  /** The end of a run that is dearer than another one would be. */
  @SuppressWarnings("serial") // never sent
  public static final class Dearer extends RuntimeException {
    private final double evaluations;

    private Dearer(double evaluations) {
      super(evaluations + " likelihood evaluations an iteration");
      this.evaluations = evaluations;
    }

    /** Returns how many likelihoods were evaluated an iteration. */
    double evaluations() {
      return evaluations;
    }
  }

  /**
   * Begins to watch.
   *
   * @param shown receives everything
   * @param rows how many rows the table has
   * @param most how many likelihood evaluations an iteration may cost
   */
  CostWatch(RunProgress shown, long rows, double most) {
    this.shown = shown;
    this.rows = rows;
    this.most = most;
  }

  @Override
  public void begin(String phase) {
    shown.begin(phase);
  }

  @Override
  public void note(String line) {
    shown.note(line);
  }

  @Override
  public void end() {
    shown.end();
  }

  @Override
  public void expects(double evaluations) {
    if (!(evaluations <= most)) {
      throw new Dearer(evaluations);
    }
    shown.expects(evaluations);
  }

  @Override
  public Chains chains(int chains, ChainRunner.Length length) {
    return new Watched(shown.chains(chains, length), chains, length.warmup());
  }

  /** Cost of a chain so far. */
  private final class Spent {
    private long iterations;
    private long evaluations;
    private long iterationsAtLook;
    private long evaluationsAtLook;

    /** Number of counted iterations in the unfinished segment. */
    private int ofSegment;

    void add(StepInfo info) {
      iterations++;
      evaluations += info.likelihoodEvaluations();
      if (evaluations < Math.max(PASSES * rows, 2 * evaluationsAtLook)) {
        return;
      }
      double mean = (double) evaluations / iterations;
      double later = (double) (evaluations - evaluationsAtLook) / (iterations - iterationsAtLook);
      if (evaluationsAtLook > 0 && Math.min(mean, later) > most) {
        throw new Dearer(Math.min(mean, later));
      }
      iterationsAtLook = iterations;
      evaluationsAtLook = evaluations;
    }

    void addNew(ChainTrace segment) {
      List<ChainTrace.Iteration> warmup = segment.warmup();
      for (; ofSegment < warmup.size(); ofSegment++) {
        add(warmup.get(ofSegment).info());
      }
    }
  }

  private final class Watched implements Chains {
    private final Chains shown;
    private final List<Spent> chains;
    private final int warmup;

    Watched(Chains shown, int chains, int warmup) {
      this.shown = shown;
      this.chains = IntStream.range(0, chains).mapToObj(c -> new Spent()).toList();
      this.warmup = warmup;
    }

    @Override
    public void iteration(int chain, long iteration, StepInfo info) {
      shown.iteration(chain, iteration, info);
      if (iteration <= warmup) {
        chains.get(chain - 1).add(info);
      }
    }

    @Override
    public void within(ChainTrace segment) {
      shown.within(segment);
      chains.get(segment.chain() - 1).addNew(segment);
    }

    @Override
    public void segment(List<ChainTrace> traces) {
      traces.forEach(trace -> chains.get(trace.chain() - 1).addNew(trace));
      chains.forEach(chain -> chain.ofSegment = 0);
      shown.segment(traces);
    }

    @Override
    public void note(String line) {
      shown.note(line);
    }

    @Override
    public double warmupSeconds() {
      return shown.warmupSeconds();
    }

    @Override
    public double samplingSeconds() {
      return shown.samplingSeconds();
    }

    @Override
    public void close() {
      shown.close();
    }
  }
}
