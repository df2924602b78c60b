package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Classic small tables with the default priors and half of the default draws: every standard
 * deviation has R-hat ≤ 1.01, ESS ≥ 400, and the mean and sd that quadrature finds. Rows are normal
 * and groups balanced and nested, so that the likelihood is a product over strata. The seed is
 * fixed. Of the ten figures one is beyond 4.5 Monte-Carlo errors with a probability of 1 in 15,000.
 */
class SmallTablesTest {
  private static final double ERRORS = 4.5;

  /** Batches of dyestuff (Davies 1947), and samples in batches of a paste (Davies 1972). */
  @SuppressWarnings("ImmutableEnumChecker") // never modified
  private enum Table {
    DYESTUFF(
        new int[] {5},
        1545,
        1440,
        1440,
        1520,
        1580,
        1540,
        1555,
        1490,
        1560,
        1495,
        1595,
        1550,
        1605,
        1510,
        1560,
        1445,
        1440,
        1595,
        1465,
        1545,
        1595,
        1630,
        1515,
        1635,
        1625,
        1520,
        1455,
        1450,
        1480,
        1445),
    PASTES(
        new int[] {2, 6},
        62.8,
        62.6,
        60.1,
        62.3,
        62.7,
        63.1,
        60,
        61.4,
        57.5,
        56.9,
        61.1,
        58.9,
        58.7,
        57.5,
        63.9,
        63.1,
        65.4,
        63.7,
        57.1,
        56.4,
        56.9,
        58.6,
        64.7,
        64.5,
        55.1,
        55.1,
        54.7,
        54.2,
        58.8,
        57.5,
        63.4,
        64.9,
        59.3,
        58.1,
        60.5,
        60,
        62.5,
        62.6,
        61,
        58.7,
        56.9,
        57.7,
        59.2,
        59.4,
        65.2,
        66,
        64.8,
        64.1,
        54.8,
        54.8,
        64,
        64,
        57.7,
        56.8,
        58.3,
        59.3,
        59.2,
        59.2,
        58.9,
        56.6);

    /** Rows of a group, by grouping, the inner one first. */
    private final int[] sizes;

    private final double[] y;
    private final double mean;
    private final double sd;

    Table(int[] sizes, double... y) {
      this.sizes = sizes;
      this.y = y;
      this.mean = Arrays.stream(y).average().orElseThrow();
      double squares = Arrays.stream(y).map(one -> (one - mean) * (one - mean)).sum();
      this.sd = Math.sqrt(squares / (y.length - 1));
    }

    private UnivariatePrior sdPrior() {
      return PriorParser.parse("half_student_t(3, 0, %s)".formatted(sd));
    }

    /** Returns the number of standard deviations: sigma, then those of the groupings. */
    private int count() {
      return 1 + sizes.length;
    }

    /** Returns Σ over rows of the squared distance of means of a size from those of the next. */
    private double squares(int stratum) {
      int from = stratum == 0 ? 1 : sizes[stratum - 1];
      int to = stratum < sizes.length ? sizes[stratum] : y.length;
      return IntStream.range(0, y.length)
          .mapToDouble(n -> Math.pow(meanOf(n, from) - meanOf(n, to), 2))
          .sum();
    }

    private double meanOf(int row, int size) {
      int first = row / size * size;
      return Arrays.stream(y, first, first + size).average().orElseThrow();
    }
  }

  /** Quadrature on a grid of the logarithms of standard deviations. */
  private static final class Grid {
    private static final int POINTS = 61;
    private final Table table;
    private final double[] squares;
    private final double[] sds;
    private final UnivariatePrior noise;
    private final UnivariatePrior groups;
    private final double[][] sums;
    private double total;

    Grid(Table table) {
      this.table = table;
      int count = table.count();
      squares = IntStream.range(0, count).mapToDouble(table::squares).toArray();
      sds = new double[count];
      sums = new double[2][count];
      noise = PriorParser.parse("exponential(%s)".formatted(1 / table.sd));
      groups = table.sdPrior();
      add(0);
    }

