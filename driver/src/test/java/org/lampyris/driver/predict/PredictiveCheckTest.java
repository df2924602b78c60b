package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

class PredictiveCheckTest {
  /** Stored x is x − 2, whatever the scale says: columns are not divided. */
  static TableSchema schema(LabelKind kind, List<String> classes) {
    TableSchema.Column x =
        new TableSchema.Column(
            "x",
            "x",
            TableSchema.ColumnKind.NUMERIC,
            null,
            null,
            2,
            3,
            new TableSchema.Range(-5, 9, new Moments(2, 3)));
    return new TableSchema(
        new TableSchema.Stamp(TableSchema.VERSION, "0", "00"),
        new TableSchema.Packing(1, 1, 1, TableSchema.Layout.DENSE, TableSchema.Storage.DOUBLE),
        new TableSchema.Roles(
            new TableSchema.Label("y", kind, classes), null, null, null, null, null),
        new TableSchema.Scaling(true, "unit", true, null, null, null),
        1,
        new TableSchema.Source("", "csv", null, 0, null, List.of()),
        List.of(
            new TableSchema.Feature(
                "x", TableSchema.FeatureKind.NUMERIC, 1, List.of(), null, null)),
        List.of(TableSchema.Column.intercept(), x));
  }

  static RowSample rows(double[] x, double[] y, double @Nullable [] weight) {
    double[] features = new double[2 * x.length];
    for (int i = 0; i < x.length; i++) {
      features[2 * i] = 1;
      features[2 * i + 1] = x[i] - 2;
    }
    List<DataBlock> blocks = List.of(new DenseBlock(0, 2, features, y, weight));
    return new RowSample(blocks, x.length);
  }

  private static PredictiveCheck check(
      String family, LabelKind kind, List<String> classes, double[][] draws, RowSample rows) {
    Expectation expectation =
        Families.find().named(family).expectation(FamilySpec.of(family)).orElseThrow();
    return PredictiveCheck.of(
        new PredictiveCheck.Fitted(schema(kind, classes), expectation, draws, Predictors.all(2, 1)),
        rows);
  }

  private static double sigmoid(double eta) {
    return 1 / (1 + Math.exp(-eta));
  }

  /** Mean and variance of the mean of six labels, by adding up all 64 of what they may be. */
  @Test
  void momentsAreThoseOfEveryOutcome() {
    double[] x = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double[] y = {1, -1, 1, 1, -1, 1};
    double[][] draws = {{0.2, 0.9}, {-0.4, 1.7}, {0.1, -0.3}};
    double mean = 0;
    double square = 0;
    for (double[] theta : draws) {
      double p = sigmoid(theta[0] + 0.5 * theta[1]);
      for (int outcome = 0; outcome < 64; outcome++) {
        int ones = Integer.bitCount(outcome);
        double probability = Math.pow(p, ones) * Math.pow(1 - p, 6 - ones) / draws.length;
        mean += probability * ones / 6;
        square += probability * ones * ones / 36.0;
      }
    }
    PredictiveCheck check =
        check("logistic", LabelKind.BINARY, List.of("no", "yes"), draws, rows(x, y, null));
    Panel.Group group = check.panels().get(0).groups().get(0);
    assertEquals(1, check.panels().get(0).groups().size(), "equal rows are of one group");
    assertEquals(4.0 / 6, group.observed(), 1e-15);
    assertEquals(mean, group.mean(), 1e-15);
    // The variance over draws has the divisor S − 1.
    double[] means = Arrays.stream(draws).mapToDouble(t -> sigmoid(t[0] + 0.5 * t[1])).toArray();
    double average = Arrays.stream(means).average().orElseThrow();
    double between = Arrays.stream(means).map(m -> (m - average) * (m - average)).sum();
    assertEquals(square - mean * mean - between / 3 + between / 2, group.sd() * group.sd(), 1e-14);
    assertEquals("the probability of yes", check.panels().get(0).what());
    assertEquals("x", check.panels().get(1).what());
    assertEquals(0.5, check.panels().get(1).groups().get(0).at(), 1e-15, "on the input's scale");
  }

