package org.lampyris.samplers.austerity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.random.Streams;

/** What is predicted of whole tests, against tests of normal values in random orders. */
class TestPropertiesTest {
  private static final StudentDecision.Boundary SAME = StudentDecision.Boundary.SAME;

  private static final int ROWS = 4000;
  private static final int TESTS = 800;

  /** Normal values, shifted and scaled to mean 0 and variance 1 exactly. */
  private static double[] values() {
    UniformRandomProvider rng = new Streams(2).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] z = normal.samples(ROWS).toArray();
    double mean = Arrays.stream(z).average().orElseThrow();
    double sd = Math.sqrt(Arrays.stream(z).map(x -> (x - mean) * (x - mean)).sum() / ROWS);
    return Arrays.stream(z).map(x -> (x - mean) / sd).toArray();
  }

  /**
   * 20 points (μ_std, m, ε); each frequency within 4 of its Monte-Carlo errors, 40 figures: a false
   * alarm in 400 seeds.
   */
  @Test
  void errorAndDataUseAreThoseOfSimulatedTests() {
    double[] values = values();
    int seed = 0;
    double largest = 0;
    for (double standardized : new double[] {0, 0.5, 1.5, 4, 10}) {
      // rest is such that log u − rest over N is μ_0 = −μ_std/√(N − 1) at u = 1/2.
      double rest = Math.log(0.5) + standardized / Math.sqrt(ROWS - 1.0) * ROWS;
      for (long m : new long[] {300, 1000}) {
        for (double epsilon : new double[] {0.2, 0.02}) {
          StudentDecision test = new StudentDecision(m, epsilon);
          double wrong = 0;
          double use = 0;
          double squares = 0;
          for (int k = 0; k < TESTS; k++) {
            Population.Counting counting =
                Population.counting(rest, Population.shuffled(values, ++seed));
            boolean accepted = test.accepts(counting.trial(), Population.uniforms(0.5));
            double share = (double) counting.looked() / ROWS;
            // At 0 either decision is as wrong: that of an early end to the one side counts.
            wrong += !accepted && (standardized > 0 || share < 1) ? 1 : 0;
            use += share;
            squares += share * share;
          }
          TestProperties expected = TestProperties.of(standardized, ROWS, m, epsilon);
          String where = standardized + ", " + m + ", " + epsilon;
          double p = expected.error();
          double error = Math.sqrt(Math.max(p * (1 - p), 1e-3) / TESTS);
          assertEquals(p, wrong / TESTS, 4 * error, where);
          double variance = squares / TESTS - use / TESTS * (use / TESTS);
          double useError = Math.sqrt(Math.max(variance, 1e-6) / TESTS);
          assertEquals(expected.dataUse(), use / TESTS, 4 * useError, where);
          largest = Math.max(largest, p);
        }
      }
    }
    assertTrue(largest > 0.2, "no test is ever wrong");
  }

  /**
   * The same with the boundaries of O'Brien and Fleming and one between: 6 figures, 4 of their
   * Monte-Carlo errors. Pocock's boundary has errors that are larger by more than 4.
   */
  @Test
  void wangAndTsiatisBoundariesAreThoseOfSimulatedTests() {
    double[] values = values();
    int seed = 1_000_000;
    for (double shape : new double[] {0, 0.25}) {
      StudentDecision test =
          new StudentDecision(600, 0.05, new StudentDecision.Boundary(shape, 0, 1));
      double pocock = TestProperties.of(0, ROWS, 600, 0.05).error();
      for (double standardized : new double[] {0, 1.5, 4}) {
        double rest = Math.log(0.5) + standardized / Math.sqrt(ROWS - 1.0) * ROWS;
        double wrong = 0;
        double use = 0;
        for (int k = 0; k < TESTS; k++) {
          Population.Counting counting =
              Population.counting(rest, Population.shuffled(values, ++seed));
          boolean accepted = test.accepts(counting.trial(), Population.uniforms(0.5));
          double share = (double) counting.looked() / ROWS;
          wrong += !accepted && (standardized > 0 || share < 1) ? 1 : 0;
          use += share / TESTS;
        }
        TestProperties expected = TestProperties.of(standardized, ROWS, test);
        String where = shape + ", " + standardized;
        double p = expected.error();
        double error = Math.sqrt(Math.max(p * (1 - p), 1e-3) / TESTS);
        assertEquals(p, wrong / TESTS, 4 * error, where);
        assertEquals(expected.dataUse(), use, 4 * 0.4 / Math.sqrt(TESTS), where);
        if (standardized == 0) {
          assertTrue(p < pocock - 4 * error && p > 0.05, p + " of " + pocock);
        }
      }
    }
  }

  /** One look at half of the rows, by hand: Φ(−G − μ_std) and Φ(−G + μ_std). */
  @Test
  void aSingleLookIsByHand() {
    TestProperties found = TestProperties.of(0.7, 1000, 500, 0.1);
    // G = 1.2815515655446004; Φ(−1.9815515655) = 0.0237638, Φ(−0.5815515655) = 0.2804344.
    assertEquals(0.0237638, found.error(), 2e-6);
    assertEquals(1 - 0.5 * (0.0237638 + 0.2804344), found.dataUse(), 3e-6);
  }

  /** 1,000 looks, by Brownian motions in r; 4 of the Monte-Carlo errors. */
  @Test
  void manyLooksAreThoseOfABrownianMotion() {
    int rows = 100_000;
    int batch = 100;
    UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    for (double drift : new double[] {0, 2}) {
      int tests = 3000;
      double wrong = 0;
      double use = 0;
      for (int k = 0; k < tests; k++) {
        double y = 0;
        double r = 0;
        int n = batch;
        // G of ε = 0.01.
        for (; n < rows; n += batch) {
          double next = (double) n / (rows - n);
          y += drift * (next - r) + Math.sqrt(next - r) * normal.sample();
          r = next;
          if (Math.abs(y) > 2.3263478740408408 * Math.sqrt(r)) {
            wrong += y < 0 ? 1 : 0;
            break;
          }
        }
        use += (double) n / rows;
      }
      TestProperties found = TestProperties.of(drift, rows, batch, 0.01);
      double p = found.error();
      assertEquals(p, wrong / tests, 4 * Math.sqrt(p * (1 - p) / tests), "error, " + drift);
      assertEquals(found.dataUse(), use / tests, 4 * 0.5 / Math.sqrt(tests), "use, " + drift);
    }
  }

  @Test
  void theCheapestDesignWithinTheErrorIsChosen() {
    List<TestDesign.Pair> pairs =
        List.of(
            new TestDesign.Pair(-0.5, 1e-5, 0.02),
            new TestDesign.Pair(0.3, -2e-4, 0.01),
            new TestDesign.Pair(0, 5e-4, 0.03));
    double cheaper = 0;
    for (double most : new double[] {0.001, 0.01, 0.1}) {
      TestDesign average = TestDesign.average(pairs, ROWS, most, SAME);
      TestDesign worst = TestDesign.worst(ROWS, most, SAME);
      assertTrue(average.error() <= most && worst.error() <= most, most + ": " + average);
      TestDesign there =
          TestDesign.average(pairs, ROWS, new StudentDecision(worst.batch(), worst.epsilon()));
      assertTrue(average.dataUse() <= there.dataUse() + 1e-12, "the worst-case design is cheaper");
      cheaper = Math.max(cheaper, there.dataUse() / average.dataUse());
      TestDesign fixed =
          TestDesign.average(pairs, ROWS, new StudentDecision(640, average.epsilon()));
      assertTrue(fixed.error() > most || fixed.dataUse() >= average.dataUse());
    }
    assertTrue(cheaper > 1.2, "the average design gains nothing: " + cheaper);
  }

  /** Δ of one pair against decisions simulated over u. */
  @Test
  void theErrorOfTheAcceptanceProbabilityIsThatOfSimulatedTests() {
    double[] values = values();
    TestDesign.Pair pair = new TestDesign.Pair(-1.2, 0, 1);
    StudentDecision test = new StudentDecision(400, 0.2);
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    // A spread of the log ratio of 30 standard deviations over the batch: scale down the values.
    double scale = 0.002;
    double[] small = Arrays.stream(values).map(x -> x * scale).toArray();
    double accepted = 0;
    int tests = 2000;
    for (int k = 0; k < tests; k++) {
      double u = rng.nextDouble();
      accepted +=
          test.accepts(
                  Population.trial(pair.rest(), Population.shuffled(small, 100_000 + k)),
                  Population.uniforms(u))
              ? 1
              : 0;
    }
    TestDesign.Pair scaled = new TestDesign.Pair(pair.rest(), 0, scale);
    TestDesign found = TestDesign.average(List.of(scaled), ROWS, new StudentDecision(400, 0.2));
    double off = Math.abs(accepted / tests - scaled.acceptance(ROWS));
    assertEquals(found.error(), off, 4 * 0.5 / Math.sqrt(tests));
  }
}
