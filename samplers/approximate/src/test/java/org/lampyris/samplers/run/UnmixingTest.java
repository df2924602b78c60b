package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.MemoryRun;

/** Independent components of two signals: the posterior is that of one angle, by quadrature. */
class UnmixingTest {
  private static final int ROWS = 60;
  private static final MemoryRun TWO =
      new MemoryRun(FamilySpec.of("ica"), signals(), List.of("x1"), Map.of());

  /** Two Laplace sources of variance 1, turned by an angle of 0.4, in blocks of 20 rows. */
  private static List<DataBlock> signals() {
    UniformRandomProvider rng = new Streams(12).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int block = 0; block < ROWS / 20; block++) {
      double[] first = new double[20];
      double[] second = new double[20];
      for (int i = 0; i < 20; i++) {
        double a = laplace(rng.nextDouble());
        double b = laplace(rng.nextDouble());
        first[i] = Math.cos(0.4) * a - Math.sin(0.4) * b;
        second[i] = Math.sin(0.4) * a + Math.cos(0.4) * b;
      }
      blocks.add(new DenseBlock(block, 1, first, second, null));
    }
    return blocks;
  }

  private static double laplace(double u) {
    return Math.copySign(Math.log1p(-2 * Math.abs(u - 0.5)) / Math.sqrt(2), u - 0.5);
  }

  /** Returns E f(φ) over the rotations by φ, by the trapezoid rule. */
  private static double exact(DoubleUnaryOperator f) {
    int nodes = 4000;
    double total = 0;
    double sum = 0;
    double mode = TWO.logPosterior(rotation(0));
    for (int i = 0; i < nodes; i++) {
      double angle = 2 * Math.PI * i / nodes;
      double density = Math.exp(TWO.logPosterior(rotation(angle)) - mode);
      total += density;
      sum += density * f.applyAsDouble(angle);
    }
    return sum / total;
  }

  private static double[] rotation(double angle) {
    return new double[] {Math.cos(angle), -Math.sin(angle), Math.sin(angle), Math.cos(angle)};
  }

  private static Map<String, Object> keys(String algorithm, int draws) {
    return new HashMap<>(
        Map.of(
            "algorithm",
            algorithm,
            "kernel",
            "stiefel",
            "chains",
            2,
            "warmup",
            300,
            "draws",
            draws,
            "seed",
            5,
            "init",
            "overdispersed"));
  }

  /** What does not change when sources change places or signs has the period ½π. */
  private static final List<DoubleUnaryOperator> FIGURES =
      List.of(
          angle -> Math.cos(4 * angle),
          angle -> Math.sin(4 * angle),
          angle -> Math.cos(8 * angle),
          angle -> Math.sin(8 * angle));

  /** Returns the differences of the figures' means to the exact ones, in Monte-Carlo errors. */
  private static double[] off(RunResult run) {
    return FIGURES.stream()
        .mapToDouble(
            f -> {
              double[][] values =
                  run.chains().stream()
                      .map(
                          chain ->
                              chain.draws().stream()
                                  .mapToDouble(w -> f.applyAsDouble(Math.atan2(w[2], w[0])))
                                  .toArray())
                      .toArray(double[][]::new);
              double mean = mean(values);
              return (mean - exact(f)) / Diagnostics.mcseMean(values);
            })
        .toArray();
  }

  private static double mean(double[][] values) {
    double sum = 0;
    for (double[] chain : values) {
      for (double value : chain) {
        sum += value / chain.length / values.length;
      }
    }
    return sum;
  }

  /** 12 figures within 4 Monte-Carlo errors: a false alarm in 1300 seeds. */
  @Test
  void exactAlgorithmsHaveTheMeansOfTheQuadrature() {
    assertTrue(exact(FIGURES.get(0)) < 0.9 && exact(angle -> 1) == 1, "hardly a posterior");
    Map<String, Object> tested = keys("austerity", 4000);
    tested.put("austerity", MemoryRun.mapping(Map.of("epsilon", 0)));
    Map<String, Object> delayed = keys("delayed-acceptance", 4000);
    delayed.put("delayed_acceptance", MemoryRun.mapping(Map.of("proxies", false, "batches", 5)));
    for (Map<String, Object> keys : List.of(keys("metropolis", 4000), tested, delayed)) {
      for (double off : off(TWO.run(keys))) {
        assertEquals(0, off, 4, keys.get("algorithm") + ", seed 5");
      }
    }
  }

  @Test
  void withoutToleranceTheTestIsMetropolisHastings() {
    Map<String, Object> tested = keys("austerity", 200);
    tested.put("austerity", MemoryRun.mapping(Map.of("epsilon", 0)));
    List<ChainTrace> expected = TWO.run(keys("metropolis", 200)).chains();
    List<ChainTrace> actual = TWO.run(tested).chains();
    for (int c = 0; c < expected.size(); c++) {
      for (int i = 0; i < 200; i++) {
        // The adapted steps differ by rounding, as sums are added in another order.
        assertArrayEquals(
            expected.get(c).draws().get(i), actual.get(c).draws().get(i), 1e-6, "draw " + i);
      }
    }
  }

  /** The mode is one of W in R⁴; its polar factor is near that of the angle. */
  @Test
  void chainsStayOnTheManifold() {
    for (double[] w : TWO.run(keys("metropolis", 50)).chains().get(0).draws()) {
      assertEquals(1, w[0] * w[0] + w[1] * w[1], 1e-12);
      assertEquals(0, w[0] * w[2] + w[1] * w[3], 1e-12);
    }
  }
}
