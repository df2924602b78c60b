package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.logistic.JaakkolaJordanBound;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/**
 * What rows remember of earlier evaluations saves evaluations and nothing else: a chain whose rows
 * remember makes the same moves, to the last bit, as one whose rows forget after every question.
 */
class RememberedRatiosInvarianceTest {
  private static final int ITERATIONS = 2000;
  private static final FireflyPass PASS =
      new FireflyPass(new JaakkolaJordanBound(1), new Streams(8));

  @Test
  void aChainThatRemembersMakesTheSameMoves() {
    Preconditioner unit = Preconditioner.identity(1);
    for (ThetaKernel theta : List.of(new RandomWalk(unit, 1.5), new Hmc(unit, 0.7, 3))) {
      for (BrightnessKernel z :
          List.of(
              new ImplicitBrightness(new CandidateRates.Uniform(0.5)),
              new ExplicitBrightness(new RowSelection.Scheduled(2, 4)))) {
        BoundBlock block = new BoundBlock(TinyModel.data(), TinyModel.anchors(), null);
        FireflyKernel remembering = kernel(new InMemoryFireflyRows(List.of(block), PASS), z);
        FireflyKernel forgetting = kernel(new Forgetful(block), z);
        assertSameMoves(remembering, forgetting, theta);
      }
    }
  }

  private static FireflyKernel kernel(FireflyRows rows, BrightnessKernel z) {
    return new FireflyKernel(
        1,
        TinyModel.prior(),
        TinyModel.collapsed(),
        rows,
        new FireflyKernel.ZStep(z, SelectionSize.fixed(0)),
        1);
  }

  private static void assertSameMoves(FireflyKernel a, FireflyKernel b, ThetaKernel theta) {
    Streams streams = new Streams(8);
    Point one = a.init(new double[] {0.3}).point();
    Point other = b.init(new double[] {0.3}).point();
    long saved = 0;
    long brightSeen = 0;
    for (long i = 1; i <= ITERATIONS; i++) {
      var stepOfA = a.step(one, i, theta, streams.stream(Streams.Purpose.THETA, 1, i, 0));
      var stepOfB = b.step(other, i, theta, streams.stream(Streams.Purpose.THETA, 1, i, 0));
      one = stepOfA.point();
      other = stepOfB.point();
      assertArrayEquals(other.theta(), one.theta(), "iteration " + i);
      assertEquals(other.logDensity(), one.logDensity(), "iteration " + i);
      assertEquals(stepOfB.info().brightRows(), stepOfA.info().brightRows(), "iteration " + i);
      saved += stepOfB.info().likelihoodEvaluations() - stepOfA.info().likelihoodEvaluations();
      brightSeen += stepOfA.info().brightRows();
    }
    assertTrue(brightSeen > ITERATIONS / 10, "too few bright rows: " + brightSeen);
    assertTrue(saved > 0, "nothing was saved by remembering");
  }

  /** Knows which rows are bright, and nothing of their ratios. */
  private static final class Forgetful implements FireflyRows {
    private final BoundBlock block;
    private long[] bright = new long[0];

    Forgetful(BoundBlock block) {
      this.block = block;
    }

    @Override
    public FireflyAnswer ask(FireflyQuestion question) {
      InMemoryFireflyRows rows =
          new InMemoryFireflyRows(
              List.of(block),
              PASS,
              new DrawnCandidates(PASS, List.of(block), null),
              new Brightness(new double[0][], bright, new double[0][]));
      FireflyAnswer answer = rows.ask(question);
      bright = rows.brightness().rows();
      return answer;
    }
  }
}
