package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** What is kept of draws against the draws themselves. */
class EffectRecorderTest {
  private static final int CHAINS = 4;
  private static final int DRAWS = 4000;

  /** Autoregressive chains of a skewed variable about 100, of which one may be off. */
  private static double[][] chains(double correlation, double off) {
    Random random = new Random(5);
    double[][] all = new double[CHAINS][DRAWS + 200];
    for (int c = 0; c < CHAINS; c++) {
      double z = random.nextGaussian();
      for (int i = 0; i < all[c].length; i++) {
        z = correlation * z + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        all[c][i] = 100 + z + 0.2 * z * z + (c == 0 ? off : 0);
      }
    }
    return all;
  }

  private static double[] recorded(double[][] chains) {
    List<EffectRecorder> all = new ArrayList<>();
    for (double[] chain : chains) {
      EffectRecorder recorder = EffectRecorder.of(2, DRAWS, 0);
      for (int i = 0; i < chain.length; i++) {
        recorder =
            recorder.with(
                new double[] {-1, chain[i]},
                i < 50
                    ? EffectRecorder.Phase.NONE
                    : i < 200 ? EffectRecorder.Phase.SETTLING : EffectRecorder.Phase.KEPT);
      }
      assertEquals(DRAWS, recorder.kept());
      all.add(recorder);
    }
    return EffectRecorder.summary(all, 1);
  }

  private static VariableSummary summary(double[][] chains) {
    return VariableSummary.of(
        "x",
        Arrays.stream(chains)
            .map(chain -> Arrays.copyOfRange(chain, 200, chain.length))
            .toArray(double[][]::new));
  }

  @Test
  void statisticsAreThoseOfAllDraws() {
    double[][] chains = chains(0.5, 0);
    VariableSummary all = summary(chains);
    double[] kept = recorded(chains);
    assertEquals(all.mean(), kept[0], 1e-9);
    assertEquals(all.sd(), kept[1], 0.005 * all.sd());
    assertEquals(all.quantiles().q5(), kept[2], 0.03 * all.sd());
    assertEquals(all.quantiles().median(), kept[3], 0.03 * all.sd());
    assertEquals(all.quantiles().q95(), kept[4], 0.03 * all.sd());
    assertEquals(all.mixing().rhat(), kept[5], 0.005);
    assertEquals(all.mixing().essBulk(), kept[6], 0.25 * all.mixing().essBulk());
  }

  @Test
  void chainsThatHaveNotMetAreToldApart() {
    double[][] chains = chains(0.5, 3);
    VariableSummary all = summary(chains);
    double[] kept = recorded(chains);
    assertTrue(kept[5] > 1.3, "R-hat " + kept[5]);
    assertEquals(all.quantiles().q95(), kept[4], 0.05 * all.sd());
  }

  /** 2,000,000 draws of one chain, of which the middle bins get more than 65,535 each. */
  @Test
  void quantilesOfLongChainsAreNotWidened() {
    int draws = 2_000_000;
    Random random = new Random(7);
    EffectRecorder recorder = EffectRecorder.of(1, draws, 0);
    for (int i = -200; i < draws; i++) {
      double[] x = {random.nextGaussian()};
      recorder =
          recorder.with(x, i < 0 ? EffectRecorder.Phase.SETTLING : EffectRecorder.Phase.KEPT);
    }
    double[] kept = EffectRecorder.summary(List.of(recorder), 0);
    // Interpolation is off by 0.004 at most, and the quantile's Monte-Carlo error is 0.0015.
    assertEquals(-1.6449, kept[2], 0.01);
    assertEquals(0, kept[3], 0.01);
    assertEquals(1.6449, kept[4], 0.01);
  }

  @Test
  void withoutAWarmUpThereAreNoQuantiles() {
    EffectRecorder recorder = EffectRecorder.of(1, 40, 8);
    for (int i = 0; i < 40; i++) {
      recorder = recorder.with(new double[] {1000 + i % 7}, EffectRecorder.Phase.KEPT);
    }
    double[] kept = EffectRecorder.summary(List.of(recorder), 0);
    assertEquals(1002.9, kept[0], 0.2);
    assertTrue(Double.isNaN(kept[2]) && Double.isNaN(kept[4]));
    assertArrayEquals(
        new float[] {1004, 1002, 1000, 1005, 1003, 1001, 1006, 1004},
        EffectRecorder.values(List.of(recorder), 0));
  }
}
