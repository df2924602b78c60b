package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.driver.predict.Histogram;
import org.lampyris.driver.predict.Panel;
import org.lampyris.driver.predict.PredictiveCheck;
import org.lampyris.driver.predict.SimulatedTable;
import org.lampyris.driver.predict.SimulatedTable.Form;
import org.lampyris.driver.predict.SimulatedTable.Truth;
import org.lampyris.driver.predict.SimulatedTable.Weights;
import org.lampyris.samplers.random.Streams;

/** Readings of pictures: of right models they hardly ever doubt, of wrong ones they say how. */
class CheckReadingTest {
  private static final int SEEDS = 6;

  private static UniformRandomProvider rng(long table) {
    return new Streams(46).stream(Streams.Purpose.INITIAL, 0, 0, table);
  }

  private static PredictiveCheck check(
      Truth truth, Truth fitted, int rows, boolean effects, long seed) {
    Form form = new Form(rows, 1, Weights.NONE, effects, 0);
    return new SimulatedTable(truth, form, rng(seed)).check(fitted, 1);
  }

  /** Returns all readings of a report. */
  private static List<String> readings(PredictiveCheck check) {
    List<String> all = new ArrayList<>();
    if (check.rootogram() != null) {
      all.add(CheckReading.cells("bars", check.rootogram(), check));
      all.add(CheckReading.lines(check.rootogram(), true, check));
    }
    if (check.density() != null) {
      all.add(CheckReading.lines(check.density(), false, check));
    }
    if (check.transform() != null) {
      all.add(CheckReading.cells("numbers of rows", check.transform(), check));
    }
    if (check.loo() != null) {
      all.add(CheckReading.leftOut(check.loo()));
    }
    for (Panel panel : check.panels()) {
      all.add(CheckReading.means(panel));
      if (panel.groups().stream().anyMatch(group -> group.zeros() != null)) {
        all.add(CheckReading.zeros(panel, check));
      }
      if (panel.groups().stream().anyMatch(group -> group.largest() != null)) {
        all.add(CheckReading.largest(panel, check));
      }
    }
    return all;
  }

  /**
   * Tables of the model itself, of every family and several seeds. At the true θ a table has a
   * doubt with probability 5/4,001 at most: of one of four kinds of statistics, or of the
   * leave-one-out transform. A right program fails with probability 10⁻⁴ at most.
   */
  @Test
  void rightModelsAreReadAsRight() {
    int tables = 0;
    List<String> doubts = new ArrayList<>();
    for (String family : SimulatedTable.families()) {
      Truth truth = Truth.of(family);
      for (int seed = 0; seed < SEEDS; seed++) {
        PredictiveCheck check =
            check(truth, truth, 120, seed % 2 == 1 && !family.equals("softmax"), tables++);
        List<String> readings = readings(check);
        assertTrue(readings.size() >= 3, family);
        readings.stream()
            .filter(reading -> !reading.endsWith(CheckReading.CHANCE))
            .findFirst()
            .ifPresent(reading -> doubts.add(family + " " + reading));
      }
    }
    int most = BinomialDistribution.of(tables, 5 / 4001.0).inverseSurvivalProbability(1e-4);
    assertTrue(doubts.size() <= most, doubts.toString());
  }

  /** Of L + 1 lines the observed one is below or above all others with probability 2/(L + 1). */
  @Test
  void linesAreReadBesideChance() {
    double[] none = new double[2];
    double[][] some = {{1, 5}, {2, 4}, {3, 6}};
    Histogram counts =
        new Histogram(new double[3], new double[] {4, 5}, none, none, none, some, false);
    PredictiveCheck check =
        new PredictiveCheck(List.of(), List.of(), null, null, null, null, 400, List.of(), Set.of());
    assertEquals(
        "At 1 of 2 places the observed line is outside of all 3 replicated ones; chance alone"
            + " explains about 1.0. Nothing stands out.",
        CheckReading.lines(counts, false, check));
  }

