package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/** The bounds along one functional against the largest value over a fine grid of directions. */
class WayTest {
  private static final int TRIALS = 300;
  private static final int ANGLES = 6000;
  private static final int STEPS = 400;

  private final RandomGenerator random = RandomBlocks.random(60);

  /** Tries every relation of the three lengths, extreme ones included. */
  private void forSegments(Consumer<Way> check) {
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] lengths = new double[3];
      for (int i = 0; i < lengths.length; i++) {
        lengths[i] = random.nextInt(6) == 0 ? 0 : Math.exp(2 * random.nextGaussian());
      }
      check.accept(new Way(lengths[0], lengths[1], lengths[2]));
    }
  }

  @Test
  void theBoundsAreTheLargestValuesOverAllDirections() {
    forSegments(
        segment -> {
          double slope = 0;
          double curvature = 0;
          for (int k = 0; k < ANGLES; k++) {
            double angle = Math.PI * k / ANGLES;
            slope = Math.max(slope, slope(segment, angle));
            curvature = Math.max(curvature, curvature(segment, angle));
          }
          String what = segment.toString();
          assertTrue(slope <= segment.slopeAlongOne() + 1e-300, what);
          assertTrue(curvature <= segment.curvatureAlongOne() + 1e-300, what);
          assertEquals(1, ratio(slope, segment.slopeAlongOne()), 1e-5, what);
          assertEquals(1, ratio(curvature, segment.curvatureAlongOne()), 1e-5, what);
        });
  }

  private static double ratio(double a, double b) {
    return a == b ? 1 : a / b;
  }

  /** |w·v|·∫|w·δ_t|dt from its two ends. */
  private static double slope(Way segment, double angle) {
    double c = Math.cos(angle);
    double y = c * segment.along() + Math.sin(angle) * segment.across();
    double a = y - 0.5 * segment.length() * c;
    double b = y + 0.5 * segment.length() * c;
    return a * b >= 0 ? 0.5 * Math.abs(b * b - a * a) : 0.5 * (a * a + b * b);
  }

  /** |w·v|·½∫(w·δ_t)²dt by Simpson's rule, which is exact for a quadratic. */
  private static double curvature(Way segment, double angle) {
    double c = Math.cos(angle);
    double y = c * segment.along() + Math.sin(angle) * segment.across();
    double a = y - 0.5 * segment.length() * c;
    double b = y + 0.5 * segment.length() * c;
    return Math.abs(segment.length() * c) * 0.5 * (a * a + 4 * y * y + b * b) / 6;
  }

  /** The bounds for any row against the integrals of ‖δ_t‖ and ½‖δ_t‖². */
  @Test
  void theBoundsForAnyRowAreNotBelowTheIntegralsOfTheLength() {
    forSegments(
        segment -> {
          double slope = 0;
          double curvature = 0;
          for (int k = 0; k < STEPS; k++) {
            double x = segment.along() + segment.length() * ((k + 0.5) / STEPS - 0.5);
            double squared = x * x + segment.across() * segment.across();
            slope += segment.length() * Math.sqrt(squared) / STEPS;
            curvature += segment.length() * 0.5 * squared / STEPS;
          }
          assertTrue(slope <= segment.slope() * (1 + 1e-4), segment.toString());
          assertEquals(1, ratio(curvature, segment.curvature()), 1e-4, segment.toString());
          assertTrue(segment.slopeAlongOne() <= segment.slope() * (1 + 1e-10));
          assertTrue(segment.curvatureAlongOne() <= segment.curvature() * (1 + 1e-10));
        });
  }

  /** From θ to θ′ as from θ′ to θ, in every metric, and the lengths are those of a picture. */
  @Test
  void theWayBackIsTheSameWay() {
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[] {0.4, -0.2}, new double[] {4, 0.3, 0.3, 0.25});
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] from = RandomBlocks.normal(random, 2, 1);
      double[] to = RandomBlocks.normal(random, 2, 1);
      Way there = Way.between(laplace, from, to);
      Way back = Way.between(laplace, to, from);
      assertEquals(1, there.curvatureAlongOne() / back.curvatureAlongOne(), 1e-12);
      assertEquals(1, there.slopeAlongOne() / back.slopeAlongOne(), 1e-12);
    }
    Way picture =
        Way.between(
            new LaplaceApproximation(new double[] {1, 1}, new double[] {1, 0, 0, 1}),
            new double[] {2, 4},
            new double[] {6, 4});
    assertEquals(new Way(4, 3, 3), picture);
  }
}
