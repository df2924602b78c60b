package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

/** What every θ-kernel must do, on the full posterior and on Firefly's conditional alike. */
abstract class ThetaKernelContract {
  private static final double[] MEAN = {1, -2, 0.5};
  private static final double[] COVARIANCE = {4, 1.2, -0.3, 1.2, 1, 0, -0.3, 0, 0.25};

  /** Returns the kernel in three dimensions, centred where it has a centre. */
  abstract ThetaKernel kernel(double[] centre, Preconditioner preconditioner);

  /** Returns how many questions a step asks at most where all is known of the current point. */
  int questionsAtAKnownPoint() {
    return 1;
  }

  private ThetaKernel onSkewed(Preconditioner preconditioner) {
    return kernel(new double[] {0.5, 1, 0}, preconditioner);
  }

  private static UniformRandomProvider rng(long iteration) {
    return new Streams(11).stream(Streams.Purpose.THETA, 1, iteration, 0);
  }

  /** False-alarm rate 10⁻⁵ for each of the two: see {@link Invariance}. */
  @Test
  void leavesASkewedTargetWithHolesInvariant() {
    for (Preconditioner shape :
        new Preconditioner[] {Preconditioner.identity(3), SkewedTarget.preconditioner()}) {
      double worst = Invariance.worstScore(Invariance.Stepper.of(onSkewed(shape)), 5);
      assertTrue(worst < Invariance.LIMIT, "a change of " + worst + " standard errors, seed 5");
    }
  }

  /** False-alarm rate 10⁻⁵ for each of the two: see {@link Invariance}. */
  @Test
  void leavesATargetWithEdgesInvariant() {
    for (Preconditioner shape :
        new Preconditioner[] {Preconditioner.identity(3), SkewedTarget.preconditioner()}) {
      Invariance.Stepper stepper = Invariance.Stepper.of(onSkewed(shape.within(Invariance.BOX)));
      double worst = Invariance.worstScoreWithin(Invariance.BOX, stepper, 6);
      assertTrue(worst < Invariance.LIMIT, "a change of " + worst + " standard errors, seed 6");
    }
  }

  /**
   * Means and standard deviations of a correlated normal, each within 5 Monte-Carlo standard errors
   * by the chain's own effective sample size, which is at least 400: 6 comparisons, false-alarm
   * rate 4·10⁻⁶.
   */
  @Test
  void findsTheMomentsOfACorrelatedNormal() {
    // Not the target's own shape.
    double[] shape = {3, 0.5, 0, 0.5, 1.2, 0, 0, 0, 0.3};
    findsTheMoments(Factors.choleskyOf(shape, 3));
  }

  /** The same by a factor that is no triangle. */
  @Test
  void findsTheMomentsByAFactorOfLowRank() {
    findsTheMoments(
        Preconditioner.of(
            new LowRankFactor(
                new double[] {0.4, 1.1, 3.5}, new double[] {0.6}, new double[][] {{0.6, 0.8, 0}})));
  }

  private void findsTheMoments(Preconditioner shape) {
    LogDensity target = new NormalTarget(MEAN, Factors.choleskyOf(COVARIANCE, 3));
    // Off its centre.
    ThetaKernel kernel = kernel(new double[] {1, -1.5, 0.4}, shape);
    int draws = 20_000;
    double[][] chain = new double[3][draws];
    Point point = Point.at(MEAN);
    for (int i = 0; i < draws; i++) {
      point = kernel.step(target, point, rng(i)).point();
      for (int j = 0; j < 3; j++) {
        chain[j][i] = point.theta()[j];
      }
    }
    for (int j = 0; j < 3; j++) {
      double[][] one = {chain[j]};
      assertTrue(Diagnostics.essMean(one) > 400, "ESS " + Diagnostics.essMean(one));
      double mean = Arrays.stream(chain[j]).average().orElseThrow();
      assertEquals(MEAN[j], mean, 5 * Diagnostics.mcseMean(one), "mean " + j);
      double variance = Arrays.stream(chain[j]).map(x -> (x - mean) * (x - mean)).sum() / draws;
      double sd = Math.sqrt(COVARIANCE[4 * j]);
      assertEquals(sd, Math.sqrt(variance), 5 * Diagnostics.mcseSd(one), "sd " + j);
    }
  }

