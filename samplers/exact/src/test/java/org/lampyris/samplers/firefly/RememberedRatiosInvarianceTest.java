package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.samplers.kernel.Hmc;
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
              new ImplicitBrightness(), new ExplicitBrightness(new RowSelection.Scheduled(2, 4)))) {
        BoundBlock block = TinyModel.block(new BlockRates.Uniform(0.5, 4));
        FireflyKernel<Brightness> remembering =
            kernel(new FireflyRows.InMemory(List.of(block), PASS), z);
        FireflyKernel<Brightness> forgetting = kernel(forgetful(block), z);
        assertSameMoves(remembering, forgetting, theta);
      }
    }
  }

  private static FireflyKernel<Brightness> kernel(
      FireflyRows<Brightness> rows, BrightnessKernel z) {
    return new FireflyKernel<>(
        1,
        TinyModel.prior(),
        TinyModel.collapsed(),
        rows,
        new FireflyKernel.ZStep(z, RowSelection.Size.fixed(0)),
        1);
  }

  private static void assertSameMoves(
      FireflyKernel<Brightness> a, FireflyKernel<Brightness> b, ThetaKernel theta) {
    Streams streams = new Streams(8);
    FireflyKernel.State<Brightness> one = a.init(new double[] {0.3}).state();
    FireflyKernel.State<Brightness> other = b.init(new double[] {0.3}).state();
    long saved = 0;
    long brightSeen = 0;
    for (long i = 1; i <= ITERATIONS; i++) {
      var stepOfA = a.step(one, i, theta, streams.stream(Streams.Purpose.THETA, 1, i, 0));
      var stepOfB = b.step(other, i, theta, streams.stream(Streams.Purpose.THETA, 1, i, 0));
      one = stepOfA.state();
      other = stepOfB.state();
      assertArrayEquals(other.point().theta(), one.point().theta(), "iteration " + i);
      assertEquals(other.point().logDensity(), one.point().logDensity(), "iteration " + i);
      assertArrayEquals(other.rows().rows(), one.rows().rows(), "iteration " + i);
      assertEquals(stepOfB.info().columns(), stepOfA.info().columns(), "iteration " + i);
      assertEquals(List.of((double) one.rows().size()), stepOfA.info().columns());
      saved += stepOfB.info().likelihoodEvaluations() - stepOfA.info().likelihoodEvaluations();
      brightSeen += one.rows().size();
    }
    assertTrue(brightSeen > ITERATIONS / 10, "too few bright rows: " + brightSeen);
    assertTrue(saved > 0, "nothing was saved by remembering");
  }

  /** Returns rows that know which of them are bright, and nothing of their ratios. */
  private static FireflyRows<Brightness> forgetful(BoundBlock block) {
    return new ScriptedRows(
        (before, question) ->
            new FireflyRows.InMemory(List.of(block), PASS)
                .ask(TinyModel.brightness(before.rows()), question));
  }
}