  /** A row of weight 3 is three rows. */
  @Test
  void weightsAreRows() {
    double[][] draws = {{0.2, 0.3}, {-0.1, 0.25}};
    double[] x = {1, 4, 4, 4, 2};
    double[] y = {2, 0, 0, 0, 5};
    PredictiveCheck many = check("poisson", LabelKind.COUNT, List.of(), draws, rows(x, y, null));
    PredictiveCheck merged =
        check(
            "poisson",
            LabelKind.COUNT,
            List.of(),
            draws,
            rows(new double[] {1, 4, 2}, new double[] {2, 0, 5}, new double[] {1, 3, 1}));
    double[] ofMany = figures(many);
    double[] ofMerged = figures(merged);
    assertArrayEquals(ofMany, ofMerged, 1e-14);
    assertEquals(scatter(many).observed(), scatter(merged).observed(), 1e-14);
    assertArrayEquals(observed(many), observed(merged), 0);
  }

  /** The mean of (y − E[y | θ])²/v over draws, v the mean of Var(y | θ). */
  @Test
  void scatterIsThatAboutEachDraw() {
    double[][] draws = {{0.2, 0.3}, {-0.9, 0.25}};
    double[] x = {1, 4, 2};
    double[] y = {2, 0, 5};
    double expected = 0;
    for (int i = 0; i < x.length; i++) {
      double first = Math.exp(0.2 + 0.3 * x[i]);
      double second = Math.exp(-0.9 + 0.25 * x[i]);
      double squares = (y[i] - first) * (y[i] - first) + (y[i] - second) * (y[i] - second);
      expected += squares / (first + second) / x.length;
    }
    PredictiveCheck check = check("poisson", LabelKind.COUNT, List.of(), draws, rows(x, y, null));
    assertEquals(expected, scatter(check).observed(), 1e-12);
  }

  /** Draws from the prior: (y − m)²/v, with the mean m and the variance v of their mixture. */
  @Test
  void scatterIsThatAboutThePriorPredictiveDistribution() {
    double[][] draws = {{0.2, 0.3}, {-0.9, 0.25}};
    double first = Math.exp(0.2 + 0.3 * 4);
    double second = Math.exp(-0.9 + 0.25 * 4);
    double mean = (first + second) / 2;
    double variance = mean + (first - second) * (first - second) / 4;
    PredictiveCheck check =
        PredictiveCheck.of(
            new PredictiveCheck.Fitted(
                schema(LabelKind.COUNT, List.of()),
                Families.find()
                    .named("poisson")
                    .expectation(FamilySpec.of("poisson"))
                    .orElseThrow(),
                draws,
                Predictors.all(2, 1)),
            rows(new double[] {4}, new double[] {7}, null),
            true);
    assertEquals((7 - mean) * (7 - mean) / variance, scatter(check).observed(), 1e-12);
  }

  /**
   * Tables of y = u + ε with a u for every two rows, and exact draws of u given y: the fitted rows
   * are nearer to the posterior means than new ones. A right program doubts one of the 40 tables
   * with probability 40 · 4/4,001 at most; about posterior means it doubts all.
   */
  @Test
  void effectsOfFewRowsAreNotDoubted() {
    Random random = new Random(12);
    int doubted = 0;
    for (int table = 0; table < 40; table++) {
      int groups = 150;
      double[] y = new double[2 * groups];
      double[][] shifts = new double[groups][100];
      for (int g = 0; g < groups; g++) {
        double u = random.nextGaussian();
        y[2 * g] = u + random.nextGaussian();
        y[2 * g + 1] = u + random.nextGaussian();
        double mean = (y[2 * g] + y[2 * g + 1]) / 3;
        Arrays.setAll(shifts[g], s -> mean + Math.sqrt(1 / 3.0) * random.nextGaussian());
      }
      double[] x = new double[y.length];
      Arrays.setAll(x, i -> random.nextGaussian());
      PredictiveCheck.Fitted fitted =
          new PredictiveCheck.Fitted(
              schema(LabelKind.REAL, List.of()),
              Families.find()
                  .named("gaussian")
                  .expectation(new FamilySpec("gaussian", Map.of("sigma", "1"), List.of()))
                  .orElseThrow(),
              new double[100][2],
              Predictors.all(2, 1),
              (block, row) -> shifts[row / 2],
              List.of());
      PredictiveCheck check = PredictiveCheck.of(fitted, rows(x, y, null));
      doubted += check.doubts().isEmpty() ? 0 : 1;
      assertAllRowsCount(check, y.length);
    }
    assertTrue(doubted <= 1, doubted + " tables doubted");
  }