    private void add(int k) {
      if (k == sds.length) {
        double weight = Math.exp(logDensity());
        total += weight;
        for (int i = 0; i < k; i++) {
          sums[0][i] += weight * sds[i];
          sums[1][i] += weight * sds[i] * sds[i];
        }
        return;
      }
      double from = k == 0 ? -2.5 : -7;
      double to = k == 0 ? 1 : 2.5;
      for (int i = 0; i < POINTS; i++) {
        sds[k] = table.sd * Math.exp(from + (to - from) * i / (POINTS - 1));
        add(k + 1);
      }
    }

    /** Returns the log density of log sds, relative to rows with the sd of the label. */
    private double logDensity() {
      double variance = sds[0] * sds[0];
      double sum = noise.logDensity(sds[0]) + Math.log(sds[0]);
      for (int stratum = 0; stratum < sds.length; stratum++) {
        if (stratum > 0) {
          variance += table.sizes[stratum - 1] * sds[stratum] * sds[stratum];
          sum += groups.logDensity(sds[stratum]) + Math.log(sds[stratum]);
        }
        double ratio = variance / (table.sd * table.sd);
        sum -= 0.5 * (freedom(stratum) * Math.log(ratio) + squares[stratum] / variance);
      }
      // The intercept's prior has the mean of the label and 2.5 of its sds.
      double ofMean = variance / table.y.length + 6.25 * table.sd * table.sd;
      return sum + 0.5 * table.y.length - 0.5 * Math.log(ofMean);
    }

    private int freedom(int stratum) {
      int rows = table.y.length;
      int means = stratum == 0 ? rows : rows / table.sizes[stratum - 1];
      return means - (stratum < table.sizes.length ? rows / table.sizes[stratum] : 1);
    }

    double mean(int k) {
      return sums[0][k] / total;
    }

    double sd(int k) {
      return Math.sqrt(sums[1][k] / total - mean(k) * mean(k));
    }
  }

  private static VariableSummary summary(RunResult result, int k, boolean isLog) {
    double[][] draws =
        result.chains().stream()
            .map(
                chain ->
                    chain.draws().stream()
                        .mapToDouble(theta -> isLog ? Math.exp(theta[k]) : theta[k])
                        .toArray())
            .toArray(double[][]::new);
    return VariableSummary.of("element " + k, draws);
  }

  private static RunResult sampled(Table table) {
    List<TableEffects> groupings = new ArrayList<>();
    long[][] keys = new long[table.sizes.length][table.y.length];
    for (int g = 0; g < keys.length; g++) {
      int size = table.sizes[g];
      Arrays.setAll(keys[g], n -> n / size);
      GroupingEffects of = new GroupingEffects("g" + g, List.of("(Intercept)"), table.sdPrior(), 1);
      int levels = table.y.length / size;
      groupings.add(new TableEffects(of, g, new int[] {-1}, new double[1], levels, false));
    }
    double[] ones = new double[table.y.length];
    Arrays.fill(ones, 1);
    MemoryRun run =
        new MemoryRun(
            FamilySpec.of("gaussian").with("sigma", "exponential(%s)".formatted(1 / table.sd)),
            List.of(new DenseBlock(0, 1, ones, table.y, ones).grouped(keys)),
            List.of("(Intercept)"),
            Map.of("(Intercept)", "normal(%s, %s)".formatted(table.mean, 2.5 * table.sd)));
    Map<String, Object> sampler =
        Map.of("algorithm", "multilevel", "chains", 4, "warmup", 300, "draws", 500);
    return MultilevelAlgorithm.run(
        run.context(sampler), new MultilevelAlgorithm.Settings(1, 1, 0), groupings);
  }

  @ParameterizedTest
  @EnumSource
  void standardDeviationsConvergeToThoseOfQuadrature(Table table) {
    Grid exact = new Grid(table);
    RunResult result = sampled(table);
    for (int k = 0; k < table.count(); k++) {
      VariableSummary found = summary(result, 1 + k, k == 0);
      String figures =
          "%s: %s for mean %s, sd %s".formatted(table, found, exact.mean(k), exact.sd(k));
      System.out.println("proof | small tables | " + figures);
      assertTrue(found.mixing().rhat() <= 1.01, figures);
      assertTrue(Math.min(found.mixing().essBulk(), found.essTail()) >= 400, figures);
      assertEquals(exact.mean(k), found.mean(), ERRORS * found.mixing().mcseMean(), figures);
      assertEquals(exact.sd(k), found.sd(), ERRORS * found.mixing().mcseSd(), figures);
    }
  }
}
