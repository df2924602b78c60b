package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

class StartingPointDrawsTest {
  private static final int DRAWS = 40_000;

  private final UniformRandomProvider rng =
      new Streams(12).stream(Streams.Purpose.INITIAL, 1, 0, 0);

  /** Moments within 5 standard errors, ten comparisons: false-alarm rate below 1e-5. */
  @Test
  void laplaceHasTheModeAndTheCovarianceTimesTheWidthSquared() {
    double[] mode = {3, -1};
    double[] covariance = {2, -0.6, -0.6, 0.5};
    Preconditioner factor = Factors.choleskyOf(covariance, 2);
    for (double width : new double[] {1, StartingPoint.OVERDISPERSION}) {
      double[] sum = new double[2];
      double[] products = new double[4];
      for (int i = 0; i < DRAWS; i++) {
        double[] theta = StartingPoint.laplace(mode, factor, width, rng);
        for (int a = 0; a < 2; a++) {
          sum[a] += theta[a] / DRAWS;
          for (int b = 0; b < 2; b++) {
            products[2 * a + b] += (theta[a] - mode[a]) * (theta[b] - mode[b]) / DRAWS;
          }
        }
      }
      for (int a = 0; a < 2; a++) {
        double sd = width * Math.sqrt(covariance[3 * a]);
        assertEquals(mode[a], sum[a], 5 * sd / Math.sqrt(DRAWS));
        for (int b = 0; b < 2; b++) {
          double v = width * width;
          double error =
              v
                  * Math.sqrt(
                      (covariance[3 * a] * covariance[3 * b] + Math.pow(covariance[2 * a + b], 2))
                          / DRAWS);
          assertEquals(v * covariance[2 * a + b], products[2 * a + b], 5 * error);
        }
      }
    }
  }

  /**
   * The quartiles of each prior, known in closed form, or, for the horseshoe, by quadrature: the
   * share below each within 5 binomial standard errors; 18 comparisons, false-alarm rate below
   * 1e-5.
   */
  @Test
  void priorDrawsHaveThePriorsQuartiles() {
    List<String> priors =
        List.of(
            "normal(1, 2)",
            "laplace(1, 2)",
            "cauchy(1, 2)",
            "student_t(2, 1, 2)",
            "uniform(-1, 3)",
            "horseshoe(2)");
    // Upper quartile less median. For t with 2 degrees of freedom: √(2/3).
    double[] quartile = {
      2 * 0.6744897501960817, 2 * Math.log(2), 2, 2 * Math.sqrt(2.0 / 3), 1, 2 * 0.586750983871119
    };
    double[] median = {1, 1, 1, 1, 1, 0};
    int[][] below = new int[priors.size()][3];
    var factors = ProductPrior.parse(priors).factors();
    for (int i = 0; i < DRAWS; i++) {
      double[] theta = StartingPoint.prior(factors, rng);
      for (int j = 0; j < theta.length; j++) {
        for (int q = 0; q < 3; q++) {
          below[j][q] += theta[j] < median[j] + (q - 1) * quartile[j] ? 1 : 0;
        }
      }
    }
    for (int j = 0; j < below.length; j++) {
      for (int q = 0; q < 3; q++) {
        double p = 0.25 * (q + 1);
        assertEquals(
            p,
            (double) below[j][q] / DRAWS,
            5 * Math.sqrt(p * (1 - p) / DRAWS),
            priors.get(j) + " " + Arrays.toString(below[j]));
      }
    }
  }

  @Test
  void nothingCanBeDrawnFromAFlatPrior() {
    var factors = ProductPrior.parse(List.of("normal(0, 1)", "flat")).factors();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> StartingPoint.prior(factors, rng));
    assertTrue(String.valueOf(refused.getMessage()).contains("flat"), refused.getMessage());
  }
}
