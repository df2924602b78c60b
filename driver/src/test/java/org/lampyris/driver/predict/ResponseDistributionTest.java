package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.Response;

/** Distribution functions against sums and integrals of the densities. */
class ResponseDistributionTest {
  @Test
  void countsAddUp() {
    for (Response of :
        List.of(
            new Response.Trials(0.3),
            new Response.Poisson(3.2),
            new Response.NegativeBinomial(2.5, 0.8))) {
      double sum = 0;
      for (int y = 0; y <= 7; y++) {
        ResponseDistribution at = ResponseDistribution.at(y, of, 7);
        assertEquals(sum, at.below(), 1e-13, of + " below " + y);
        sum += Math.exp(at.logDensity());
        assertEquals(sum, at.atMost(), 1e-13, of + " at most " + y);
      }
      assertTrue(of instanceof Response.Trials ? sum > 1 - 1e-12 : sum > 0.9 && sum < 1);
    }
  }

  /** Simpson's rule with 2,000 steps from 0.2 to 0.9. */
  @Test
  void densitiesIntegrate() {
    for (Response of :
        List.of(
            new Response.Normal(0.4, 0.3),
            new Response.Student(4, 0.4, 0.3),
            new Response.AsymmetricLaplace(0.3, 0.1, 0.2),
            new Response.AsymmetricLaplace(0.3, 0.95, 0.4),
            new Response.Gamma(0.7, 1.6),
            new Response.Beta(0.6, 5))) {
      double sum = 0;
      int steps = 2_000;
      for (int k = 0; k <= steps; k++) {
        double factor = k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2;
        sum += factor * Math.exp(at(0.2 + 0.7 * k / steps, of).logDensity());
      }
      double difference = at(0.9, of).atMost() - at(0.2, of).atMost();
      assertEquals(sum * 0.7 / steps / 3, difference, 1e-10, of.toString());
      assertEquals(at(0.5, of).below(), at(0.5, of).atMost());
    }
  }

  private static ResponseDistribution at(double y, Response of) {
    return ResponseDistribution.at(y, of, 1);
  }

  @Test
  void whatHasNoDistributionIsUnknown() {
    for (Response of :
        List.of(
            new Response.Poisson(Double.POSITIVE_INFINITY),
            new Response.Normal(0, 0),
            new Response.Gamma(Double.POSITIVE_INFINITY, 2),
            new Response.Beta(1, 3))) {
      assertTrue(!Double.isFinite(at(0.5, of).logDensity()), of.toString());
    }
  }
}
