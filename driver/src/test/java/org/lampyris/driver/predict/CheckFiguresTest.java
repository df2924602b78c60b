package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.random.Streams;

/**
 * Figures of the pictures of checks against their exact distributions, for one known θ. The
 * observed responses are nothing like the model's, so what is taken from them instead of from
 * replicated tables shows. Bounds on Monte-Carlo errors are five standard errors: a right program
 * fails for one seed in 10,000.
 */
class CheckFiguresTest {
  private static final int ROWS = 60;
  private static final int TABLES = 4_000;
  private static final int GROUPS = 3;
  private static final double ERRORS = 5;

  /** The factor that rows are in, in turn. */
  private static final PredictiveCheck.Factor FACTOR =
      new PredictiveCheck.Factor() {
        @Override
        public String name() {
          return "g";
        }

        @Override
        public String level(org.lampyris.bounds.rows.DataBlock block, int row) {
          return "g" + row % GROUPS;
        }
      };

  private static double[] x() {
    return IntStream.range(0, ROWS).mapToDouble(i -> 0.05 * i - 1).toArray();
  }

  private static PredictiveCheck.Fitted fitted(
      String family, String parameter, LabelKind kind, double... theta) {
    FamilySpec plain = FamilySpec.of(family);
    FamilySpec spec = parameter.isEmpty() ? plain : plain.with(parameter, "exponential(1)");
    double[][] draws = new double[TABLES][];
    Arrays.fill(draws, theta);
    return new PredictiveCheck.Fitted(
        PredictiveCheckTest.schema(kind, List.of()),
        Families.find().named(family).expectation(spec).orElseThrow(),
        draws,
        Predictors.all(2, 1),
        null,
        List.of(FACTOR));
  }