  @Test
  void wrongModelsAreReadAsWrong() {
    Truth gaussian = Truth.of("gaussian");
    holds(
        check(gaussian, gaussian.with(4, 2.4), 1000, false, 1),
        "The predictive distributions are too wide. That is more than chance explains.");
    holds(
        check(gaussian, gaussian.with(4, 1.3), 1000, false, 2),
        "The predictive distributions are too narrow. That is more than chance explains.");
    holds(
        check(gaussian, gaussian.with(0, 9), 1000, false, 3),
        "The responses are larger than the other rows predict. That is more than chance explains.");
    holds(
        check(gaussian, gaussian.with(0, 11), 1000, false, 4),
        "The responses are smaller than the other rows predict. That is more than chance"
            + " explains.");
    Truth counts = Truth.of("negative_binomial").with(4, 0.5);
    List<String> read = readings(check(counts, Truth.of("poisson").with(3, -1), 1000, false, 5));
    for (String words :
        List.of("bars are outside", "shares of zeros", "largest values", "places")) {
      assertTrue(
          read.stream()
              .anyMatch(
                  one -> one.contains(words) && one.endsWith("That is more than chance explains.")),
          words + read);
    }
  }

  /**
   * Each picture of a table, read beside the model that the table is simulated from, and beside one
   * with another parameter.
   */
  @ParameterizedTest
  @CsvSource({
    "gaussian, 4, 2.6, places",
    "gaussian, 4, 2.6, numbers of rows",
    "gaussian, 1, -1.6, means",
    "beta, 4, 20, numbers of rows",
    "poisson, 0, 0.0, bars",
    "negative_binomial, 4, 30, shares of zeros",
    "binomial, 1, 0.15, bars",
    "logistic, 1, 0.0, means",
    "ordinal, 4, 2.0, means",
    "softmax, 4, 0.0, means",
  })
  void everyPictureDoubtsAnotherModelAndNotItsOwn(
      String family, int parameter, double other, String picture) {
    Truth truth = Truth.of(family);
    Form form = new Form(1000, 1, Weights.NONE, false, 0);
    SimulatedTable table = new SimulatedTable(truth, form, rng(family.length()));
    List<String> own = readings(table.check(truth, 1));
    assertTrue(own.stream().anyMatch(one -> one.contains(picture)), own.toString());
    assertTrue(own.stream().allMatch(one -> one.endsWith(CheckReading.CHANCE)), own.toString());
    List<String> wrong = readings(table.check(truth.with(parameter, other), 1));
    assertTrue(
        wrong.stream().anyMatch(one -> one.contains(picture) && !one.endsWith(CheckReading.CHANCE)),
        wrong.toString());
  }

  private static void holds(PredictiveCheck check, String reading) {
    assertTrue(readings(check).contains(reading), readings(check).toString());
  }

  /** Zeros and largest counts of levels add up to what the table has. */
  @Test
  void groupsAreParts() {
    PredictiveCheck check = check(Truth.of("poisson"), Truth.of("poisson"), 400, false, 6);
    Panel panel =
        check.panels().stream()
            .filter(one -> one.kind() == Panel.Kind.LEVELS)
            .findFirst()
            .orElseThrow();
    double zeros = 0;
    double largest = 0;
    for (Panel.Group group : panel.groups()) {
      zeros += group.rows() * Objects.requireNonNull(group.zeros()).observed();
      largest = Math.max(largest, Objects.requireNonNull(group.largest()).observed());
    }
    assertEquals(Objects.requireNonNull(check.rootogram()).observed()[0], zeros, 1e-9);
    double top =
        check.statistics().stream()
            .filter(one -> one.name().equals("largest y"))
            .findFirst()
            .orElseThrow()
            .observed();
    assertEquals(top, largest);
    assertEquals(50, Objects.requireNonNull(check.rootogram()).some().length);
  }
}
