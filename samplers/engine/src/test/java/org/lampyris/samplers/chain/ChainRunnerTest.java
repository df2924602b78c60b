package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

class ChainRunnerTest {
  private static final ThetaKernel KERNEL = new RandomWalk(Preconditioner.identity(1), 0.5);

  /** Moves to the number of the iteration, and notes step sizes and first random numbers. */
  private static final class Counting implements TransitionKernel<Point> {
    private final double acceptance;
    private final List<Double> stepSizes = new ArrayList<>();
    private final List<Long> random = new ArrayList<>();

    Counting(double acceptance) {
      this.acceptance = acceptance;
    }

    @Override
    public Transition<Point> init(double[] theta) {
      return new Transition<>(new Point(theta, -1), new StepInfo(1, 77, false));
    }

    @Override
    public Transition<Point> step(
        Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      stepSizes.add(kernel.stepSize());
      random.add(rng.nextLong());
      Point next = new Point(new double[] {iteration}, -iteration);
      return new Transition<>(
          next, new StepInfo(acceptance, iteration, false, acceptance, List.of(5.0)));
    }
  }

  private static ChainTrace run(Counting counting, ChainRunner.Observer observer) {
    ChainRunner.Length length = new ChainRunner.Length(4, 3, 2, 0.234);
    return new ChainRunner(length, new Streams(9), observer)
        .run(2, counting, KERNEL, new double[] {0});
  }

  @Test
  void warmupIsDroppedAndEverySecondDrawKept() {
    List<Long> seen = new ArrayList<>();
    ChainTrace trace =
        run(
            new Counting(0.3),
            (chain, iteration, info) -> {
              assertEquals(2, chain);
              assertEquals(iteration, info.likelihoodEvaluations());
              seen.add(iteration);
            });
    assertEquals(2, trace.chain());
    assertEquals(77, trace.initialEvaluations());
    assertEquals(3, trace.size());
    double[] kept = trace.draws().stream().mapToDouble(draw -> draw[0]).toArray();
    assertArrayEquals(new double[] {6, 8, 10}, kept);
    assertEquals(List.of(-6.0, -8.0, -10.0), trace.logDensities());
    assertEquals(4, trace.warmup().size());
    assertEquals(6, trace.sampling().size());
    assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), seen);
  }

  @Test
  void theStepSizeAdaptsInWarmupAndIsFrozenAfter() {
    Counting easy = new Counting(0.9);
    ChainTrace trace = run(easy, (chain, iteration, info) -> {});
    List<Double> sizes = easy.stepSizes;
    assertEquals(0.5, sizes.get(0));
    for (int i = 1; i < 4; i++) {
      assertTrue(sizes.get(i) > sizes.get(i - 1), sizes.toString());
    }
    for (int i = 4; i < 10; i++) {
      assertEquals(trace.stepSize(), sizes.get(i));
    }
    assertTrue(trace.stepSize() > 0.5);
  }

  @Test
  void everyIterationHasAStreamOfItsOwn() {
    Counting counting = new Counting(0.3);
    run(counting, (chain, iteration, info) -> {});
    assertEquals(10, counting.random.stream().distinct().count());
    assertEquals(
        new Streams(9).stream(Streams.Purpose.THETA, 2, 7, 0).nextLong(), counting.random.get(6));
  }

  @Test
  void anInterruptedThreadStops() {
    ChainRunner.Observer interrupt = (chain, iteration, info) -> Thread.currentThread().interrupt();
    assertThrows(IllegalStateException.class, () -> run(new Counting(0.3), interrupt));
    assertTrue(Thread.interrupted());
    assertThrows(IllegalArgumentException.class, () -> new ChainRunner.Length(-1, 1, 1, 0.2));
    assertThrows(IllegalArgumentException.class, () -> new ChainRunner.Length(0, 0, 1, 0.2));
    assertThrows(IllegalArgumentException.class, () -> new ChainRunner.Length(0, 1, 0, 0.2));
  }
}