  /** A group that some draw leaves without rows is joined with its neighbour. */
  @Test
  void rowsThatLeaveTheirTenthsCount() {
    Random random = new Random(4);
    double[] x = new double[24];
    double[] y = new double[24];
    double[][] shifts = new double[24][100];
    for (int i = 0; i < 24; i++) {
      x[i] = random.nextGaussian();
      y[i] = random.nextGaussian();
      Arrays.setAll(shifts[i], s -> random.nextGaussian());
    }
    PredictiveCheck.Fitted fitted =
        new PredictiveCheck.Fitted(
            schema(LabelKind.REAL, List.of()),
            Families.find()
                .named("gaussian")
                .expectation(new FamilySpec("gaussian", Map.of("sigma", "1"), List.of()))
                .orElseThrow(),
            new double[100][2],
            Predictors.all(2, 1),
            (block, row) -> shifts[row],
            List.of());
    PredictiveCheck check = PredictiveCheck.of(fitted, rows(x, y, null));
    assertTrue(check.panels().get(0).groups().size() < 10);
    assertAllRowsCount(check, 24);
  }

  private static void assertAllRowsCount(PredictiveCheck check, int rows) {
    List<Panel.Group> groups = check.panels().get(0).groups();
    // Numbers of rows are rounded means over draws.
    assertEquals(rows, groups.stream().mapToDouble(Panel.Group::rows).sum(), 0.5 * groups.size());
  }

  @Test
  void intervalsAreOfReplicatedTablesAlone() {
    double[] values = new double[42];
    Arrays.setAll(values, t -> t - 1);
    values[0] = 1e6;
    assertArrayEquals(new double[] {1, 39}, Tested.quantiles(values), 0);
    assertArrayEquals(new double[] {3, 3}, Tested.quantiles(new double[] {-5, 3}), 0);
  }

  /** Equal numbers are in one group, which begins with them. */
  @Test
  void tenthsHoldEqualNumbersTogether() {
    double[] values = new double[40];
    Arrays.setAll(values, i -> i < 20 ? 0 : i);
    Grouping found = Grouping.tenths("x", Panel.Kind.NUMERIC, 0, values);
    int[] expected = new int[40];
    // The ends are 10, 23.5, 27.5, …, 35.5, in the middle between two numbers.
    Arrays.setAll(expected, i -> i < 20 ? 0 : 1 + (i - 20) / 4);
    assertArrayEquals(expected, found.of());
  }

  /** One of 4,001 tables deviates most: another one that deviates as much is no doubt. */
  @Test
  void onlyTheMostDeviatingTableIsDoubted() {
    assertTrue(Tested.isExtreme(1.0 / 4001, 4001));
    assertFalse(Tested.isExtreme(2.0 / 4001, 4001));
    assertTrue(new LooPit(new double[21], 1, 10, 1.0 / 4001, 0, 0).isExtreme());
    assertFalse(new LooPit(new double[21], 1, 10, 2.0 / 4001, 0, 0).isExtreme());
  }

