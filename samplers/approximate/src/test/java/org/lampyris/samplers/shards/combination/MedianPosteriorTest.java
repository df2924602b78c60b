package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MedianPosteriorTest {
  private static final long SEED = 25;

  private static Gaussian at(double place) {
    return Gaussian.of(new double[] {place, -place}, new double[] {1, 0.5, 0.5, 1});
  }

  /** Eight shards, the last far off. */
  private static Subposteriors draws() {
    return Shards.draws(
        8, 4, 500, s -> Shards.normal(at(s == 7 ? 30 : 0), Shards.rng(SEED, 1 + s)));
  }

  @Test
  void ignoresAnOutlierWhichConsensusDoesNot() {
    double[] weights = MedianPosterior.weights(draws());
    assertEquals(0, weights[7], Arrays.toString(weights));
    assertEquals(1, Arrays.stream(weights).sum(), 1e-12);
    double[] mean = mean(new MedianPosterior());
    assertTrue(Math.abs(mean[0]) < 0.15 && Math.abs(mean[1]) < 0.15, Arrays.toString(mean));
    assertTrue(mean(new Consensus.Matrix())[0] > 2);
  }

  private static double[] mean(Combination combination) {
    double[][] rows = Shards.pooled(combination.combine(draws(), Shards.setting(SEED, null)));
    return Gaussian.mean(Arrays.asList(rows));
  }

  @Test
  void equalShardsHaveEqualWeights() {
    Subposteriors draws = Shards.draws(4, 1, 200, s -> Shards.normal(at(0), Shards.rng(SEED, 1)));
    assertArrayEquals(new double[] {0.25, 0.25, 0.25, 0.25}, MedianPosterior.weights(draws), 1e-9);
  }

  /** Points of a plane whose median is known: Fermat's point, and a point that outweighs. */
  @Test
  void medianIsTheGeometricOne() {
    double[][] triangle = {{1, 0}, {-0.5, Math.sqrt(0.75)}, {-0.5, -Math.sqrt(0.75)}};
    assertArrayEquals(
        new double[] {1.0 / 3, 1.0 / 3, 1.0 / 3}, MedianPosterior.median(gram(triangle)), 1e-6);
    double[][] uneven = {{0, 0}, {4, 0}, {1, 3}};
    double[] weights = MedianPosterior.median(gram(uneven));
    // At the median of a triangle of small angles, unit vectors to the corners add up to 0.
    double[] sum = new double[2];
    double[] median = {4 * weights[1] + weights[2], 3 * weights[2]};
    for (double[] corner : uneven) {
      double distance = Math.hypot(corner[0] - median[0], corner[1] - median[1]);
      sum[0] += (corner[0] - median[0]) / distance;
      sum[1] += (corner[1] - median[1]) / distance;
    }
    assertArrayEquals(new double[2], sum, 1e-6);
    double[][] blunt = {{0, 0}, {1, 0.1}, {-1, 0.1}};
    assertEquals(1, MedianPosterior.median(gram(blunt))[0], 1e-3);
  }

  private static double[][] gram(double[][] points) {
    double[][] gram = new double[points.length][points.length];
    for (int i = 0; i < points.length; i++) {
      for (int j = 0; j < points.length; j++) {
        gram[i][j] = points[i][0] * points[j][0] + points[i][1] * points[j][1];
      }
    }
    return gram;
  }

  /** The draws are those of the shards, in proportion to the weights. */
  @Test
  void drawsFromTheMixture() {
    Subposteriors draws =
        Shards.draws(
            3, 2, 4000, s -> Shards.normal(at(new double[] {0, 0.5, 3}[s]), Shards.rng(SEED, s)));
    double[] weights = MedianPosterior.weights(draws);
    double[][] rows =
        Shards.pooled(new MedianPosterior().combine(draws, Shards.setting(SEED, null)));
    for (int s = 0; s < 3; s++) {
      Set<Double> own =
          Arrays.stream(draws.pooled(s)).map(theta -> theta[0]).collect(Collectors.toSet());
      double share =
          Arrays.stream(rows).filter(theta -> own.contains(theta[0])).count()
              / (double) rows.length;
      assertEquals(weights[s], share, 0.03, Arrays.toString(weights));
    }
  }
}
