package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.RowStates;

/** The way of chains through segments, with segments that do nothing. */
class ChainRunsTest {
  private static final int CHAINS = 2;

  @ParameterizedTest
  @CsvSource({"500, 3000", "257, 100000", "0, 700", "256, 1", "40, 40"})
  void noSegmentHoldsWarmUpAndDraws(int warmup, int draws) {
    IdleAlgorithm algorithm = new IdleAlgorithm(warmup, 0, 1e-6);
    ChainRunner.Length length = new ChainRunner.Length(warmup, draws, 1, 0.5);
    Shown shown = new Shown();
    ChainRuns<PlainBlock, Point, Point> runs =
        new ChainRuns<>(
            algorithm,
            new ChainRunner(length, new Streams(1), shown),
            shown,
            CHAINS,
            new Checkpoints.None());
    List<ChainTrace> traces =
        runs.run(
            new RandomWalk(Preconditioner.identity(1), 1),
            chain -> new double[1],
            () -> new ExecutionPlan(50_000, Decision.of("plan", "plan")));
    long done = 0;
    for (int i = 0; i < algorithm.asked.size(); i++) {
      int[] segment = algorithm.asked.get(i);
      assertTrue(done >= warmup || done + segment[0] <= warmup, algorithm::toString);
      int next = i + 1 < algorithm.asked.size() ? algorithm.asked.get(i + 1)[0] : 0;
      assertEquals(next, segment[1], "what follows is what was announced");
      done += segment[0];
    }
    assertEquals((long) warmup + draws, done);
    // 256, 1,024, 4,096 …, whatever the end of the warm-up cuts off: no small steps after it.
    assertTrue(algorithm.asked.size() <= 10, algorithm::toString);
    for (ChainTrace trace : traces) {
      assertEquals(warmup, trace.warmup().size());
      assertEquals(draws, trace.size());
    }
    assertEquals((long) CHAINS * (warmup + draws), shown.iterations);
    assertEquals("plan", shown.note);
  }

  /** 20,000 rows at each of so many iterations take seconds, and chains halt between segments. */
  @Test
  void segmentsOfChainsThatLookAtManyRowsBeginShort() {
    IdleAlgorithm algorithm = new IdleAlgorithm(60, 20_000, 1e-6);
    ChainRunner.Length length = new ChainRunner.Length(60, 80, 1, 0.5);
    Shown shown = new Shown();
    new ChainRuns<>(
            algorithm,
            new ChainRunner(length, new Streams(1), shown),
            shown,
            CHAINS,
            new Checkpoints.None())
        .run(
            new RandomWalk(Preconditioner.identity(1), 1),
            chain -> new double[1],
            () -> new ExecutionPlan(50_000, Decision.of("plan", "plan")));
    // The second one is settled before the first one has been timed.
    assertEquals(List.of(5, 20), algorithm.asked.subList(0, 2).stream().map(a -> a[0]).toList());
  }

  /**
   * Every job takes seconds longer than its iterations: the run takes at most as much longer as the
   * undisturbed run has jobs, because it has no more of them.
   */
  @ParameterizedTest
  @CsvSource({"0.5", "5", "30"})
  void slowJobsMakeNoMoreJobs(double delay) {
    for (double each : new double[] {1e-5, 1e-4, 1e-3, 0.01, 0.1}) {
      for (int draws : new int[] {300, 1000, 4000, 20_000, 100_000}) {
        int undisturbed = jobs(500, draws, each, 0);
        int disturbed = jobs(500, draws, each, delay);
        assertTrue(
            disturbed <= undisturbed,
            () -> disturbed + " jobs for " + undisturbed + " of " + draws + " by " + each + " s");
      }
    }
  }

  /** Returns the jobs of a run, by a clock that its segments alone put forward. */
  private static int jobs(int warmup, int draws, double each, double delay) {
    IdleAlgorithm algorithm = new IdleAlgorithm(warmup, 0, each);
    Shown shown = new Shown();
    new ChainRuns<>(
            algorithm,
            new ChainRunner(new ChainRunner.Length(warmup, draws, 1, 0.5), new Streams(1), shown),
            shown,
            CHAINS,
            new Checkpoints.None(),
            () -> {
              int length = algorithm.asked.stream().mapToInt(asked -> asked[0]).sum();
              return (long) (1e9 * (algorithm.asked.size() * delay + length * each));
            })
        .run(
            new RandomWalk(Preconditioner.identity(1), 1),
            chain -> new double[1],
            () -> new ExecutionPlan(50_000, Decision.of("plan", "plan")));
    return algorithm.asked.size();
  }

