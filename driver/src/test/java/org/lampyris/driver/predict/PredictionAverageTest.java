package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.descriptive.Quantile;
import org.junit.jupiter.api.Test;

/** Mixtures of the draws of several runs against pooled draws and counts of weights. */
class PredictionAverageTest {
  private final Random random = new Random(11);

  private static PredictionAverage.Mixture mixture(double interval, double... weights) {
    return new PredictionAverage.Mixture(0, weights, 1, (1 - interval) / 2, false, 0);
  }

  private double[] normals(int count, double mean, double sd) {
    return random.doubles(count).map(u -> mean + sd * random.nextGaussian()).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** With equal weights of all draws, quantiles are those of R's default type. */
  @Test
  void drawsOfEqualWeightArePooled() {
    double[] one = normals(30, 0, 1);
    double[] other = normals(10, 3, 0.5);
    double[] all = new double[40];
    System.arraycopy(one, 0, all, 0, 30);
    System.arraycopy(other, 0, all, 30, 10);
    double[] expected =
        Quantile.withDefaults().with(Quantile.EstimationMethod.HF7).evaluate(all, 0.1, 0.9);
    double[] figures = mixture(0.8, 0.75, 0.25).figures(new double[][] {one, other});
    assertEquals(mean(all), figures[0], 1e-12);
    assertArrayEquals(expected, Arrays.copyOfRange(figures, 2, 4), 1e-12);
    assertArrayEquals(
        new double[] {figures[0], figures[1], figures[2], figures[3]},
        mixture(0.8, 0.25, 0.75).figures(new double[][] {other, one}),
        1e-12);
  }

  /** As much weight lies below the ends as the interval says, within the weight of one draw. */
  @Test
  void theIntervalHasItsProbability() {
    for (double weight : new double[] {0.05, 0.3, 0.62, 0.999}) {
      double[][] drawn = {normals(400, 1, 1), normals(200, 2, 3)};
      double[] weights = {weight, 1 - weight};
      double[] figures = mixture(0.9, weights).figures(drawn);
      double mean = weight * mean(drawn[0]) + (1 - weight) * mean(drawn[1]);
      assertEquals(mean, figures[0], 1e-12);
      double variance = 0;
      double[] below = new double[2];
      for (int k = 0; k < 2; k++) {
        double own = mean(drawn[k]);
        for (double e : drawn[k]) {
          variance += weights[k] * (e - own) * (e - own) / (drawn[k].length - 1);
          for (int end = 0; end < 2; end++) {
            below[end] += e < figures[2 + end] ? weights[k] / drawn[k].length : 0;
          }
        }
        variance += weights[k] * (own - mean) * (own - mean);
      }
      assertEquals(Math.sqrt(variance), figures[1], 1e-12);
      assertEquals(0.05, below[0], 0.005);
      assertEquals(0.95, below[1], 0.005);
    }
  }

  /** Outputs of a class each, and an infinite expectation. */
  @Test
  void outputsAreApart() {
    PredictionAverage.Mixture two =
        new PredictionAverage.Mixture(0, new double[] {0.5, 0.5}, 2, 0.05, false, 0);
    double[] figures = two.figures(new double[][] {{1, 2, 3, 10, 20, 30}, {1, 2, 3, 10, 20, 30}});
    assertEquals(2, figures[0], 1e-12);
    assertEquals(20, figures[4], 1e-12);
    double[] infinite =
        mixture(0.9, 0.5, 0.5).figures(new double[][] {{1, 2}, {3, Double.POSITIVE_INFINITY}});
    assertEquals(Double.POSITIVE_INFINITY, infinite[0]);
    assertEquals(Double.POSITIVE_INFINITY, infinite[1]);
    assertTrue(infinite[2] >= 1 && infinite[2] <= 2, Arrays.toString(infinite));
  }
}
