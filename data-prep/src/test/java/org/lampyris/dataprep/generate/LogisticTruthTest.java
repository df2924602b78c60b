package org.lampyris.dataprep.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogisticTruthTest {
  private static final int CHUNKS = 100;
  private static final int N = CHUNKS * LogisticTruth.CHUNK_ROWS;

  private static LogisticTruth truth(
      double correlation, @Nullable Double rate, @Nullable Double df) {
    return new LogisticTruth(
        new GenerateSection.Law(N, 4, 7, correlation, rate, df, 1.5, 0, 0),
        GenerateSection.Grouping.NONE,
        DrawnResponse.LOGISTIC);
  }

  /** (y − η)²e^(−2xᵀγ) has a mean of 1, within 5 standard errors, and without γ it has not. */
  @Test
  void sigmaFollowsTheFeatures() {
    LogisticTruth truth =
        new LogisticTruth(
            new GenerateSection.Law(N, 4, 7, 0.3, null, null, 1.5, 0.6, 0),
            GenerateSection.Grouping.NONE,
            DrawnResponse.GAUSSIAN);
    double[] sums = new double[2];
    int rows = LogisticTruth.CHUNK_ROWS;
    truth.draw(
        0,
        rows,
        (x, group, label) -> {
          double residual = label;
          double tau = 0;
          for (int j = 0; j < x.length; j++) {
            residual -= x[j] * truth.theta()[j];
            tau += x[j] * truth.gamma()[j];
          }
          sums[0] += residual * residual * Math.exp(-2 * tau) / rows;
          sums[1] += residual * residual / rows;
        });
    assertEquals(1, sums[0], 5 * Math.sqrt(2.0 / rows));
    assertEquals(Math.exp(2 * 0.6 * 0.6), sums[1], 0.4);
  }

  /** The first ones are those of a table without zeros, but for the factor. */
  @Test
  void featuresThatAreNotActiveHaveNoEffect() {
    double[] some =
        new LogisticTruth(
                new GenerateSection.Law(N, 4, 7, 0.3, null, null, 1.5, 0, 2),
                GenerateSection.Grouping.NONE,
                DrawnResponse.LOGISTIC)
            .theta();
    double[] all = truth(0.3, null, null).theta();
    assertEquals(0, some[2]);
    assertEquals(0, some[3]);
    assertEquals(all[1] / all[0], some[1] / some[0], 1e-12);
    double squares = some[0] * some[0] + some[1] * some[1];
    double sum = some[0] + some[1];
    assertEquals(1.5 * 1.5, 0.7 * squares + 0.3 * sum * sum, 1e-12);
  }

  /** Sums over all rows: 4 means, 16 products, Σ η, Σ η², positives, Σ x_0⁴. */
  private static double[] sums(LogisticTruth truth) {
    double[] sums = new double[24];
    double[] theta = truth.theta();
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      truth.draw(
          chunk,
          LogisticTruth.CHUNK_ROWS,
          (x, group, label) -> {
            double eta = 0;
            for (int i = 0; i < 4; i++) {
              sums[i] += x[i] / N;
              eta += x[i] * theta[i];
              for (int j = 0; j < 4; j++) {
                sums[4 + 4 * i + j] += x[i] * x[j] / N;
              }
            }
            sums[20] += eta / N;
            sums[21] += eta * eta / N;
            sums[22] += label / N;
            sums[23] += Math.pow(x[0], 4) / N;
          });
    }
    return sums;
  }

  @Test
  void normalFeaturesHaveTheWantedMomentsAndRate() {
    // Tolerances are six standard errors: a false alarm of 2e-9 for each, and the seed is fixed.
    double six = 6 / Math.sqrt(N);
    double[] sums = sums(truth(0.4, 0.1, null));
    for (int i = 0; i < 4; i++) {
      assertEquals(0, sums[i], six);
      for (int j = 0; j < 4; j++) {
        assertEquals(i == j ? 1 : 0.4, sums[4 + 4 * i + j], six * Math.sqrt(2));
      }
    }
    assertEquals(1.5 * 1.5, sums[21], six * 1.5 * 1.5 * Math.sqrt(2));
    assertEquals(0.1, sums[22], six * Math.sqrt(0.1 * 0.9));
    assertEquals(3, sums[23], six * Math.sqrt(96));
  }

  @Test
  void heavyTailsHaveUnitVarianceAndTheRate() {
    double six = 6 / Math.sqrt(N);
    double[] sums = sums(truth(0.4, 0.01, 10.0));
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        // Var(x²) = κ − 1 with kurtosis κ = 3 + 6/(ν − 4) = 4.
        assertEquals(i == j ? 1 : 0.4, sums[4 + 4 * i + j], six * Math.sqrt(3));
      }
    }
    assertEquals(0.01, sums[22], six * Math.sqrt(0.01 * 0.99));
    // E x⁴ = 4 for ν = 10, and 3 would be normal.
    assertTrue(sums[23] > 3.6, "fourth moment " + sums[23]);
  }

  @Test
  void withoutRateTheInterceptIsZeroAndHalfArePositive() {
    LogisticTruth truth = truth(0, null, null);
    assertEquals(0, truth.intercept());
    assertEquals(0.5, sums(truth)[22], 3 / Math.sqrt(N));
  }

  @Test
  void rateMatchesReferences() {
    // E[σ(b + s Z)]: 1/2 at b = 0, σ(b) for s → 0.
    assertEquals(0.5, LogisticTruth.rate(0, 3, Double.POSITIVE_INFINITY), 1e-13);
    assertEquals(0.5, LogisticTruth.rate(0, 3, 2.1), 1e-9);
    assertEquals(1 / (1 + Math.exp(2)), LogisticTruth.rate(-2, 1e-9, 5), 1e-12);
    // Midpoint rule with 10⁶ points on ±12 standard deviations.
    double sum = 0;
    double h = 24e-6;
    for (int k = 0; k < 1_000_000; k++) {
      double z = -12 + (k + 0.5) * h;
      sum += h * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) / (1 + Math.exp(3 - 2 * z));
    }
    assertEquals(sum, LogisticTruth.rate(-3, 2, Double.POSITIVE_INFINITY), 1e-13);
    for (double rate : new double[] {1e-6, 0.3, 0.999}) {
      double b = LogisticTruth.intercept(rate, 2, 4);
      assertEquals(rate, LogisticTruth.rate(b, 2, 4), 1e-12 + 1e-9 * rate);
    }
  }

  @Test
  void chunksAreStreamsOfTheirOwn() {
    LogisticTruth truth = truth(0.2, 0.5, 6.0);
    double[][] first = new double[3][];
    for (int k = 0; k < 3; k++) {
      int at = k;
      truth.draw(k == 2 ? 0 : k, 1, (x, group, label) -> first[at] = x.clone());
    }
    assertNotEquals(first[0][0], first[1][0]);
    assertArrayEquals(first[0], first[2]);
  }
}
