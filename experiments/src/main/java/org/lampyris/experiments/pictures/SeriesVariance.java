package org.lampyris.experiments.pictures;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.baselines.RheeGlynn;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.ChangeRange;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Relative variance of the likelihood's estimate by Rhee and Glynn's series: its lower bound,
 *
 * <pre>e^(−2x)·sinh(2√A)/(2√A) − 1, x = Σ v_n + Na, A = (1 + ε)(N²σ_t² + x²),</pre>
 *
 * <p>its value by the double series of the proof, and simulated with the library's estimator. The
 * proof's last line and equation 10 have e^(2√A)/√A, where the line before has a fourth of it.
 *
 * <p>Source: Bardenet, Doucet and Holmes (2017), Proposition 4.1 and appendix A.
 */
final class SeriesVariance {
  private static final int ROWS = 100;
  private static final int TERMS = 400;
  private static final long BATCH = 20;

  private SeriesVariance() {}

  static TheoryBounds.Table table(int estimates) {
    TheoryBounds.Table table =
        new TheoryBounds.Table(
            "Rhee and Glynn's series: relative variance, 100 rows in batches of 20",
            "distance in sds, ε, bound, value, simulated, its standard error");
    Noise noise = Noise.of(new Streams(6).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] x = new double[ROWS];
    double[] y = new double[ROWS];
    Arrays.setAll(x, n -> noise.normal());
    Arrays.setAll(y, n -> noise.flip(0.5) ? 1 : -1);
    DataBlock block = new DenseBlock(0, 1, x, y, null);
    LinearModel model = new LinearModel(new LogisticLikelihood(), 1);
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[1], new double[] {4.0 / ROWS});
    TaylorProxy proxy = new TaylorProxy(model, 1, laplace, Double.POSITIVE_INFINITY);
    double constant = Arrays.stream(proxy.derivativeBounds(block)).max().orElseThrow();
    // |∇ℓ_n(0)| is |x_n|/2.
    double slope = 0.5 * laplace.sd(0) * Arrays.stream(x).map(Math::abs).max().orElseThrow();
    ChangeRange range = new ChangeRange(proxy, laplace, slope, constant, constant);
    double[][] cases = {{0.1, 0.2}, {0.3, 0.2}, {1, 0.2}, {0.1, 1}, {0.2, 1}, {0.3, 1}};
    for (double[] one : cases) {
      double distance = one[0];
      double epsilon = one[1];
      double[] theta = {distance * 2 / Math.sqrt(ROWS)};
      RheeGlynn.Series series =
          new RheeGlynn.Series(Remainders.whole(model), range, new double[1], BATCH, epsilon);
      double least = range.of(series.remainders(), new double[1], theta);
      double[] changes = new double[ROWS];
      Arrays.setAll(
          changes,
          n -> model.logLikelihood(block, n, theta) - model.logLikelihood(block, n, new double[1]));
      double[] exact = exact(changes, least, epsilon);
      double[] simulated = simulated(series, theta, changes, estimates);
      table.row(distance, epsilon, exact[0], exact[1], simulated[0], simulated[1]);
    }
    return table;
  }

  /** Returns the lower bound and the relative variance itself. */
  static double[] exact(double[] changes, double least, double epsilon) {
    double n = changes.length;
    double mean = Arrays.stream(changes).average().orElseThrow();
    double variance =
        Arrays.stream(changes).map(v -> (v - mean) * (v - mean)).average().orElseThrow() / BATCH;
    double x = n * (mean + least);
    double second = n * n * variance + x * x;
    double root = Math.sqrt((1 + epsilon) * second);
    double bound = Math.exp(-2 * x) * Math.sinh(2 * root) / (2 * root) - 1;
    double sum = 0;
    double ofK = 1;
    for (int k = 0; k < TERMS; k++) {
      ofK *= k == 0 ? 1 : (1 + epsilon) * second / k / k;
      double inner = 1;
      double product = 1;
      for (int j = k + 1; j < k + TERMS; j++) {
        product *= x / j;
        inner += 2 * product;
      }
      sum += ofK * inner;
    }
    return new double[] {bound, Math.exp(-2 * x) * sum - 1};
  }

  /** Returns the relative variance of estimates, and its standard error. */
  private static double[] simulated(
      RheeGlynn.Series series, double[] theta, double[] changes, int estimates) {
    BatchRows rows =
        new BatchRows() {
          @Override
          public long rows() {
            return changes.length;
          }

          @Override
          public double[] sum(long iteration, long low, long high, long step, Term term) {
            throw new IllegalStateException("the series draws rows with replacement");
          }

          @Override
          public double[][] withReplacement(
              long iteration, int draws, Term term, UniformRandomProvider rng) {
            double[][] drawn = new double[draws][1];
            for (double[] one : drawn) {
              one[0] = changes[rng.nextInt(changes.length)];
            }
            return drawn;
          }
        };
    double log = Arrays.stream(changes).sum();
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.SELECTION, 0, 0, 0);
    double[] sums = new double[2];
    for (int i = 1; i <= estimates; i++) {
      double value = series.of(new double[][] {theta}, i, rows, rng).values()[0];
      double square = Math.pow(Math.exp(value - log) - 1, 2);
      sums[0] += square / estimates;
      sums[1] += square * square / estimates;
    }
    return new double[] {sums[0], Math.sqrt((sums[1] - sums[0] * sums[0]) / estimates)};
  }
}
