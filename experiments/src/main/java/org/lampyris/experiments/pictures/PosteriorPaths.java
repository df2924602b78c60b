package org.lampyris.experiments.pictures;

import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Partial posterior paths: E φ(θ) of the posterior of N rows from chains on the first n_t = n_0·2^t
 * rows of a random order, t = 0 … T, with a random T and n_L = N for the last possible one:
 *
 * <pre>φ̂ = Σ_{t ≤ T} (φ̂_t − φ̂_{t−1})/P(T ≥ t), P(T ≥ t) = 2^(−αt) for t ≤ L.</pre>
 *
 * <p>φ̂_t is the mean of a chain of {@value #STEPS} random walk steps on the partial posterior.
 * Rows are y_n ~ N(θ, 1) with the prior N(0, 1), so that all partial posteriors are known. A chain
 * begins at an exact draw, which makes φ̂_t unbiased, or at 0, which does not.
 *
 * <p>Cost of φ̂ is Σ_{t ≤ T} n_t times the steps; its variance falls as α does, and its cost grows.
 *
 * <p>Source: Strathmann, Sejdinovic and Girolami (2015), "Unbiased Bayes for big data: paths of
 * partial posteriors", section 3; Rhee and Glynn (2015).
 *
 * @param estimates how many φ̂ are drawn for each α
 */
record PosteriorPaths(int estimates) implements Illustration {
  private static final int LEVELS = 8;
  private static final int FIRST = 16;
  private static final int ROWS = FIRST << LEVELS;
  private static final int STEPS = 20;

  @Override
  public Map<String, String> files() {
    TheoryBounds.Table table =
        new TheoryBounds.Table(
            "Paths of partial posteriors: %d rows, from %d on".formatted(ROWS, FIRST),
            "α, chains begin exactly, mean off in sds, its z, sd of an estimate in sds,"
                + " rows read an estimate, of a chain on all rows, variance times cost");
    Noise noise = Noise.of(new Streams(8).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] y = noise.normals(ROWS);
    for (int n = 0; n < ROWS; n++) {
      y[n] += 0.7;
    }
    for (boolean exactly : new boolean[] {true, false}) {
      for (double alpha : new double[] {0.25, 0.5, 0.75}) {
        double[] found = measured(y, alpha, exactly);
        table.row(
            alpha,
            exactly ? 1 : 0,
            found[0],
            found[0] / found[1] * Math.sqrt(estimates),
            found[1],
            found[2],
            found[2] / ((double) ROWS * STEPS),
            found[1] * found[1] * found[2] / ((double) ROWS * STEPS));
      }
    }
    return Map.of(TABLE, table.markdown(), "paths.csv", table.csv());
  }

  /** Returns the mean error of φ̂ and its sd, in posterior sds, and the rows read for one. */
  private double[] measured(double[] y, double alpha, boolean exactly) {
    UniformRandomProvider rng = new Streams(8).stream(Streams.Purpose.THETA, 0, 0, 0);
    double total = 0;
    for (double value : y) {
      total += value;
    }
    double exact = total / (ROWS + 1);
    double sd = 1 / Math.sqrt(ROWS + 1.0);
    double[] sums = new double[3];
    double[] order = y.clone();
    for (int i = 0; i < estimates; i++) {
      double weight = 1;
      double before = 0;
      double estimate = 0;
      double sum = 0;
      int read = 0;
      for (int t = 0; t <= LEVELS; t++) {
        int rows = FIRST << t;
        for (; read < rows; read++) {
          int at = read + rng.nextInt(ROWS - read);
          double value = order[at];
          order[at] = order[read];
          order[read] = value;
          sum += value;
        }
        double mean = chain(sum / (rows + 1), 1 / Math.sqrt(rows + 1.0), exactly, rng);
        estimate += weight * (mean - before);
        sums[2] += (double) rows * STEPS / estimates;
        before = mean;
        weight *= Math.pow(2, alpha);
        if (rng.nextDouble() >= Math.pow(2, -alpha)) {
          break;
        }
      }
      double off = (estimate - exact) / sd;
      sums[0] += off / estimates;
      sums[1] += off * off / estimates;
    }
    return new double[] {sums[0], Math.sqrt(sums[1] - sums[0] * sums[0]), sums[2]};
  }

  /** Returns the mean of a chain on N(mean, sd²). */
  private static double chain(double mean, double sd, boolean exactly, UniformRandomProvider rng) {
    LogDensity partial =
        new LogDensity() {
          @Override
          public int dimension() {
            return 1;
          }

          @Override
          public void values(double[][] thetas, double[] out) {
            for (int i = 0; i < thetas.length; i++) {
              double z = (thetas[i][0] - mean) / sd;
              out[i] = -0.5 * z * z;
            }
          }
        };
    RandomWalk walk = new RandomWalk(Preconditioner.identity(1), 2.4 * sd);
    Noise noise = Noise.of(rng);
    Point point = Point.at(new double[] {exactly ? mean + sd * noise.normal() : 0});
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
      sum += point.theta()[0];
      point = walk.step(partial, point, noise).point();
    }
    return sum / STEPS;
  }
}