  @Test
  void neverMovesToAPointOfDensityZero() {
    SkewedTarget target = new SkewedTarget();
    ThetaKernel kernel = onSkewed(Preconditioner.identity(3));
    Point point = Point.at(SkewedTarget.draw(Noise.of(rng(0))));
    for (int i = 1; i <= 5000; i++) {
      ThetaKernel.Step step = kernel.step(target, point, rng(i));
      point = step.point();
      assertTrue(Double.isFinite(point.logDensity()), "iteration " + i);
      assertTrue(step.acceptanceProbability() >= 0 && step.acceptanceProbability() <= 1);
      assertTrue(step.tuning() >= 0 && step.tuning() <= 1);
      assertEquals(target.value(point.theta()), point.logDensity(), 1e-12);
    }
  }

  @Test
  void leavesAStartOfDensityZero() {
    SkewedTarget target = new SkewedTarget();
    ThetaKernel kernel = onSkewed(Preconditioner.identity(3));
    // u₂ = −0.1, outside of the support
    Point point = Point.at(new double[] {0, -0.08, 0.5});
    assertEquals(Double.NEGATIVE_INFINITY, target.value(point.theta()));
    for (int i = 0; i < 1000 && !Double.isFinite(point.logDensity()); i++) {
      point = kernel.step(target, point, rng(i)).point();
    }
    assertTrue(Double.isFinite(point.logDensity()));
  }

  /** Gradients that overflow, densities that are NaN, and whatever else a target may say. */
  @Test
  void aTargetThatGoesMadLeavesTheChainWhereItIs() {
    LogDensity mad =
        new LogDensity() {
          @Override
          public int dimension() {
            return 3;
          }

          @Override
          public void values(double[][] thetas, double[] out) {
            for (int k = 0; k < thetas.length; k++) {
              out[k] = Arrays.equals(thetas[k], MEAN) ? 0 : Double.NaN;
            }
          }

          @Override
          public double valueAndGradient(double[] theta, double[] gradient) {
            Arrays.fill(gradient, Arrays.equals(theta, MEAN) ? 1e300 : Double.NaN);
            return value(theta);
          }
        };
    ThetaKernel kernel = kernel(MEAN, Preconditioner.identity(3));
    Point point = Point.at(MEAN);
    for (int i = 0; i < 50; i++) {
      point = kernel.step(mad, point, rng(i)).point();
      assertArrayEquals(MEAN, point.theta());
      assertEquals(0, point.logDensity());
    }
  }

  @Test
  void theStreamDeterminesTheStep() {
    SkewedTarget target = new SkewedTarget();
    ThetaKernel kernel = onSkewed(SkewedTarget.preconditioner());
    Point start = Point.at(SkewedTarget.draw(Noise.of(rng(0))));
    boolean moved = false;
    for (int i = 1; i < 20; i++) {
      double[] first = kernel.step(target, start, rng(i)).point().theta();
      assertArrayEquals(first, kernel.step(target, start, rng(i)).point().theta());
      moved |= !Arrays.equals(first, start.theta());
    }
    assertTrue(moved);
  }

  @Test
  void asksNoMoreThanItMust() {
    NormalTarget target = new NormalTarget(MEAN, Preconditioner.identity(3));
    ThetaKernel kernel = kernel(MEAN, Preconditioner.identity(3));
    Point point = kernel.step(target, Point.at(new double[] {1, -2, 0}), rng(0)).point();
    for (int i = 1; i < 200; i++) {
      long before = target.questions();
      point = kernel.step(target, point, rng(i)).point();
      assertTrue(target.questions() - before <= questionsAtAKnownPoint(), "iteration " + i);
    }
  }

  @Test
  void stepSizesOutsideOfTheRangeAreRefused() {
    ThetaKernel kernel = kernel(MEAN, Preconditioner.identity(3));
    assertEquals(0.25, kernel.withStepSize(0.25).stepSize());
    double beyond = Math.max(Math.nextUp(kernel.largestStepSize()), Double.POSITIVE_INFINITY);
    for (double size : new double[] {0, -1, Double.NaN, beyond}) {
      assertThrows(IllegalArgumentException.class, () -> kernel.withStepSize(size));
    }
    assertFalse(kernel.targetAcceptance() <= 0 || kernel.targetAcceptance() >= 1);
  }
}
