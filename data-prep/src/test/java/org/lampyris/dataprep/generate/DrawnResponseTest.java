package org.lampyris.dataprep.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.commons.rng.core.source64.Philox4x64;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

class DrawnResponseTest {
  private static final int N = 40_000;

  /** Mean and variance of every family at three η, within 5 standard errors of the mean. */
  @Test
  void labelsHaveTheMeansAndVariancesThatTheirFamiliesHave() {
    for (double eta : new double[] {-1.3, 0.2, 1.1}) {
      double p = 1 / (1 + Math.exp(-eta));
      double mu = Math.exp(eta);
      double q = NormalDistribution.of(0, 1).cumulativeProbability(eta);
      check(DrawnResponse.LOGISTIC, eta, p, p * (1 - p));
      check(DrawnResponse.PROBIT, eta, q, q * (1 - q));
      double c = -Math.expm1(-mu);
      check(DrawnResponse.CLOGLOG, eta, c, c * (1 - c));
      double t = 0.5 + Math.atan(eta) / Math.PI;
      check(DrawnResponse.CAUCHIT, eta, t, t * (1 - t));
      check(DrawnResponse.ZERO_INFLATED_POISSON, eta, 0.7 * mu, 0.7 * mu * (1 + 0.3 * mu));
      double h = 0.7 * mu / -Math.expm1(-mu);
      check(DrawnResponse.HURDLE_POISSON, eta, h, h * (1 + mu) - h * h);
      double zi = 0.7 * mu;
      double count = 1 + mu / 2;
      check(DrawnResponse.ZERO_INFLATED_NEGATIVE_BINOMIAL, eta, zi, zi * (count + 0.3 * mu));
      double hu = 0.7 * mu / (1 - 1 / count / count);
      check(DrawnResponse.HURDLE_NEGATIVE_BINOMIAL, eta, hu, hu * (count + mu) - hu * hu);
      check(DrawnResponse.BINOMIAL, eta, 10 * p, 10 * p * (1 - p));
      check(DrawnResponse.GAUSSIAN, eta, eta, 1);
      check(DrawnResponse.POISSON, eta, mu, mu);
      check(DrawnResponse.NEGATIVE_BINOMIAL, eta, mu, mu + mu * mu / 2);
      check(DrawnResponse.GAMMA, eta, mu, mu * mu / 2);
      check(DrawnResponse.BETA, eta, p, p * (1 - p) / 11);
      double mean = 0;
      double square = 0;
      double below = 0;
      double[] cuts = {-1, 0.5, 2, Double.POSITIVE_INFINITY};
      for (int k = 0; k < 4; k++) {
        double to = 1 / (1 + Math.exp(eta - cuts[k]));
        mean += k * (to - below);
        square += k * k * (to - below);
        below = to;
      }
      check(DrawnResponse.ORDINAL, eta, mean, square - mean * mean);
    }
  }

  private static void check(DrawnResponse response, double eta, double mean, double variance) {
    var rng = new Philox4x64(new long[] {5, response.key().hashCode(), 0, 0, 0, 0});
    double sum = 0;
    double squares = 0;
    for (int n = 0; n < N; n++) {
      double y = response.draw(eta, response.parameter(), rng);
      assertTrue(!response.isWhole() || y == Math.rint(y));
      sum += y;
      squares += (y - mean) * (y - mean);
    }
    String where = response + " at " + eta;
    assertEquals(mean, sum / N, 5 * Math.sqrt(variance / N), where);
    assertEquals(variance, squares / N, 0.1 * variance, where);
  }

  /** Half of t with 4 degrees of freedom lies within 0.7407 (Abramowitz and Stegun, 26.10). */
  @Test
  void robustNoiseHasFourDegreesOfFreedom() {
    var rng = new Philox4x64(new long[] {5, 2, 0, 0, 0, 0});
    int within = 0;
    for (int n = 0; n < N; n++) {
      within += Math.abs(DrawnResponse.ROBUST.draw(0.3, 2, rng) - 0.3) < 2 * 0.7407 ? 1 : 0;
    }
    assertEquals(0.5, within / (double) N, 0.0125);
  }

  @Test
  void ownParametersFollowTheirLinks() {
    for (DrawnResponse of : DrawnResponse.values()) {
      if (of.modelled().isPresent()) {
        assertEquals(of.parameter(), of.parameter(of.linked()), 1e-14, of.key());
      }
    }
    assertTrue(DrawnResponse.EXPONENTIAL.modelled().isEmpty());
  }

  @Test
  void cutPointsAreThoseThatARunReports() {
    assertEquals(
        Map.of("Intercept[1]", -1.25, "Intercept[2]", 0.25, "Intercept[3]", 1.75),
        DrawnResponse.ORDINAL.own(0.25));
    assertEquals(Map.of(), DrawnResponse.of("probit").own(1));
  }
}
