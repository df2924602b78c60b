package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.random.Streams;

class StartingPointTest {

  private static final int DRAWS = 20_000;

  /**
   * The mass below each decile of the draws, by integrating the density: a Kolmogorov distance of
   * 1.95/√n has a false-alarm rate of 10⁻³ for each of the 13 priors.
   */
  @Test
  void drawsFollowThePrior() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.INITIAL, 1, 0, 0);
    for (String text :
        List.of(
            "normal(1, 2)",
            "laplace(0, 0.5)",
            "cauchy(-1, 3)",
            "student_t(4, 1, 2)",
            "uniform(-2, 5)",
            "half_normal(2)",
            "half_cauchy(0.5)",
            "half_student_t(3, 2)",
            "exponential(0.2)",
            "log_scale(half_normal(3))",
            "log_scale(half_cauchy(1))",
            "log_scale(exponential(4))",
            "log_scale(uniform(0.5, 8))")) {
      UnivariatePrior prior = PriorParser.parse(text);
      double[] draws = StartingPoint.prior(Collections.nCopies(DRAWS, prior), rng);
      Arrays.sort(draws);
      double mass = 0;
      double step = 1e-3;
      int i = 0;
      for (double u = -25; u < 25; u += step) {
        double x = Math.sinh(u + step / 2);
        mass += Math.exp(prior.logDensity(x)) * Math.cosh(u + step / 2) * step;
        while (i < DRAWS && draws[i] < Math.sinh(u + step)) {
          i++;
        }
        assertEquals(mass, (double) i / DRAWS, 1.95 / Math.sqrt(DRAWS) + 1e-3, text + " at " + x);
      }
      assertTrue(draws[0] >= prior.lower() && draws[DRAWS - 1] <= prior.upper(), text);
    }
  }

  @Test
  void nothingCanBeDrawnFromAFlatPrior() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.INITIAL, 1, 0, 0);
    for (String text : List.of("flat", "log_scale(flat)")) {
      List<UnivariatePrior> priors = List.of(PriorParser.parse(text));
      assertThrows(IllegalArgumentException.class, () -> StartingPoint.prior(priors, rng));
    }
  }
}
