package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.random.Streams;

/**
 * A linear regression with given σ and a flat prior, drawn exactly. There y_i given the others is
 * normal: its residual is r_i/(1 − h_i) and its variance σ²/(1 − h_i), h_i the leverage.
 */
class LooPitTest {
  private static final double SIGMA = 1.2;

  /** A table with its posterior: means a and b, and draws. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Table(double[] x, double[] y, double a, double b, double mean, double squares) {
    static Table of(double[] x, Random random) {
      double[] y = new double[x.length];
      Arrays.setAll(y, i -> 1 - 0.5 * x[i] + SIGMA * random.nextGaussian());
      double mean = Arrays.stream(x).average().orElseThrow();
      double squares = 0;
      double product = 0;
      for (int i = 0; i < x.length; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        product += (x[i] - mean) * y[i];
      }
      double b = product / squares;
      double a = Arrays.stream(y).average().orElseThrow() - b * mean;
      return new Table(x, y, a, b, mean, squares);
    }

    double[][] draws(int count, Random random) {
      double[][] draws = new double[count][2];
      for (double[] draw : draws) {
        double middle = SIGMA / Math.sqrt(x.length) * random.nextGaussian();
        double slope = SIGMA / Math.sqrt(squares) * random.nextGaussian();
        draw[0] = a + middle - slope * mean;
        draw[1] = b + slope;
      }
      return draws;
    }

    PredictiveCheck.Fitted fitted(double[][] draws) {
      FamilySpec spec = FamilySpec.of("gaussian").with("sigma", String.valueOf(SIGMA));
      return new PredictiveCheck.Fitted(
          PredictiveCheckTest.schema(LabelKind.REAL, List.of()),
          Families.find().named("gaussian").expectation(spec).orElseThrow(),
          draws,
          Predictors.all(2, 1));
    }

    PosteriorPredictor predictor(PredictiveCheck.Fitted fitted) {
      return new PosteriorPredictor(
          fitted.expectation(), fitted.draws(), Predictors.all(2, 1), 1, 0.9);
    }

    CheckedRows rows(PredictiveCheck.Fitted fitted) {
      return new CheckedRows(fitted, PredictiveCheckTest.rows(x, y, null), new Streams(1));
    }
  }

  /** Monte-Carlo errors are below 0.004; with the rows themselves some would be off by 0.03. */
  @Test
  void rowsArePredictedByTheOthers() {
    Random random = new Random(2);
    double[] x = random.doubles(40).map(u -> 2 + random.nextGaussian()).toArray();
    x[7] = 6; // of high leverage
    Table table = Table.of(x, random);
    PredictiveCheck.Fitted fitted = table.fitted(table.draws(8_000, random));
    CheckedRows rows = table.rows(fitted);
    PosteriorPredictor.Row room = table.predictor(fitted).row();
    NormalDistribution normal = NormalDistribution.of(0, 1);
    double differs = 0;
    for (int i = 0; i < x.length; i++) {
      double h = 1.0 / x.length + Math.pow(x[i] - table.mean, 2) / table.squares;
      double z = (table.y[i] - table.a - table.b * x[i]) / SIGMA;
      double exact = normal.cumulativeProbability(z / Math.sqrt(1 - h));
      double[] found = LooPit.leftOut(rows, fitted, room, i);
      assertEquals(exact, found[0], 0.015, "row " + i);
      assertEquals(found[0], found[1], 0);
      double own = normal.cumulativeProbability(z / Math.sqrt(1 + h));
      differs = Math.max(differs, Math.abs(own - exact));
    }
    assertTrue(differs > 0.025, "without weights they would differ by " + differs);
  }

  /** The draws are weighted by p(y | θ)^−w. With few of them, none of the weights is smoothed. */
  @Test
  void aRowIsLeftOutWithItsWeight() {
    Random random = new Random(4);
    Table table = Table.of(new double[] {1, 2, 4}, random);
    double[][] draws = table.draws(5, random);
    PredictiveCheck.Fitted fitted = table.fitted(draws);
    double[] weights = {0.5, 2.5, 1};
    RowSample sample = PredictiveCheckTest.rows(table.x, table.y, weights);
    CheckedRows rows = new CheckedRows(fitted, sample, new Streams(1));
    for (int i = 0; i < weights.length; i++) {
      double sum = 0;
      double below = 0;
      for (double[] theta : draws) {
        NormalDistribution at = NormalDistribution.of(theta[0] + theta[1] * table.x[i], SIGMA);
        double weight = Math.pow(at.density(table.y[i]), -weights[i]);
        sum += weight;
        below += weight * at.cumulativeProbability(table.y[i]);
      }
      double[] found = LooPit.leftOut(rows, fitted, table.predictor(fitted).row(), i);
      assertEquals(below / sum, found[0], 1e-9, "row " + i);
    }
  }

  /** Without it the transforms of these counts would be larger by 0.15 on average, 10 sds. */
  @Test
  void countsAreSpreadOverTheirSteps() {
    UniformRandomProvider rng = new Streams(6).iteration(0, 1);
    double[] y = new double[400];
    Arrays.setAll(y, i -> PoissonSampler.of(rng, 1).sample());
    PredictiveCheck.Fitted fitted =
        new PredictiveCheck.Fitted(
            PredictiveCheckTest.schema(LabelKind.COUNT, List.of()),
            Families.find().named("poisson").expectation(FamilySpec.of("poisson")).orElseThrow(),
            new double[][] {{0, 0}},
            Predictors.all(2, 1));
    RowSample sample = PredictiveCheckTest.rows(new double[y.length], y, null);
    LooPit found = Objects.requireNonNull(PredictiveCheck.of(fitted, sample).loo());
    assertEquals(0, found.location(), 5);
    assertEquals(0, found.spread(), 5);
  }

  /** In sds of the means of n uniform numbers: √(1/12 n) of u, √(1/180 n) of (u − ½)². */
  @Test
  void locationAndSpreadAreInStandardDeviations() {
    LooPit found = LooPit.tested(new double[] {0.5, 1, 0.9, 0.8}, new Streams(1).iteration(0, 1));
    assertEquals(0.3 * Math.sqrt(48), found.location(), 1e-12);
    assertEquals((0.5 / 4 - 1.0 / 12) * Math.sqrt(720), found.spread(), 1e-12);
    assertEquals(-0.5, found.difference()[15], 1e-12);
  }

  /**
   * Transforms with few posterior draws are as uniform as those with the truth: of 200 tables those
   * with p ≤ 0.1, and those beyond all 4,000, are at most binomial. A right program fails with
   * probability 10⁻⁴.
   */
  @Test
  void rightModelsAreNotDoubted() {
    Random random = new Random(3);
    int low = 0;
    int beyond = 0;
    for (int t = 0; t < 200; t++) {
      double[] x = random.doubles(50).map(u -> 2 + random.nextGaussian()).toArray();
      Table table = Table.of(x, random);
      PredictiveCheck.Fitted fitted = table.fitted(table.draws(200, random));
      LooPit found = LooPit.of(table.rows(fitted), fitted, table.predictor(fitted), new Streams(t));
      low += found != null && found.p() <= 0.1 ? 1 : 0;
      beyond += found != null && found.isExtreme() ? 1 : 0;
    }
    assertTrue(low <= most(0.1), low + " of 200 with p ≤ 0.1");
    assertTrue(beyond <= most(1 / 4001.0), beyond + " of 200 beyond all");
  }

  private static int most(double rate) {
    return BinomialDistribution.of(200, rate).inverseSurvivalProbability(5e-5);
  }
}