  /** Rows of the model are not doubted, whether weights are copies or importances: 200 tables. */
  @Test
  void weightedRowsOfTheModelAreNotDoubted() {
    Random random = new Random(11);
    UniformRandomProvider rng = new Streams(5).iteration(0, 1);
    double[][] draws = {{1, 0.1}};
    int doubted = 0;
    double squares = 0;
    for (int table = 0; table < 200; table++) {
      int rows = 300;
      double[] x = random.doubles(rows).map(u -> 2 + 3 * random.nextGaussian()).toArray();
      double[] y =
          Arrays.stream(x)
              .map(at -> PoissonSampler.of(rng, Math.exp(1 + 0.1 * at)).sample())
              .toArray();
      double[] weight = random.doubles(rows).map(u -> Math.exp(2 * u)).toArray();
      PredictiveCheck check =
          check("poisson", LabelKind.COUNT, List.of(), draws, rows(x, y, weight));
      doubted += check.doubts().size();
      double z = (scatter(check).observed() - 1) / error(scatter(check));
      squares += z * z / 200;
    }
    // 0.2 are expected by 1 in 1,000 a table; three or more have a probability of 0.1 %.
    assertTrue(doubted <= 2, doubted + " false alarms");
    // The standard error of the mean of 200 squares of normal numbers is 0.1, and tails are
    // heavier.
    assertEquals(1, squares, 0.5);
  }

  /** A table of counts: each pair of x and y stands once, with how often it was seen. */
  @Test
  void countsAsWeightsAreHeldAgainstTheirNumber() {
    UniformRandomProvider rng = new Streams(6).iteration(0, 1);
    double[][] seen = new double[2][40];
    for (int i = 0; i < 40_000; i++) {
      int x = i % 2;
      seen[x][PoissonSampler.of(rng, Math.exp(1 + 0.1 * x)).sample()]++;
    }
    int cells = 0;
    double[] x = new double[80];
    double[] y = new double[80];
    double[] weight = new double[80];
    for (int at = 0; at < 2; at++) {
      for (int count = 0; count < 40; count++) {
        if (seen[at][count] > 0) {
          x[cells] = at;
          y[cells] = count;
          weight[cells++] = seen[at][count];
        }
      }
    }
    RowSample rows =
        rows(Arrays.copyOf(x, cells), Arrays.copyOf(y, cells), Arrays.copyOf(weight, cells));
    PredictiveCheck right =
        check("poisson", LabelKind.COUNT, List.of(), new double[][] {{1, 0.1}}, rows);
    assertEquals(1, scatter(right).observed(), 4 * error(scatter(right)));
    assertEquals(List.of(), right.doubts());
    assertNotNegative(right);
    PredictiveCheck wrong =
        check("poisson", LabelKind.COUNT, List.of(), new double[][] {{1.3, 0.1}}, rows);
    assertTrue(!wrong.doubts().isEmpty());
  }

  private static TestStatistic scatter(PredictiveCheck check) {
    return check.statistics().stream()
        .filter(found -> found.kind() == TestStatistic.Kind.SCATTER)
        .findFirst()
        .orElseThrow();
  }

  /** Returns a standard error: 95 % of a normal number are 3.92 of them. */
  private static double error(TestStatistic of) {
    return (of.high() - of.low()) / 3.92;
  }

  private static double[] observed(PredictiveCheck check) {
    return Objects.requireNonNull(check.rootogram()).observed();
  }

  /** Counts have no bars below 0. */
  private static void assertNotNegative(PredictiveCheck check) {
    for (Panel panel : check.panels()) {
      for (Panel.Group group : panel.groups()) {
        assertTrue(group.replicated().low() >= 0, panel.what() + " " + group);
        assertTrue(group.replicated().high() > group.replicated().low(), panel.what());
      }
    }
  }

  private static double[] figures(PredictiveCheck check) {
    return check.panels().stream()
        .flatMap(panel -> panel.groups().stream())
        .flatMapToDouble(g -> Arrays.stream(new double[] {g.at(), g.observed(), g.mean(), g.sd()}))
        .toArray();
  }

