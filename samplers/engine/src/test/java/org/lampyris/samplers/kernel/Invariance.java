package org.lampyris.samplers.kernel;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Whether a kernel leaves the {@link SkewedTarget} invariant: θ is drawn exactly, one step leads to
 * θ', and f(θ') − f(θ) has mean 0 for every f. Because the two are a pair, what they have in common
 * does not blur the comparison.
 *
 * <p>Each f gives a score, the mean in standard errors. With {@link #LIMIT} = 5 and {@value
 * #FUNCTIONS} functions, a kernel that is right is accused with probability 2·(1 − Φ(5))·16 ≈ 10⁻⁵
 * at most; seeds are fixed, so the answer is always the same.
 */
final class Invariance {
  static final double LIMIT = 5;
  static final int FUNCTIONS = 16;

  /** A support with three edges and corners, in which a third of the target's mass lies. */
  static final ProductPrior BOX =
      ProductPrior.parse(List.of("uniform(-1.2, 1)", "half_normal(9)", "uniform(-2.5, 2)"));

  private static final int DRAWS = 40_000;

  /** A step from θ: {@link ThetaKernel#step}, or a faulty form of it. */
  @FunctionalInterface
  interface Stepper {
    double[] step(LogDensity target, double[] theta, UniformRandomProvider rng);

    /** Returns a kernel's steps. */
    static Stepper of(ThetaKernel kernel) {
      return (target, theta, rng) -> kernel.step(target, Point.at(theta), rng).point().theta();
    }
  }

  private Invariance() {}

  /** Returns the largest |score| on the target. */
  static double worstScore(Stepper kernel, long seed) {
    return worstScoreWithin(ProductPrior.parse(List.of("flat", "flat", "flat")), kernel, seed);
  }

  /** Returns the largest |score| on the target within a support. */
  static double worstScoreWithin(Prior support, Stepper kernel, long seed) {
    LogDensity target = new Confined(new SkewedTarget(), support);
    double[] sum = new double[FUNCTIONS];
    double[] squares = new double[FUNCTIONS];
    Streams streams = new Streams(seed);
    for (int i = 0; i < DRAWS; i++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.THETA, 1, i, 0);
      double[] theta = SkewedTarget.draw(Noise.of(rng));
      while (support.logDensity(theta) == Double.NEGATIVE_INFINITY) {
        theta = SkewedTarget.draw(Noise.of(rng));
      }
      double[] before = functions(theta);
      double[] after = functions(kernel.step(target, theta, rng));
      for (int f = 0; f < FUNCTIONS; f++) {
        double change = after[f] - before[f];
        sum[f] += change;
        squares[f] += change * change;
      }
    }
    double worst = 0;
    for (int f = 0; f < FUNCTIONS; f++) {
      double mean = sum[f] / DRAWS;
      double error = Math.sqrt((squares[f] / DRAWS - mean * mean) / DRAWS);
      // A kernel that never moves has nothing to be accused of, but is not what is tested here.
      double score = error > 0 ? Math.abs(mean) / error : Double.POSITIVE_INFINITY;
      worst = Math.max(worst, score);
    }
    return worst;
  }

  /** The target within a support. */
  private record Confined(SkewedTarget target, Prior support) implements Around {
    private boolean holds(double[] theta) {
      return support.logDensity(theta) > Double.NEGATIVE_INFINITY;
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      target.values(thetas, out);
      for (int k = 0; k < thetas.length; k++) {
        out[k] = holds(thetas[k]) ? out[k] : Double.NEGATIVE_INFINITY;
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      double value = target.valueAndGradient(theta, gradient);
      return holds(theta) ? value : Double.NEGATIVE_INFINITY;
    }
  }

  /** Means, squares, products, bounded functions, quantiles, and the log-density. */
  private static double[] functions(double[] t) {
    double logDensity = new SkewedTarget().value(t);
    return new double[] {
      t[0],
      t[1],
      t[2],
      t[0] * t[0],
      t[1] * t[1],
      t[2] * t[2],
      t[0] * t[1],
      t[0] * t[2],
      t[1] * t[2],
      Math.tanh(t[0]),
      Math.tanh(t[1] - 1),
      Math.tanh(t[2]),
      t[0] < -0.5 ? 1 : 0,
      t[1] < 0.4 ? 1 : 0,
      t[2] < -2 ? 1 : 0,
      logDensity,
    };
  }
}
