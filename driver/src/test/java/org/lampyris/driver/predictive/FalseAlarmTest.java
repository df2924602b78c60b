package org.lampyris.driver.predictive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.driver.predictive.SimulatedTable.Form;
import org.lampyris.driver.predictive.SimulatedTable.Truth;
import org.lampyris.driver.predictive.SimulatedTable.Weights;
import org.lampyris.samplers.random.Streams;

/** How often predictive checks doubt models: right ones hardly ever, wrong ones always. */
class FalseAlarmTest {
  private static final List<String> FAMILIES =
      List.of(
          "gaussian",
          "robust",
          "logistic",
          "probit",
          "binomial",
          "poisson",
          "negative_binomial",
          "gamma",
          "beta",
          "softmax",
          "ordinal");

  private static final double[] SCALES = {1, 2, 4}; // none, unit, gelman
  private static final int TABLES = Integer.getInteger("lampyris.tables", 1);

  private static UniformRandomProvider rng(long table) {
    return new Streams(43).stream(Streams.Purpose.INITIAL, 0, 0, table);
  }

  /**
   * Tables from the model itself: every family × standardize × weights × effects of groups. With a
   * rate of 1 in 1,000, more than 2 of the 252 tables are doubted with probability 2·10⁻³. The
   * shares of p-values below 0.1 are asserted where the rows are independent; weights that have
   * nothing to do with equal rows make the reading as copies too narrow, and are left out.
   */
  @Test
  void rightModelsAreNotDoubted() {
    boolean all = "all".equals(System.getProperty("lampyris.validation"));
    int tables = all ? 20 * TABLES : TABLES;
    List<String> alarms = new ArrayList<>();
    List<TestStatistic> none = List.of();
    int checked = 0;
    int small = 0;
    int values = 0;
    for (String family : FAMILIES) {
      for (double scale : SCALES) {
        for (Weights weights : Weights.values()) {
          for (int effects = 0; effects < (family.equals("softmax") ? 1 : 2); effects++) {
            for (int table = 0; table < tables; table++) {
              Form form = new Form(90, scale, weights, effects == 1, 0);
              Truth truth = Truth.of(family);
              PredictiveCheck check =
                  new SimulatedTable(truth, form, rng(checked++)).check(truth, 1);
              String where = family + " " + form + ": ";
              check.doubts().forEach(doubt -> alarms.add(where + doubt));
              boolean uniform = weights != Weights.IMPORTANCE || family.equals("binomial");
              for (TestStatistic found : uniform ? check.statistics() : none) {
                values++;
                small += found.p() < 0.1 ? 1 : 0;
              }
            }
          }
        }
      }
    }
    double expected = checked * 1e-3;
    assertTrue(alarms.size() <= expected + 5 * Math.sqrt(expected), alarms.toString());
    assertTrue(values > 2 * checked, "there are statistics: " + values);
    // Those of one table are not independent: their standard error is taken for twice that of p.
    double share = (double) small / values;
    assertEquals(0.08, share, 0.02 + 8 * Math.sqrt(0.09 / values), "p-values below 0.1");
  }

  /** A slope that is wrong by a quarter, a level's effect that is missing, a curve. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "robust",
        "logistic",
        "probit",
        "binomial",
        "poisson",
        "negative_binomial",
        "gamma",
        "beta",
        "softmax",
        "ordinal"
      })
  void wrongMeansAreDoubted(String family) {
    Truth truth = Truth.of(family);
    int slope = family.equals("softmax") ? 5 : 1;
    for (Weights weights : Weights.values()) {
      Form form = new Form(1500, 2, weights, false, 0);
      SimulatedTable table = new SimulatedTable(truth, form, rng(7));
      List<String> doubts = table.check(truth.with(slope, 2 * truth.theta()[slope]), 1).doubts();
      assertTrue(
          doubts.stream().anyMatch(d -> d.contains("replicated tables have")),
          form + ": " + doubts);
    }
    // A parabola beside what is linear: the softmax has it in all predictors, where it cancels.
    Form curved = new Form(1500, 1, Weights.NONE, false, family.equals("softmax") ? 0 : 0.12);
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
    Form form = new Form(2000, 2, Weights.NONE, true, 0);
    List<String> doubts =
        new SimulatedTable(truth, form, rng(9))
            .check(truth.with(truth.theta().length - 1, other), 1)
            .doubts();
    assertTrue(doubts.stream().anyMatch(doubt -> doubt.contains(words)), doubts.toString());
  }

  /** Zeros and the largest count of overdispersed counts, taken for Poisson. */
  @Test
  void countsAreHeldAgainstZerosAndMaxima() {
    Truth truth = Truth.of("negative_binomial");
    for (Weights weights : List.of(Weights.NONE, Weights.COUNTS, Weights.MERGED)) {
      SimulatedTable table =
          new SimulatedTable(truth, new Form(2000, 1, weights, false, 0), rng(10));
      PredictiveCheck check = table.check(Truth.of("poisson").with(3, -1), 1);
      String doubts = check.doubts().toString();
      assertTrue(doubts.contains("scatters more"), weights + doubts);
      assertTrue(doubts.contains("share of rows with y = 0"), weights + doubts);
      assertTrue(doubts.contains("largest y over all rows"), weights + doubts);
      assertTrue(doubts.contains("4,000 replicated tables have"), weights + doubts);
    }
  }
}
