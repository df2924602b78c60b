package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.StoredForm;
import org.lampyris.samplers.testdata.GradientDensity;

class ShapingTest {
  private static final int WARMUP = 500;

  /** Draws from a density; whether its kernel may be shaped is what the tests compare. */
  private record Plain(LogDensity target, boolean showsShape) implements TransitionKernel<Point> {
    @Override
    public Transition<Point> init(double[] theta) {
      return new Transition<>(new Point(theta, target.value(theta)), new StepInfo(1, 0, false));
    }

    @Override
    public Transition<Point> step(
        Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      ThetaKernel.Step step = kernel.step(target, point, rng);
      return new Transition<>(step.point(), StepInfo.of(step, 0, List.of()));
    }
  }

  private static ThetaKernel kernel(double... variances) {
    int d = variances.length;
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      covariance[i * d + i] = variances[i];
    }
    LaplaceApproximation laplace = new LaplaceApproximation(new double[d], covariance);
    return new Hmc(Preconditioner.of(laplace), Hmc.optimalStepSize(d), Hmc.BY_TIME);
  }

  private static ChainRunner runner(int warmup) {
    return new ChainRunner(
        new ChainRunner.Length(warmup, 1000, 1, 0.8), new Streams(4), (chain, i, info) -> {});
  }

  /** Independent normal elements. */
  private static LogDensity normal(double... sds) {
    return new GradientDensity(sds.length) {
      @Override
      public double valueAndGradient(double[] theta, double[] gradient) {
        double sum = 0;
        for (int i = 0; i < sds.length; i++) {
          double z = theta[i] / sds[i];
          gradient[i] = -z / sds[i];
          sum -= 0.5 * z * z;
        }
        return sum;
      }
    };
  }

  private static double leastEss(ChainTrace trace) {
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < trace.draws().get(0).length; j++) {
      int at = j;
      double[] draws = trace.draws().stream().mapToDouble(draw -> draw[at]).toArray();
      least = Math.min(least, Diagnostics.essBulk(new double[][] {draws}));
    }
    return least;
  }

  /** The same where the factor knows one direction only, and the draws are looked at along it. */
  @Test
  void whatSpreadsFartherAlongADirectionOfLowRankIsStretched() {
    LowRankFactor factor =
        new LowRankFactor(
            new double[] {1, 1, 0.25}, new double[] {0.5}, new double[][] {{0.8, 0.6, 0}});
    // Along (0.8, 0.6, 0) the sd should be 10, and not √2.
    LogDensity target =
        new GradientDensity(3) {
          @Override
          public double valueAndGradient(double[] theta, double[] gradient) {
            double along = 0.8 * theta[0] + 0.6 * theta[1];
            double across = 0.8 * theta[1] - 0.6 * theta[0];
            gradient[0] = -0.8 * along / 100 + 0.6 * across;
            gradient[1] = -0.6 * along / 100 - 0.8 * across;
            gradient[2] = -theta[2] / 4;
            return -0.5 * (along * along / 100 + across * across + theta[2] * theta[2] / 4);
          }
        };
    Hmc narrow = new Hmc(Preconditioner.of(factor), Hmc.optimalStepSize(3), Hmc.BY_TIME);
    ChainRunner runner = runner(WARMUP);
    ChainTrace trace = new ChainTrace(1);
    Plain shaped = new Plain(target, true);
    ChainState<Point> end =
        runner.advance(
            runner.begin(trace, shaped, narrow, new double[3]),
            runner.length().iterations(),
            shaped,
            trace);
    double[] stretch = Objects.requireNonNull(Objects.requireNonNull(end.shaping()).stretch());
    assertEquals(1, stretch.length);
    double expected = 10 / Math.sqrt(2);
    assertEquals(expected, stretch[0], 0.4 * expected);
    double without = leastEss(runner.run(1, new Plain(target, false), narrow, new double[3]));
    double with = leastEss(trace);
    assertTrue(with > 3 * without, with + " and " + without);
  }

  /** An approximation whose first standard deviation is a tenth of what it should be. */
  @Test
  void whatSpreadsFartherIsStretched() {
    double[] start = new double[3];
    ThetaKernel narrow = kernel(1, 1, 4);
    LogDensity target = normal(10, 1, 2);
    ChainRunner runner = runner(WARMUP);
    ChainTrace trace = new ChainTrace(1);
    Plain shaped = new Plain(target, true);
    ChainState<Point> end =
        runner.advance(
            runner.begin(trace, shaped, narrow, start),
            runner.length().iterations(),
            shaped,
            trace);
    double[] stretch = Objects.requireNonNull(Objects.requireNonNull(end.shaping()).stretch());
    assertTrue(stretch[0] > 6 && stretch[0] < 15, "stretched by " + stretch[0]);
    assertEquals(1, stretch[4], 0.3);
    assertEquals(1, stretch[8], 0.3);
    ChainTrace unshaped = runner.run(1, new Plain(target, false), narrow, start);
    double with = leastEss(trace);
    double without = leastEss(unshaped);
    assertTrue(with > 300 && without < 60, with + " beside " + without);
  }

  /** Where the approximation is right, every draw is what it would be anyway. */
  @Test
  void whatIsRightStaysToTheBit() {
    ThetaKernel right = kernel(1, 9, 4);
    LogDensity target = normal(1, 3, 2);
    ChainTrace shaped = runner(WARMUP).run(1, new Plain(target, true), right, new double[3]);
    ChainTrace plain = runner(WARMUP).run(1, new Plain(target, false), right, new double[3]);
    assertArrayEquals(
        plain.draws().toArray(double[][]::new), shaped.draws().toArray(double[][]::new));
  }

  @Test
  void aShortWarmupIsLeftAlone() {
    assertEquals(Optional.empty(), Shaping.of(kernel(1, 1), Shaping.SHORTEST - 1));
    assertTrue(Shaping.of(kernel(1, 1), Shaping.SHORTEST).isPresent());
    ThetaKernel about = kernel(1, 1).about(new double[2]);
    assertEquals(Optional.empty(), Shaping.of(about, WARMUP));
    double[] many = new double[202];
    Arrays.fill(many, 1);
    assertEquals(Optional.empty(), Shaping.of(kernel(many), WARMUP));
    ThetaKernel unshaped = new Hmc(Preconditioner.identity(2), 0.5, 4);
    assertEquals(Optional.empty(), Shaping.of(unshaped, WARMUP));
  }

  /** A first look that was wrong is taken back by the second. */
  @Test
  void theLastLookCounts() {
    Shaping shaping = Shaping.of(kernel(1), WARMUP).orElseThrow();
    for (int i = 1; i <= WARMUP; i++) {
      double sd = i <= 200 ? 30 : 0.5;
      shaping = shaping.after(i, new double[] {i % 2 == 0 ? sd : -sd});
      if (i < 200 || i >= 400) {
        assertNull(shaping.stretch(), "after " + i);
      } else {
        assertTrue(Objects.requireNonNull(shaping.stretch())[0] > 20);
      }
    }
    assertNull(shaping.spread());
  }

  /** Cut into stretches, stored and read between them, a warm-up is the same. */
  @Test
  void stretchesOfIterationsAreTheWhole() throws IOException {
    LogDensity target = new SkewedDensity(6, 1, 5);
    ThetaKernel narrow = kernel(0.01, 1, 1);
    Plain shaped = new Plain(target, true);
    ChainRunner runner = runner(WARMUP);
    ChainTrace whole = runner.run(2, shaped, narrow, new double[3]);
    ChainTrace parts = new ChainTrace(2);
    ChainState<Point> state = runner.begin(parts, shaped, narrow, new double[3]);
    for (long to : new long[] {90, 199, 200, 201, 399, 400, 1500}) {
      byte[] stored = StoredForm.bytes(runner.advance(state, to, shaped, parts).kept());
      ChainState.Kept kept = StoredForm.read(ChainState.Kept.class, stored);
      state = kept.resumed(shaped.restored(kept.state()), narrow);
    }
    assertArrayEquals(
        whole.draws().toArray(double[][]::new), parts.draws().toArray(double[][]::new));
    assertNotNull(Objects.requireNonNull(state.shaping()).stretch());
  }
}
