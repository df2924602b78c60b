package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.rows.Predictors;

/** Figures of a row against plain loops over draws, and sorted values. */
class PosteriorPredictorTest {
  private static final int DRAWS = 101;
  private static final int COLUMNS = 4;

  private static double[][] draws(int length) {
    Random random = new Random(5);
    double[][] draws = new double[DRAWS][length];
    for (double[] draw : draws) {
      Arrays.setAll(draw, j -> random.nextGaussian());
    }
    return draws;
  }

  @Test
  void oneNumberIsExpected() {
    double[][] draws = draws(COLUMNS + 1); // one more, which is no coefficient
    PosteriorPredictor predictor =
        new PosteriorPredictor(
            Expectation.of(Math::exp), draws, Predictors.all(COLUMNS, 1), 1, 0.8);
    double[] x = {1, -0.3, 0, 2};
    double[] figures = new double[PosteriorPredictor.FIGURES];
    PosteriorPredictor.Row row = predictor.row();
    row.predict(new double[] {5, 5, 5, 5}, 9, figures); // leaves nothing behind
    row.predict(x, 0.25, figures);
    double[] expected =
        Arrays.stream(draws)
            .mapToDouble(b -> Math.exp(0.25 + b[0] - 0.3 * b[1] + 2 * b[3]))
            .sorted()
            .toArray();
    double mean = Arrays.stream(expected).average().orElseThrow();
    double variance = Arrays.stream(expected).map(v -> (v - mean) * (v - mean)).sum() / (DRAWS - 1);
    assertEquals(mean, figures[0], 1e-12 * mean);
    assertEquals(Math.sqrt(variance), figures[1], 1e-12 * mean);
    // 101 sorted draws: the quantile p is the one at 100 p.
    assertEquals(expected[10], figures[2], 1e-12 * mean);
    assertEquals(expected[90], figures[3], 1e-12 * mean);
  }

  @Test
  void severalPredictorsAndOutputsKeepApart() {
    double[][] draws = draws(2 * COLUMNS);
    Expectation both =
        (eta, theta, out) -> {
          out[0] = eta[0];
          out[1] = eta[1];
          out[2] = theta[1];
        };
    PosteriorPredictor predictor =
        new PosteriorPredictor(both, draws, Predictors.all(COLUMNS, 2), 3, 0.5);
    double[] figures = new double[3 * PosteriorPredictor.FIGURES];
    predictor.row().predict(new double[] {0, 1, 0, 0}, 0, figures);
    double[] first = Arrays.stream(draws).mapToDouble(b -> b[1]).sorted().toArray();
    double[] second = Arrays.stream(draws).mapToDouble(b -> b[COLUMNS + 1]).sorted().toArray();
    assertEquals(first[25], figures[2], 1e-12);
    assertEquals(second[75], figures[PosteriorPredictor.FIGURES + 3], 1e-12);
    assertEquals(figures[0], figures[2 * PosteriorPredictor.FIGURES], 1e-12);
  }
}