  /** Returns rows with trials as weights. */
  private static RowSample rows(double[] y, double[] trials) {
    double[] features = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      features[2 * i] = 1;
      features[2 * i + 1] = x()[i] - 2;
    }
    double[] shares = new double[ROWS];
    Arrays.setAll(shares, i -> y[i] / trials[i]);
    return new RowSample(List.of(new DenseBlock(0, 2, features, shares, trials)), ROWS);
  }

  /** Probabilities of a row's count. */
  private interface Count {
    /** Returns P(Y ≤ y) of row i. */
    double atMost(int i, int y);
  }

  /** Returns the distribution of the number of rows, of some, in which an event of them is. */
  private static double[] number(double[] probabilities) {
    double[] of = new double[probabilities.length + 1];
    of[0] = 1;
    for (double p : probabilities) {
      for (int k = of.length - 1; k >= 0; k--) {
        of[k] = of[k] * (1 - p) + (k > 0 ? of[k - 1] * p : 0);
      }
    }
    return of;
  }

  private static double atMost(double[] distribution, double k) {
    return Arrays.stream(distribution).limit(Math.max(0, (int) k + 1)).sum();
  }

  /** Holds 2.5 % and 97.5 % quantiles of 4,000 tables against a distribution function. */
  private static void areQuantiles(
      java.util.function.DoubleUnaryOperator atMost, double low, double high, String what) {
    double error = ERRORS * Math.sqrt(0.025 * 0.975 / TABLES);
    assertTrue(atMost.applyAsDouble(low) >= 0.025 - error, what + " low");
    assertTrue(atMost.applyAsDouble(low - 1) <= 0.025 + error, what + " low");
    assertTrue(atMost.applyAsDouble(high) >= 0.975 - error, what + " high");
    assertTrue(atMost.applyAsDouble(high - 1) <= 0.975 + error, what + " high");
  }

  private static void holds(PredictiveCheck check, double[] y, Count count) {
    Histogram bars = Objects.requireNonNull(check.rootogram());
    int cells = bars.observed().length;
    for (int k = 0; k < cells; k++) {
      int from = (int) bars.edges()[k];
      int to = k == cells - 1 ? Integer.MAX_VALUE : (int) bars.edges()[k + 1];
      double seen = Arrays.stream(y).filter(one -> one >= from && one < to).count();
      assertEquals(seen, bars.observed()[k], "bar " + k);
      double[] p = new double[ROWS];
      Arrays.setAll(
          p,
          i ->
              (to == Integer.MAX_VALUE ? 1 : count.atMost(i, to - 1))
                  - (from == 0 ? 0 : count.atMost(i, from - 1)));
      double sd = Math.sqrt(Arrays.stream(p).map(q -> q * (1 - q)).sum());
      double mean = Arrays.stream(p).sum();
      assertEquals(mean, bars.mean()[k], ERRORS * sd / Math.sqrt(TABLES) + 1e-3, "bar " + k);
      double[] exact = number(p);
      areQuantiles(n -> atMost(exact, n), bars.low()[k], bars.high()[k], "bar " + k);
      int at = k;
      double ofLines = Arrays.stream(bars.some()).mapToDouble(one -> one[at]).average().orElse(0);
      double lines = bars.some().length;
      assertEquals(mean, ofLines, ERRORS * sd / Math.sqrt(lines) + 0.1, "lines at bar " + k);
      assertTrue(
          seen < ROWS || Arrays.stream(bars.some()).allMatch(one -> one[at] < ROWS),
          "a line is the observed table");
    }
    Panel panel =
        check.panels().stream().filter(one -> one.what().equals("g")).findFirst().orElseThrow();
    for (int g = 0; g < GROUPS; g++) {
      int group = g;
      IntPredicate in = i -> i % GROUPS == group;
      Panel.Figure zeros = Objects.requireNonNull(panel.groups().get(g).zeros());
      Panel.Figure largest = Objects.requireNonNull(panel.groups().get(g).largest());
      double rows = IntStream.range(0, ROWS).filter(in).count();
      double none = IntStream.range(0, ROWS).filter(in).filter(i -> y[i] == 0).count();
      assertEquals(none / rows, zeros.observed(), 1e-12, "zeros of group " + g);
      double top = IntStream.range(0, ROWS).filter(in).mapToDouble(i -> y[i]).max().orElse(0);
      assertEquals(top, largest.observed(), "largest of group " + g);
      double[] exact =
          number(
              IntStream.range(0, ROWS).filter(in).mapToDouble(i -> count.atMost(i, 0)).toArray());
      Panel.Replicated share = zeros.replicated();
      areQuantiles(
          n -> atMost(exact, n),
          Math.rint(share.low() * rows),
          Math.rint(share.high() * rows),
          "zeros of group " + g);
      areQuantiles(
          n -> n < 0 ? 0 : product(in, count, (int) n),
          largest.replicated().low(),
          largest.replicated().high(),
          "largest of group " + g);
    }
  }

  private static double product(IntPredicate rows, Count count, int y) {
    return IntStream.range(0, ROWS)
        .filter(rows)
        .mapToDouble(i -> count.atMost(i, y))
        .reduce(1, (a, b) -> a * b);
  }

  @Test
  void countsHaveTheirBarsZerosAndLargest() {
    PredictiveCheck.Fitted fitted = fitted("poisson", "", LabelKind.COUNT, 0.3, 0.4);
    Count count =
        (i, y) -> PoissonDistribution.of(Math.exp(0.3 + 0.4 * x()[i])).cumulativeProbability(y);
    double[] none = new double[ROWS];
    holds(PredictiveCheck.of(fitted, PredictiveCheckTest.rows(x(), none, null)), none, count);
    double[] some = IntStream.range(0, ROWS).mapToDouble(i -> i % 7).toArray();
    holds(PredictiveCheck.of(fitted, PredictiveCheckTest.rows(x(), some, null)), some, count);
  }

  /** Successes are counted, and not their shares. */
  @Test
  void successesHaveTheirBarsZerosAndLargest() {
    PredictiveCheck.Fitted fitted = fitted("binomial", "", LabelKind.SUCCESSES, -1, 0.5);
    double[] trials = IntStream.range(0, ROWS).mapToDouble(i -> 1 + i % 9).toArray();
    Count count =
        (i, y) ->
            BinomialDistribution.of((int) trials[i], 1 / (1 + Math.exp(1 - 0.5 * x()[i])))
                .cumulativeProbability(y);
    double[] none = new double[ROWS];
    holds(PredictiveCheck.of(fitted, rows(none, trials)), none, count);
    double[] some = IntStream.range(0, ROWS).mapToDouble(i -> i % (1 + i % 9)).toArray();
    holds(PredictiveCheck.of(fitted, rows(some, trials)), some, count);
  }

  /** Distribution function of a row's number. */
  private interface Cumulative {
    double atMost(int i, double y);
  }

  private static void holds(PredictiveCheck check, double[] y, boolean log, Cumulative number) {
    Histogram density = Objects.requireNonNull(check.density());
    assertEquals(log, density.log());
    double[] edges = density.edges();
    for (int k = 0; k < density.observed().length; k++) {
      double from = edges[k];
      double to = edges[k + 1];
      if (k > 0) {
        double width = log ? Math.log(to / from) : to - from;
        double first = log ? Math.log(edges[1] / edges[0]) : edges[1] - edges[0];
        assertEquals(first, width, 1e-9 * first, "all cells are equally wide");
      }
      assertEquals(
          (double) Arrays.stream(y).filter(one -> one >= from && one < to).count(),
          density.observed()[k],
          "cell " + k);
      double[] p = new double[ROWS];
      Arrays.setAll(p, i -> number.atMost(i, to) - number.atMost(i, from));
      double sd = Math.sqrt(Arrays.stream(p).map(q -> q * (1 - q)).sum());
      double mean = Arrays.stream(p).sum();
      assertEquals(mean, density.mean()[k], ERRORS * sd / Math.sqrt(TABLES) + 1e-3, "cell " + k);
      double[] exact = number(p);
      areQuantiles(n -> atMost(exact, n), density.low()[k], density.high()[k], "cell " + k);
      int at = k;
      double lines = density.some().length;
      double ofLines = Arrays.stream(density.some()).mapToDouble(o -> o[at]).average().orElse(0);
      assertEquals(mean, ofLines, ERRORS * sd / Math.sqrt(lines) + 0.1, "lines at cell " + k);
      double seen = density.observed()[k];
      assertTrue(
          seen < ROWS || Arrays.stream(density.some()).allMatch(one -> one[at] < ROWS),
          "a line is the observed table");
    }
    Histogram transform = Objects.requireNonNull(check.transform());
    for (int k = 0; k < 10; k++) {
      double sd = Math.sqrt(ROWS * 0.09);
      assertEquals(ROWS / 10.0, transform.mean()[k], ERRORS * sd / Math.sqrt(TABLES) + 0.2);
    }
  }

  @Test
  void numbersHaveTheirDensity() {
    PredictiveCheck.Fitted fitted = fitted("gaussian", "sigma", LabelKind.REAL, 1, 2, 1.5);
    Cumulative number =
        (i, y) -> NormalDistribution.of(1 + 2 * x()[i], 1.5).cumulativeProbability(y);
    double[] same = IntStream.range(0, ROWS).mapToDouble(i -> 2).toArray();
    holds(
        PredictiveCheck.of(fitted, PredictiveCheckTest.rows(x(), same, null)), same, false, number);
    double[] some = IntStream.range(0, ROWS).mapToDouble(i -> i % 11 - 5.03).toArray();
    holds(
        PredictiveCheck.of(fitted, PredictiveCheckTest.rows(x(), some, null)), some, false, number);
  }

  /** Cells reach from the replicates of one draw to those of another. */
  @Test
  void cellsAreThoseOfAllDraws() {
    PredictiveCheck.Fitted one = fitted("gaussian", "sigma", LabelKind.REAL, 0, 0, 1);
    double[][] draws = {{-20, 0, 1}, {20, 0, 1}};
    PredictiveCheck.Fitted two =
        new PredictiveCheck.Fitted(one.schema(), one.expectation(), draws, Predictors.all(2, 1));
    RowSample rows = PredictiveCheckTest.rows(x(), new double[ROWS], null);
    Histogram density = Objects.requireNonNull(PredictiveCheck.of(two, rows).density());
    assertEquals(ROWS, Arrays.stream(density.mean()).sum(), 0.1 * ROWS);
  }

  @Test
  void positiveNumbersOverDecadesHaveTheirDensityOfTheLogarithm() {
    PredictiveCheck.Fitted fitted = fitted("gamma", "shape", LabelKind.POSITIVE, 0, 2, 0.7);
    Cumulative number =
        (i, y) -> GammaDistribution.of(0.7, Math.exp(2 * x()[i]) / 0.7).cumulativeProbability(y);
    double[] some = IntStream.range(0, ROWS).mapToDouble(i -> Math.exp(i % 8 - 4.01)).toArray();
    holds(
        PredictiveCheck.of(fitted, PredictiveCheckTest.rows(x(), some, null)), some, true, number);
  }

  /** With one θ the other rows say nothing: both ends of a count's step are exact. */
  @Test
  void countsThatAreLeftOutHaveTheirSteps() {
    double[] y = IntStream.range(0, ROWS).mapToDouble(i -> i % 5).toArray();
    PredictiveCheck.Fitted fitted = fitted("poisson", "", LabelKind.COUNT, 0.3, 0.4);
    CheckedRows rows =
        new CheckedRows(fitted, PredictiveCheckTest.rows(x(), y, null), new Streams(1));
    PosteriorPredictor.Row room =
        new PosteriorPredictor(fitted.expectation(), fitted.draws(), Predictors.all(2, 1), 1, 0.9)
            .row();
    for (int i = 0; i < ROWS; i++) {
      PoissonDistribution exact = PoissonDistribution.of(Math.exp(0.3 + 0.4 * x()[i]));
      double[] steps = LooPit.leftOut(rows, fitted, room, i);
      assertEquals(exact.cumulativeProbability((int) y[i] - 1), steps[0], 1e-9);
      assertEquals(exact.cumulativeProbability((int) y[i]), steps[1], 1e-9);
    }
  }
}
