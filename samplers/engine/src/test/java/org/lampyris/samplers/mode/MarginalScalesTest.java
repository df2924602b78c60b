package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Normal;

class MarginalScalesTest {
  /**
   * Coefficients of ±3 with an sd of 1 want a larger one. Without their prior the likelihood is no
   * maximum in the first: a scale is sought no farther than one has a normal approximation.
   */
  @Test
  void scalesStayWhereTheModeIsOne() {
    int d = 5;
    double[] precision = new double[d * d];
    for (int i = 0; i < d; i++) {
      precision[i * (d + 1)] = i == 0 ? 1 - 0.3 : 1 + 20;
    }
    LaplaceApproximation given =
        new LaplaceApproximation(
            new double[] {3, -3, 3, -3, 0}, Cholesky.scaled(precision, d).orElseThrow().inverse());
    LevelScales group =
        new LevelScales("sd", new HalfPrior(new Normal(0, 10)), new int[] {0, 1, 2, 3});
    MarginalScales scales = new MarginalScales(given, List.of(group), new double[1]);
    MarginalScales.Found found = scales.found();
    double phi = found.phi()[0];
    assertTrue(phi > 0.1 && Math.exp(-2 * phi) > 0.3, "sd " + Math.exp(phi));
    assertTrue(found.spread()[0] > 0);
    LaplaceApproximation marginal = scales.marginal(found);
    for (int i = 0; i < d; i++) {
      assertTrue(marginal.sd(i) > 0 && marginal.sd(i) < Double.POSITIVE_INFINITY);
    }
  }
}
