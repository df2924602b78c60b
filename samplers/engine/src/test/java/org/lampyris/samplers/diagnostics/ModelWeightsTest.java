package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.samplers.random.Streams;

class ModelWeightsTest {
  private static final double[] ONES = new double[100];

  static {
    Arrays.fill(ONES, 1);
  }

  private static UniformRandomProvider rng() {
    return new Streams(3).stream(Streams.Purpose.REPLICATES, 0, 0, 0);
  }

  /**
   * Densities 2 and 1 on a share f of the rows, 1 and 2 on the others: f log(1 + w) + (1 − f) log(2
   * − w) has its maximum at w = 3f − 1, within [0, 1].
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.4, 0.5, 0.6, 0.9})
  void stackingOfTwoModelsHasAClosedForm(double share) {
    double[][] elpd = new double[2][100];
    for (int i = 0; i < 100; i++) {
      boolean first = i < 100 * share;
      elpd[0][i] = -700 + (first ? Math.log(2) : 0);
      elpd[1][i] = -700 + (first ? 0 : Math.log(2));
    }
    double w = Math.max(0, Math.min(1, 3 * share - 1));
    assertArrayEquals(new double[] {w, 1 - w}, ModelWeights.stacking(elpd, ONES), 1e-3);
    // Two rows that stand for all.
    double[][] two = {{elpd[0][0], elpd[0][99]}, {elpd[1][0], elpd[1][99]}};
    double[] copies = {100 * share, 100 - 100 * share};
    assertArrayEquals(new double[] {w, 1 - w}, ModelWeights.stacking(two, copies), 1e-3);
  }

  /** No weights near the found ones have a larger score. */
  @Test
  void stackingOfManyModelsIsTheMaximum() {
    UniformRandomProvider rng = rng();
    double[][] elpd = new double[4][100];
    for (double[] of : elpd) {
      Arrays.setAll(of, i -> -3 * rng.nextDouble());
    }
    Arrays.setAll(elpd[3], i -> elpd[0][i] - 0.5); // dominated
    double[] found = ModelWeights.stacking(elpd, ONES);
    assertEquals(1, Arrays.stream(found).sum(), 1e-12);
    assertEquals(0, found[3], 1e-3);
    double most = score(elpd, found);
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        double[] moved = found.clone();
        double by = Math.min(0.02, moved[a]);
        moved[a] -= by;
        moved[b] += by;
        assertTrue(score(elpd, moved) <= most + 2e-7 * 100, a + " to " + b);
      }
    }
  }

  private static double score(double[][] elpd, double[] weights) {
    double score = 0;
    for (int i = 0; i < 100; i++) {
      double mixture = 0;
      for (int k = 0; k < weights.length; k++) {
        mixture += weights[k] * Math.exp(elpd[k][i]);
      }
      score += Math.log(mixture);
    }
    return score;
  }

  /**
   * The weight of a model is the mean of a logistic function of a difference that is nearly normal,
   * with the variance of a sum over rows. 1,000 replicates have an error of at most 0.016: 5 of
   * them.
   */
  @Test
  void pseudoBmaHasTheVarianceOfASum() {
    double[][] elpd = new double[2][100];
    UniformRandomProvider rng = rng();
    Arrays.setAll(elpd[0], i -> -1 - 0.4 * rng.nextDouble());
    Arrays.setAll(elpd[1], i -> -1.02 - 0.4 * rng.nextDouble());
    double[] totals = {Arrays.stream(elpd[0]).sum(), Arrays.stream(elpd[1]).sum()};
    double difference = totals[0] - totals[1];
    double squares = 0;
    for (int i = 0; i < 100; i++) {
      squares += Math.pow(elpd[0][i] - elpd[1][i] - difference / 100, 2);
    }
    double[] found = ModelWeights.pseudoBma(elpd, ONES, totals, 100, rng());
    assertEquals(logistic(difference, Math.sqrt(squares)), found[0], 5 * 0.016);
    assertEquals(1, found[0] + found[1], 1e-12);
    // A twentieth of the rows: other totals, and 20 times the variance.
    double[] more = {-2000, -2003};
    double[] drawn = ModelWeights.pseudoBma(elpd, ONES, more, 2000, rng());
    assertEquals(logistic(3, Math.sqrt(20 * squares)), drawn[0], 5 * 0.016);
    // Rows that stand for four: their sum has four times the variance.
    double[] fours = new double[100];
    Arrays.fill(fours, 4);
    double[] merged = ModelWeights.pseudoBma(elpd, fours, more, 400, rng());
    assertEquals(logistic(3, Math.sqrt(4 * squares)), merged[0], 5 * 0.016);
  }

  /** Models that differ by the same in every row differ surely: pseudo-BMA without the plus. */
  @Test
  void withoutVariationTheWeightsAreThoseOfTheTotals() {
    double[][] elpd = {new double[100], new double[100]};
    Arrays.fill(elpd[1], -0.02);
    double[] found = ModelWeights.pseudoBma(elpd, ONES, new double[] {0, -2}, 100, rng());
    assertEquals(1 / (1 + Math.exp(-2)), found[0], 1e-12);
  }

  /** E 1/(1 + exp(−x)), x normal. */
  private static double logistic(double mean, double sd) {
    double sum = 0;
    for (int i = -800; i <= 800; i++) {
      double z = i / 100.0;
      double density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI) / 100;
      sum += density / (1 + Math.exp(-mean - sd * z));
    }
    return sum;
  }
}
