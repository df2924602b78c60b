package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.prior.ConfinedPrior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/**
 * A target that is known, θ = (β, τ) independent and normal, with as much of it on either side of a
 * region as inside: what an invariance test does not see is a side that no chain comes to.
 *
 * <p>With the θ-kernel's short steps a side is left by its moves along the ray alone. The tolerance
 * is five standard errors of 100,000 iterations whose autocorrelation time is below 40.
 */
class RegionKernelTest {
  private static final int ITERATIONS = 100_000;
  private static final double TOLERANCE = 5 * Math.sqrt(0.25 * 40 / ITERATIONS);
  private static final NormalDistribution TAU = NormalDistribution.of(0.2, 0.5);
  private static final ProductPrior PRIOR =
      ProductPrior.parse(List.of("normal(1, 0.5)", "normal(0.2, 0.5)"));

  /** A full-data kernel in the region, at home nowhere else. */
  private record InRegion(FullDataKernel kernel) implements Inside<Point> {
    @Override
    public Transition<Point> init(double[] theta) {
      return kernel.init(theta);
    }

    @Override
    public Transition<Point> step(
        Point state, long iteration, ThetaKernel theta, UniformRandomProvider rng) {
      return kernel.step(state, iteration, theta, rng);
    }

    @Override
    public Transition<Point> enter(Point before, double[] theta, long iteration) {
      return init(theta);
    }

    @Override
    public Point outside(@Nullable Point before, Point point) {
      return point;
    }
  }

  private static List<double[]> draws(Region region, double[] start) {
    return draws(region, start, 1, ITERATIONS, 0.25);
  }

  /** Returns the draws of a chain whose rows say nothing: their weight is 0. */
  private static List<double[]> draws(
      Region region, double[] start, int chain, int iterations, double stepSize) {
    DenseBlock block = new DenseBlock(0, 1, new double[] {1}, new double[] {0}, new double[] {0});
    LikelihoodRows rows =
        new InMemoryLikelihoodRows(List.of(block), new LikelihoodPass<>(new GaussianScaleModel(1)));
    Streams streams = new Streams(11);
    InRegion inside = new InRegion(new FullDataKernel(new ConfinedPrior(PRIOR, region), rows));
    TransitionKernel<Point> kernel =
        new RegionKernel<>(inside, region, new PosteriorDensity(PRIOR, rows), chain, streams);
    ChainTrace trace =
        new ChainRunner(new ChainRunner.Length(0, iterations, 1, 0.5), streams, (c, i, info) -> {})
            .run(chain, kernel, new RandomWalk(Preconditioner.identity(2), stepSize), start);
    return trace.draws();
  }

  @Test
  void bothEdgesOfAStripAreCrossed() {
    Region strip =
        new GaussianScaleModel.Bound(new GaussianScaleModel(1), 0, 0.4).region().orElseThrow();
    List<double[]> draws = draws(strip, new double[] {1, 0});
    long below = draws.stream().filter(theta -> theta[1] < -0.4).count();
    long above = draws.stream().filter(theta -> theta[1] > 0.4).count();
    assertEquals(TAU.cumulativeProbability(-0.4), below / (double) ITERATIONS, TOLERANCE, "below");
    assertEquals(TAU.survivalProbability(0.4), above / (double) ITERATIONS, TOLERANCE, "above");
  }

  /**
   * A region of more than 1.27 units is crossed from within half a unit of its edge only, from
   * inside and from outside alike. Five standard errors of iterations whose autocorrelation time is
   * below 20.
   */
  @Test
  void aWideBallIsLeftAndEnteredByTheSameShell() {
    for (double radius : new double[] {1.7, 2.2}) {
      Region ball =
          new LaplaceApproximation(new double[] {1, 0.2}, new double[] {0.25, 0, 0, 0.25})
              .ball(radius);
      int iterations = 400_000;
      List<double[]> draws = draws(ball, new double[] {1, 0.2}, 1, iterations, 0.6);
      double share =
          draws.stream().filter(theta -> !ball.holds(theta)).count() / (double) iterations;
      double exact = Math.exp(-0.5 * radius * radius);
      double error = Math.sqrt(exact * (1 - exact) * 20 / iterations);
      assertEquals(exact, share, 5 * error, "radius " + radius);
    }
  }

  /**
   * Outside, with a θ-kernel that all but stands still, only moves along the ray tell chains apart.
   */
  @Test
  void chainsCrossByNumbersOfTheirOwn() {
    Region strip =
        new GaussianScaleModel.Bound(new GaussianScaleModel(1), 0, 0.1).region().orElseThrow();
    double[] start = {1, 0.4};
    double one = draws(strip, start, 1, 10, 1e-12).get(9)[1];
    double other = draws(strip, start, 2, 10, 1e-12).get(9)[1];
    assertTrue(Math.abs(one - 0.4) > 1e-3, "moved to " + one);
    assertTrue(Math.abs(one - other) > 1e-3, one + " and " + other);
  }

  /** About its mode, P(‖θ − θ̂‖ > R) = e^−R²/2 in two dimensions; a chain that begins outside. */
  @Test
  void aBallIsLeftAndEntered() {
    Region ball =
        new LaplaceApproximation(new double[] {1, 0.2}, new double[] {0.25, 0, 0, 0.25}).ball(1);
    List<double[]> draws = draws(ball, new double[] {1, 1.2});
    long outside = draws.stream().filter(theta -> !ball.holds(theta)).count();
    assertEquals(Math.exp(-0.5), outside / (double) ITERATIONS, TOLERANCE);
  }
}
