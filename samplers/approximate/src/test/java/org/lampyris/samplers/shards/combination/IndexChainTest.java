package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.shards.combination.IndexChain.Components;

/**
 * Two shards of four draws in two dimensions: sixteen components, whose weights can be added up.
 */
class IndexChainTest {
  private static final double[][][] DRAWS = {
    {{0, 0}, {1, 0.5}, {0.3, 1.5}, {2, 2}}, {{0.5, -1}, {1.5, 1}, {-0.7, 0.6}, {0.4, 0.3}}
  };
  private static final int T = 4;
  private static final int COMPONENTS = T * T;
  private static final double H = 0.8;
  private static final int KEPT = 100_000;
  private static final long SEED = 22;

  private static Subposteriors draws() {
    return new Subposteriors(new double[][][][] {{DRAWS[0]}, {DRAWS[1]}});
  }

  /** log N(x | mean, covariance), up to the same constant for all in two dimensions. */
  private static double logNormal(double[] x, double[] mean, double[] covariance) {
    Cholesky factor = Cholesky.scaled(covariance, 2).orElseThrow();
    double[] apart = {x[0] - mean[0], x[1] - mean[1]};
    double[] solved = factor.solve(apart);
    return -0.5 * (apart[0] * solved[0] + apart[1] * solved[1] + factor.logDeterminant());
  }

  private static double[] plus(double[] one, double[] other, double factor) {
    return IntStream.range(0, one.length).mapToDouble(k -> one[k] + factor * other[k]).toArray();
  }

  /** The weights as the paper has them, with hᵀh times the average covariance for h² I. */
  private static double[] weights(boolean normalFits) {
    Gaussian one = Gaussian.ofDraws(DRAWS[0], "one");
    Gaussian other = Gaussian.ofDraws(DRAWS[1], "other");
    double[] average = plus(one.covariance(), other.covariance(), 1);
    Arrays.setAll(average, k -> average[k] / 2);
    double[] kernel = Arrays.stream(average).map(v -> H * H * v).toArray();
    Gaussian product = Gaussian.product(List.of(one, other));
    double[] weights = new double[COMPONENTS];
    for (int t = 0; t < COMPONENTS; t++) {
      double[] x = DRAWS[0][t / T];
      double[] y = DRAWS[1][t % T];
      double[] mean = {(x[0] + y[0]) / 2, (x[1] + y[1]) / 2};
      double log = logNormal(x, mean, kernel) + logNormal(y, mean, kernel);
      if (normalFits) {
        log += logNormal(mean, product.mean(), plus(product.covariance(), kernel, 0.5));
        log -= logNormal(x, one.mean(), one.covariance());
        log -= logNormal(y, other.mean(), other.covariance());
      }
      weights[t] = Math.exp(log);
    }
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void visitsComponentsAsOftenAsTheirWeightsSay(boolean normalFits) {
    IndexChain chain =
        new IndexChain(Components.of(draws(), normalFits), Shards.rng(SEED, 1), i -> H);
    double[] share = new double[COMPONENTS];
    for (int i = 0; i < KEPT; i++) {
      chain.get();
      share[T * chain.chosen()[0] + chain.chosen()[1]] += 1.0 / KEPT;
    }
    double[] expected = weights(normalFits);
    for (int t = 0; t < COMPONENTS; t++) {
      // Ten sweeps leave next to no correlation: six standard errors.
      double error = 6 * Math.sqrt(expected[t] / KEPT);
      int component = t;
      assertTrue(
          Math.abs(share[t] - expected[t]) < error,
          () -> component + ": " + Arrays.toString(share) + Arrays.toString(expected));
    }
  }

  /** The mean and covariance of the mixture, from its weights and components. */
  @Test
  void drawsComeFromTheComponents() {
    IndexChain chain = new IndexChain(Components.of(draws(), true), Shards.rng(SEED, 2), i -> H);
    double[][] drawn = new double[KEPT][];
    Arrays.setAll(drawn, i -> chain.get());
    Gaussian moments = Gaussian.ofDraws(drawn, "the chain");
    double[] mean = new double[2];
    double[] second = new double[4];
    double[] weights = weights(true);
    Gaussian one = Gaussian.ofDraws(DRAWS[0], "one");
    Gaussian other = Gaussian.ofDraws(DRAWS[1], "other");
    double[] average = plus(one.covariance(), other.covariance(), 1);
    double[] kernelPrecision = Cholesky.scaled(average, 2).orElseThrow().inverse();
    Arrays.setAll(kernelPrecision, k -> 4 * kernelPrecision[k] / (H * H));
    Gaussian product = Gaussian.product(List.of(one, other));
    double[] covariance =
        Cholesky.scaled(plus(kernelPrecision, product.precision(), 1), 2).orElseThrow().inverse();
    for (int t = 0; t < COMPONENTS; t++) {
      double[] theta = plus(DRAWS[0][t / T], DRAWS[1][t % T], 1);
      double[] half = {theta[0] / 2, theta[1] / 2};
      double[] shift =
          plus(
              Gaussian.times(kernelPrecision, half),
              Gaussian.times(product.precision(), product.mean()),
              1);
      double[] centre = Gaussian.times(covariance, shift);
      for (int j = 0; j < 2; j++) {
        mean[j] += weights[t] * centre[j];
        for (int k = 0; k < 2; k++) {
          second[2 * j + k] += weights[t] * (covariance[2 * j + k] + centre[j] * centre[k]);
        }
      }
    }
    for (int j = 0; j < 2; j++) {
      assertTrue(Math.abs(moments.mean()[j] - mean[j]) < 0.006, () -> Arrays.toString(mean));
      for (int k = 0; k < 2; k++) {
        double exact = second[2 * j + k] - mean[j] * mean[k];
        double found = moments.covariance()[2 * j + k];
        assertTrue(Math.abs(found - exact) < 0.006, () -> found + " for " + exact);
      }
    }
  }
}