  /** Notes what segments are asked for. */
  private static final class IdleAlgorithm implements ResidentAlgorithm<PlainBlock, Point, Point> {
    private final int warmup;
    private final long count;
    private final double each;
    private final List<int[]> asked = new ArrayList<>();

    /** Takes the seconds of an iteration by itself. */
    IdleAlgorithm(int warmup, long count, double each) {
      this.warmup = warmup;
      this.count = count;
      this.each = each;
    }

    @Override
    public Optional<SegmentSize> segmentSize() {
      return count == 0 ? Optional.empty() : Optional.of(new SegmentSize(count, 8, 0, count, 1));
    }

    @Override
    public ResidentRows<PlainBlock> rows() {
      return new IdleRows(this);
    }

    @Override
    public TransitionKernel<Point> kernel(int chain, RowClient<PlainBlock> client) {
      return new IdleKernel();
    }

    @Override
    public SegmentWork<PlainBlock, Point> segmentWork() {
      return new IdleWork();
    }

    @Override
    public long passes() {
      return 0;
    }

    @Override
    public String toString() {
      return asked.stream().map(a -> a[0] + " then " + a[1]).toList().toString();
    }
  }

  /** No rows, with segments that note how long they are. */
  private record IdleRows(IdleAlgorithm algorithm) implements ResidentRows<PlainBlock> {
    @Override
    public <S extends SamplerState> Segments<S> segments(
        SegmentWork<PlainBlock, S> work, ChainRunner runner, int chains) {
      return new Segments<>() {
        @Override
        public List<Segment<S>> run(
            List<ChainState<S>> from, Request request, @Nullable Request following) {
          int length = request.length()[0];
          algorithm.asked.add(new int[] {length, following == null ? 0 : following.length()[0]});
          return from.stream().map(state -> idle(state, length)).toList();
        }

        @Override
        public long jobs() {
          return 0;
        }

        @Override
        public void close() {
          // Nothing is open.
        }
      };
    }

    private <S extends SamplerState> Segments.Segment<S> idle(ChainState<S> from, int iterations) {
      ChainTrace trace = new ChainTrace(from.chain());
      ChainTrace.Iteration step =
          new ChainTrace.Iteration(new StepInfo(0.5, 1, false), algorithm.each);
      long end = from.iteration() + iterations;
      for (long i = from.iteration() + 1; i <= end; i++) {
        if (i <= algorithm.warmup) {
          trace.addWarmup(step);
        } else {
          trace.add(new double[1], 0, step);
        }
      }
      ChainState<S> after =
          new ChainState<>(
              from.chain(), end, from.state(), from.kernel(), from.adaptation(), from.shaping());
      return new Segments.Segment<>(after, trace);
    }

    @Override
    public double[] sum(int length, BlockTerm<PlainBlock> term) {
      throw new IllegalStateException("nobody asks");
    }

    @Override
    public <Q extends Serializable, H extends Serializable, A> Function<List<Q>, List<A>> questions(
        RowQuestions<PlainBlock, Q, H, A> how) {
      throw new IllegalStateException("nobody asks");
    }

    @Override
    public <S extends Serializable, Q extends RowEvolution.ChainQuestion, H extends Serializable, A>
        RowStates<PlainBlock, S, Q, A> states(
            RowEvolution<PlainBlock, S, Q, H, A> how, int chains) {
      throw new IllegalStateException("nobody asks");
    }

    @Override
    public void close() {
      // Nothing is resident.
    }
  }

  /** Is never done. */
  private record IdleWork() implements SegmentWork<PlainBlock, Point> {
    @Override
    public Pool<PlainBlock> draw(int chain, long first, int length, List<PlainBlock> blocks) {
      return Pool.empty(first, length);
    }

    @Override
    public ChainState<Point> advance(
        ChainRunner runner,
        ChainState<Point> from,
        long to,
        List<Pool<PlainBlock>> pools,
        ChainTrace trace) {
      return from;
    }
  }

  /** Begins, and goes nowhere. */
  private static final class IdleKernel implements TransitionKernel<Point> {
    @Override
    public Transition<Point> init(double[] theta) {
      return new Transition<>(new Point(theta, 0), new StepInfo(1, 1, false));
    }

    @Override
    public Transition<Point> step(
        Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      throw new IllegalStateException("segments make the iterations");
    }
  }

  /** Counts what it is told of. */
  private static final class Shown extends RunProgress.Silent {
    private long iterations;
    private String note = "";

    @Override
    public void iteration(int chain, long iteration, StepInfo info) {
      iterations++;
    }

    @Override
    public void segment(List<ChainTrace> traces) {
      traces.forEach(trace -> iterations += trace.warmup().size() + trace.sampling().size());
    }

    @Override
    public void note(String line) {
      note = line;
    }
  }
}
