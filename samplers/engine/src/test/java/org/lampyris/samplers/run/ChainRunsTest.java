package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.QuestionBatcher;
import org.lampyris.samplers.chain.SegmentSize;
import org.lampyris.samplers.chain.Segmented;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.DualAveraging;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/** The way of chains through segments, with segments that do nothing. */
class ChainRunsTest {
  private static final int CHAINS = 2;

  @ParameterizedTest
  @CsvSource({"500, 3000", "257, 100000", "0, 700", "256, 1", "40, 40"})
  void noSegmentHoldsWarmUpAndDraws(int warmup, int draws) {
    IdleAlgorithm algorithm = new IdleAlgorithm(warmup, 0);
    ChainRunner.Length length = new ChainRunner.Length(warmup, draws, 1, 0.5);
    Shown shown = new Shown();
    ChainRuns<Point> runs =
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
    IdleAlgorithm algorithm = new IdleAlgorithm(60, 20_000);
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

  /** Notes what segments are asked for. */
  private static final class IdleAlgorithm implements ChainWork<Point> {
    private final int warmup;
    private final long rows;
    private final List<int[]> asked = new ArrayList<>();

    IdleAlgorithm(int warmup, long rows) {
      this.warmup = warmup;
      this.rows = rows;
    }

    @Override
    public Optional<SegmentSize> segmentSize() {
      return rows == 0 ? Optional.empty() : Optional.of(new SegmentSize(rows, 8, 0, rows, 1));
    }

    @Override
    public Questions<Point> questions() {
      return new Questions<>(
          chain -> new IdleKernel(),
          new QuestionBatcher<Integer, Integer>(CHAINS, questions -> questions));
    }

    @Override
    public Segmented segmented(ChainRunner runner, List<ChainState<Point>> states) {
      return new IdleSegments();
    }

    @Override
    public String toString() {
      return asked.stream().map(a -> a[0] + " then " + a[1]).toList().toString();
    }

    private final class IdleSegments implements Segmented {
      private long done;

      @Override
      public List<ChainState<?>> states() {
        ThetaKernel kernel = new RandomWalk(Preconditioner.identity(1), 1);
        return IntStream.rangeClosed(1, CHAINS)
            .<ChainState<?>>mapToObj(
                chain ->
                    new ChainState<>(
                        chain,
                        done,
                        Point.at(new double[1]),
                        kernel,
                        DualAveraging.start(1, 0.5, 1),
                        null))
            .toList();
      }

      @Override
      public List<ChainTrace> run(int iterations, int following) {
        asked.add(new int[] {iterations, following});
        List<ChainTrace> traces =
            IntStream.rangeClosed(1, CHAINS).mapToObj(chain -> trace(chain, iterations)).toList();
        done += iterations;
        return traces;
      }

      private ChainTrace trace(int chain, int iterations) {
        ChainTrace trace = new ChainTrace(chain);
        ChainTrace.Iteration step = new ChainTrace.Iteration(new StepInfo(0.5, 1, false), 1e-6);
        for (long i = done + 1; i <= done + iterations; i++) {
          if (i <= warmup) {
            trace.addWarmup(step);
          } else {
            trace.add(new double[1], 0, step);
          }
        }
        return trace;
      }

      @Override
      public long jobs() {
        return 0;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
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