  /** z is standard normal, nearly, where rows are of the model: 20 groups in 300 tables. */
  @Test
  void aRightModelIsNotDoubted() {
    Random random = new Random(8);
    double squares = 0;
    int groups = 0;
    int doubted = 0;
    double[][] draws = {{-0.5, 0.4}};
    for (int table = 0; table < 300; table++) {
      double[] x = random.doubles(400).map(u -> 2 + 3 * random.nextGaussian()).toArray();
      double[] y =
          Arrays.stream(x)
              .map(at -> random.nextDouble() < sigmoid(-0.5 + 0.4 * at) ? 1 : -1)
              .toArray();
      PredictiveCheck check =
          check("logistic", LabelKind.BINARY, List.of("0", "1"), draws, rows(x, y, null));
      doubted += check.doubts().size();
      for (Panel panel : check.panels()) {
        boolean shares = panel.kind() == Panel.Kind.CLASSES; // of all rows at once
        for (Panel.Group group : shares ? List.<Panel.Group>of() : panel.groups()) {
          squares += group.z() * group.z();
          groups++;
        }
      }
    }
    assertEquals(6000, groups);
    // Its standard error is √(2/3000), as the two panels have nearly the same groups.
    assertEquals(1, squares / groups, 0.13);
    // 0.3 are to be expected; three or more have a probability of 0.4 %.
    assertTrue(doubted <= 2, doubted + " false alarms");
  }

  @Test
  void aCurveThatIsLeftOutIsFound() {
    Random random = new Random(9);
    double[] x = random.doubles(5000).map(u -> 2 + 3 * random.nextGaussian()).toArray();
    double[] y =
        Arrays.stream(x)
            .map(at -> random.nextDouble() < sigmoid(-1 + 0.12 * (at - 2) * (at - 2)) ? 1 : -1)
            .toArray();
    double[][] draws = {{-0.1, 0}};
    PredictiveCheck check =
        check("logistic", LabelKind.BINARY, List.of("0", "1"), draws, rows(x, y, null));
    List<String> doubts = check.doubts();
    assertEquals(1, doubts.size());
    // The observed table is one of those that deviate as much.
    assertEquals(1.0 / (check.replicates() + 1), check.statistics().get(0).p(), 1e-15);
    assertTrue(doubts.get(0).contains("over rows with x about"), doubts.get(0));
  }

  @Test
  void scatterThatTheFamilyHasNotIsFound() {
    Random random = new Random(10);
    UniformRandomProvider rng = new Streams(3).iteration(0, 1);
    double[] x = random.doubles(4000).map(u -> 2 + 3 * random.nextGaussian()).toArray();
    double[][] draws = {{1, 0.1}};
    for (double shape : new double[] {Double.POSITIVE_INFINITY, 2}) {
      double[] y =
          Arrays.stream(x)
              .map(
                  at -> {
                    double mean = Math.exp(1 + 0.1 * at);
                    // A gamma of shape 2 and mean 1 is half of the sum of two exponentials.
                    double factor =
                        shape == 2
                            ? -0.5 * Math.log((1 - random.nextDouble()) * (1 - random.nextDouble()))
                            : 1;
                    return PoissonSampler.of(rng, Math.max(1e-9, mean * factor)).sample();
                  })
              .toArray();
      PredictiveCheck check = check("poisson", LabelKind.COUNT, List.of(), draws, rows(x, y, null));
      TestStatistic scatter = scatter(check);
      assertNotNegative(check);
      if (shape == 2) {
        assertTrue(scatter.observed() > 2, "scatter " + scatter);
        assertTrue(
            check.doubts().stream().anyMatch(d -> d.contains("scatters more")),
            check.doubts().toString());
      } else {
        assertEquals(1, scatter.observed(), 4 * error(scatter));
        assertTrue(scatter.low() < 1 && scatter.high() > 1, "scatter " + scatter);
        assertEquals(List.of(), check.doubts());
      }
    }
  }
}
