package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.driver.predict.SimulatedTable.Form;
import org.lampyris.driver.predict.SimulatedTable.Truth;
import org.lampyris.driver.predict.SimulatedTable.Weights;
import org.lampyris.samplers.random.Streams;

/** How often predictive checks doubt models: right ones hardly ever, wrong ones always. */
class FalseAlarmTest {
  private static final double[] SCALES = {1, 2, 4}; // none, unit, gelman

  /** The probability that a right program fails one of four assertions, at most. */
  private static final double FALSELY = 2.5e-5;

  private static UniformRandomProvider rng(long table) {
    return new Streams(43).stream(Streams.Purpose.INITIAL, 0, 0, table);
  }

  /**
   * Tables of the model itself: every family × standardize × weights × effects of groups. At the
   * true θ a table is one more replicate, so that these are binomial: how many tables are doubted,
   * at most 4/4,001; how many lie beyond the first 400 replicates, at most 4/401; how many have
   * group means with p ≤ 0.1. A right program fails with probability 10⁻⁴ at most. Of one that
   * exceeds the second rate by a factor of 5, as where standard deviations are 18 % too small and
   * ten times too many models are doubted, the second count finds 6 in 10. The leave-one-out
   * transforms of numbers and counts have p ≤ 1/4,001 and p ≤ 0.1 likewise.
   */
  @Test
  void rightModelsAreNotDoubted() {
    List<String> alarms = new ArrayList<>();
    int tables = 0;
    int extreme = 0;
    int low = 0;
    List<LooPit> leftOut = new ArrayList<>();
    for (String family : SimulatedTable.families()) {
      Truth truth = Truth.of(family);
      for (double scale : SCALES) {
        for (Weights weights : Weights.values()) {
          for (int effects = 0; effects < (family.equals("softmax") ? 1 : 2); effects++) {
            Form form = new Form(90, scale, weights, effects == 1, 0);
            PredictiveCheck check = new SimulatedTable(truth, form, rng(tables++)).check(truth, 1);
            check.doubts().forEach(doubt -> alarms.add(family + " " + form + ": " + doubt));
            extreme += check.replicates() >= PredictiveCheck.ALL ? 1 : 0;
            low += check.statistics().get(0).p() <= 0.1 ? 1 : 0;
            Stream.ofNullable(check.loo()).forEach(leftOut::add);
          }
        }
      }
    }
    assertTrue(alarms.size() <= most(tables, 4 / 4001.0), alarms.toString());
    assertTrue(extreme <= most(tables, 4 / 401.0), extreme + " tables beyond 400 replicates");
    assertTrue(low <= most(tables, 40 / 401.0), low + " tables with p ≤ 0.1");
    assertTrue(tables - low <= most(tables, 361 / 401.0), low + " tables with p ≤ 0.1");
    long beyond = leftOut.stream().filter(LooPit::isExtreme).count();
    long below = leftOut.stream().filter(one -> one.p() <= 0.1).count();
    assertTrue(beyond <= most(leftOut.size(), 1 / 4001.0), beyond + " transforms beyond all");
    assertTrue(below <= most(leftOut.size(), 0.1), below + " transforms with p ≤ 0.1");
  }

  private static int most(int tables, double rate) {
    return BinomialDistribution.of(tables, rate).inverseSurvivalProbability(FALSELY);
  }

  /** A slope that is wrong by a quarter, a level's effect that is missing, a curve. */
  @ParameterizedTest
  @MethodSource("org.lampyris.driver.predict.SimulatedTable#families")
  void wrongMeansAreDoubted(String family) {
    Truth truth = Truth.of(family);
    int slope = family.equals("softmax") ? 5 : 1;
    for (Weights weights : Weights.values()) {
      Form form = new Form(500, 2, weights, false, 0);
      SimulatedTable table = new SimulatedTable(truth, form, rng(7));
      List<String> doubts = table.check(truth.with(slope, 2 * truth.theta()[slope]), 1).doubts();
      assertTrue(
          doubts.stream().anyMatch(d -> d.contains("replicated tables it is")),
          form + ": " + doubts);
    }
    // A parabola beside what is linear: the softmax has it in all predictors, where it cancels.
    Form curved = new Form(500, 1, Weights.NONE, false, family.equals("softmax") ? 0 : 0.25);
    List<String> doubts = new SimulatedTable(truth, curved, rng(8)).check(truth, 1).doubts();
    assertEquals(family.equals("softmax"), doubts.isEmpty(), doubts.toString());
  }

  /** Another scatter, shape or tail, each with the place that names it. */
  @ParameterizedTest
  @CsvSource({
    "gaussian, 2.2, scatters less",
    "gaussian, 1.3, scatters more",
    "robust, 2.6, quantiles of its predictive distribution",
    "negative_binomial, 0.7, share of rows with y",
    "gamma, 3.5, scatters more",
    "beta, 12, scatters more",
  })
  void wrongDispersionsAreDoubted(String family, double other, String words) {
    Truth truth = Truth.of(family);
    Form form = new Form(1000, 2, Weights.NONE, true, 0);
    List<String> doubts =
        new SimulatedTable(truth, form, rng(9))
            .check(truth.with(truth.theta().length - 1, other), 1)
            .doubts();
    assertTrue(doubts.stream().anyMatch(doubt -> doubt.contains(words)), doubts.toString());
  }

  /** Zeros and the largest count of overdispersed counts, taken for Poisson. */
  @Test
  void countsAreHeldAgainstZerosAndMaxima() {
    Truth truth = Truth.of("negative_binomial").with(4, 0.5);
    for (Weights weights : List.of(Weights.NONE, Weights.COUNTS)) {
      SimulatedTable table =
          new SimulatedTable(truth, new Form(1000, 1, weights, false, 0), rng(10));
      PredictiveCheck check = table.check(Truth.of("poisson").with(3, -1), 1);
      String doubts = check.doubts().toString();
      assertTrue(doubts.contains("scatters more"), weights + doubts);
      assertTrue(doubts.contains("share of rows with y = 0"), weights + doubts);
      assertTrue(doubts.contains("largest y is"), weights + doubts);
      assertTrue(doubts.contains("95 % of 4,000 replicated tables it is"), weights + doubts);
    }
  }
}
