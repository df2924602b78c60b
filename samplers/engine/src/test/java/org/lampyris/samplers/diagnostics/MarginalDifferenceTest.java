package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarginalDifferenceTest {
  private static final FalseAlarms ONE_IN_TWENTY = new FalseAlarms(0.05, 1);
  private static final FalseAlarms RARE = new FalseAlarms(0.01, 30);

  private static Marginal marginal(double[]... chains) {
    return Marginal.of("x", chains, NormalScores.table(chains.length, chains[0].length));
  }

  private static double distance(double[] x, double[] y) {
    assertEquals(marginal(x).distance(marginal(y)), marginal(y).distance(marginal(x)));
    return marginal(x).distance(marginal(y));
  }

  @Test
  void distanceOfSmallSamplesIsExact() {
    double[] three = {3, 1, 2};
    assertEquals(0, distance(three, three));
    assertEquals(0, distance(three, new double[] {1, 1, 2, 2, 3, 3}));
    assertEquals(1, distance(three, new double[] {4}));
    assertEquals(0.5, distance(new double[] {1, 3}, new double[] {2, 4}));
    assertEquals(1.0 / 3, distance(new double[] {1, 1, 2}, new double[] {1, 2, 2}), 1e-15);
    assertEquals(0.5, distance(three, new double[] {2, 3, 4, 5}));
    assertEquals(0.75, distance(three, new double[] {2, 9, 9, 9}));
    assertEquals(Double.NaN, distance(three, new double[] {1, Double.NaN}));
  }

  @Test
  void distanceIsThatOfCommonsStatisticsWithTiesToo() {
    SplittableRandom random = new SplittableRandom(5);
    for (int repeat = 0; repeat < 200; repeat++) {
      double[] x = random.ints(2 + random.nextInt(30), 0, 12).asDoubleStream().toArray();
      double[] y = random.ints(2 + random.nextInt(30), 0, 12).asDoubleStream().toArray();
      double known = KolmogorovSmirnovTest.withDefaults().statistic(x, y);
      assertEquals(known, distance(x, y), 1e-15, Arrays.toString(x) + Arrays.toString(y));
    }
  }

  @Test
  void figuresAreThoseOfTheSummaries() {
    double[][] a = new SimulatedChains(1).normal(4, 500, 0.5);
    double[][] b = Chains.map(new SimulatedChains(2).normal(4, 400, -0.2), x -> 3 + 2 * x);
    MarginalDifference d = MarginalDifference.of(marginal(a), marginal(b));
    VariableSummary of = VariableSummary.of("a", a);
    VariableSummary other = VariableSummary.of("b", b);
    assertEquals((other.mean() - of.mean()) / of.sd(), d.mean());
    double errors = Math.pow(Diagnostics.mcseMean(a), 2) + Math.pow(Diagnostics.mcseMean(b), 2);
    assertEquals(Math.sqrt(errors) / of.sd(), d.meanError(), 1e-15);
    assertEquals(Math.log(other.sd()) - Math.log(of.sd()), d.logSd(), 1e-14);
    double relative =
        Math.pow(Diagnostics.mcseSd(a) / of.sd(), 2)
            + Math.pow(Diagnostics.mcseSd(b) / other.sd(), 2);
    assertEquals(Math.sqrt(relative), d.logSdError(), 1e-15);
    double m = leastEss(a);
    double n = leastEss(b);
    assertEquals(Math.sqrt((m + n) / (m * n)), d.distanceScale(), 1e-14);
  }

  private static double leastEss(double[][] draws) {
    return Math.min(
        Math.min(Diagnostics.essQuantile(draws, 0.25), Diagnostics.essQuantile(draws, 0.5)),
        Diagnostics.essQuantile(draws, 0.75));
  }

  @Test
  void quantilesAndTheirErrorsAreThoseOfTheDiagnostics() {
    double[][] draws = new SimulatedChains(3).normal(4, 250, 0.3);
    Marginal marginal = marginal(draws);
    RankedDraws ranked = RankedDraws.of(draws);
    for (int k = 0; k < Marginal.PROBABILITIES.size(); k++) {
      double p = Marginal.PROBABILITIES.get(k);
      assertEquals(ranked.quantile(p), marginal.quantiles()[k]);
      assertEquals(Diagnostics.mcseQuantile(draws, p), marginal.quantileErrors()[k]);
    }
  }

  /**
   * Two runs of one distribution, 400 times. Each figure is flagged with probability 1/20; more
   * than 40 of 400 are with a probability of 2·10⁻⁵. Were autocorrelated draws taken for
   * independent ones, some 250 means would be at φ = 0.9; antithetic ones (φ &lt; 0) would never
   * be.
   */
  @ParameterizedTest
  @CsvSource({"0, 250", "0.9, 1000", "-0.5, 250"})
  void falseAlarmsAreAsRareAsTheyAreSaidToBe(double phi, int iterations) {
    SimulatedChains chains = new SimulatedChains(11);
    int means = 0;
    int sds = 0;
    int distributions = 0;
    for (int repeat = 0; repeat < 400; repeat++) {
      MarginalDifference d =
          MarginalDifference.of(
              marginal(chains.normal(4, iterations, phi)),
              marginal(chains.normal(4, iterations, phi)));
      means += d.meansDiffer(ONE_IN_TWENTY) ? 1 : 0;
      sds += d.sdsDiffer(ONE_IN_TWENTY) ? 1 : 0;
      distributions += d.distributionsDiffer(ONE_IN_TWENTY) ? 1 : 0;
    }
    String found = "seed 11: " + means + ", " + sds + ", " + distributions;
    assertTrue(means <= 40 && means >= 5, found);
    assertTrue(sds <= 40 && sds >= 5, found);
    // With its quartiles' ESS the distance is flagged less often than that.
    assertTrue(distributions <= 40 && distributions >= 1, found);
  }

  /** ESS 1,000: the error of a shift is 0.045, of a log sd 0.032, a distance's limit 0.09. */
  @Test
  void whatDiffersIsFoundAndNothingElse() {
    SimulatedChains chains = new SimulatedChains(12);
    Marginal normal = marginal(chains.normal(4, 250, 0));
    double[][] other = chains.normal(4, 250, 0);
    MarginalDifference same = MarginalDifference.of(normal, marginal(other));
    assertFalse(same.meansDiffer(RARE) || same.sdsDiffer(RARE) || same.distributionsDiffer(RARE));
    assertTrue(same.largest(RARE) < 1);

    MarginalDifference shifted =
        MarginalDifference.of(normal, marginal(Chains.map(other, x -> x + 0.4)));
    assertTrue(shifted.meansDiffer(RARE) && !shifted.sdsDiffer(RARE));
    assertTrue(shifted.mean() > 0 && shifted.largest(RARE) > 1);

    MarginalDifference wider =
        MarginalDifference.of(normal, marginal(Chains.map(other, x -> 1.4 * x)));
    assertTrue(wider.sdsDiffer(RARE) && !wider.meansDiffer(RARE));
    assertTrue(wider.logSd() > 0 && wider.largest(RARE) > 1);

    // ±1 and some noise: mean 0 and sd 1, but hollow.
    MarginalDifference hollow =
        MarginalDifference.of(
            normal, marginal(Chains.map(other, x -> (Math.signum(x) + 0.1 * x) / 1.083)));
    assertTrue(hollow.distributionsDiffer(RARE) && !hollow.meansDiffer(RARE));
    assertTrue(hollow.largest(RARE) > 1);
  }

  @Test
  void whatIsNotDefinedIsFlagged() {
    double[] constant = new double[100];
    MarginalDifference d =
        MarginalDifference.of(
            marginal(new SimulatedChains(4).normal(4, 100, 0)),
            marginal(constant, constant, constant, constant));
    assertTrue(d.meansDiffer(RARE) && d.sdsDiffer(RARE) && d.distributionsDiffer(RARE));
    assertEquals(Double.POSITIVE_INFINITY, d.largest(RARE));
  }
}
