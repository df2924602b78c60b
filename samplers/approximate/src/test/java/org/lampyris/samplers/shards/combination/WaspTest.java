package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Noise;

class WaspTest {
  private static final long SEED = 24;
  private static final List<Gaussian> SHARDS =
      List.of(
          Gaussian.of(new double[] {0, 1, 2}, new double[] {1, 0.7, 0, 0.7, 1, 0.2, 0, 0.2, 2}),
          Gaussian.of(new double[] {1, 0, 2}, new double[] {2, -0.5, 0, -0.5, 1, 0, 0, 0, 0.5}),
          Gaussian.of(new double[] {2, 2, 5}, new double[] {1, 0, 0.4, 0, 3, 0, 0.4, 0, 1}));

  private static Subposteriors draws(int perChain) {
    return Shards.draws(3, 2, perChain, s -> Shards.normal(SHARDS.get(s), Shards.rng(SEED, 1 + s)));
  }

  /** Returns the moments of what a combination draws, in coordinates of the average covariance. */
  private static Gaussian moments(Combination combination, int perChain) {
    Gaussian scale = Gaussian.average(SHARDS);
    double[][] rows =
        Shards.pooled(combination.combine(draws(perChain), Shards.setting(SEED, null)));
    return Gaussian.ofDraws(scale.whitened(rows), combination.name());
  }

  /** Returns K^½ C K^½, and so on, of matrices where the average covariance is I. */
  private static double[] whitenedCovariance(Gaussian shard) {
    return Gaussian.power(Gaussian.average(SHARDS).whitenedPrecision(shard), -1);
  }

  /** K = 1/S Σ_s (K^½ Σ_s K^½)^½, the equation that the covariance is the solution of. */
  @Test
  void normalBarycentreSolvesItsEquation() {
    List<double[]> covariances = SHARDS.stream().map(WaspTest::whitenedCovariance).toList();
    double[] fixed = normalBarycentre().covariance();
    double[] half = Gaussian.power(fixed, 0.5);
    assertArrayEquals(fixed, Gaussian.times(half, half), 1e-12);
    double[] mean =
        Gaussian.mean(
            covariances.stream()
                .map(c -> Gaussian.power(Gaussian.times(half, Gaussian.times(c, half)), 0.5))
                .toList());
    assertArrayEquals(fixed, mean, 1e-10);
  }

  private static Gaussian normalBarycentre() {
    Gaussian scale = Gaussian.average(SHARDS);
    return Wasp.barycentre(
        SHARDS.stream().map(shard -> scale.whitened(shard.mean())).toList(),
        SHARDS.stream().map(WaspTest::whitenedCovariance).toList());
  }

  /** Where covariances commute, square roots are averaged: sds of 1, 2 and 6 come to 3. */
  @Test
  void barycentreOfDiagonalCovariancesAveragesStandardDeviations() {
    Gaussian barycentre =
        Wasp.barycentre(
            List.of(new double[] {0, 1}, new double[] {3, 1}, new double[] {0, 4}),
            List.of(
                new double[] {1, 0, 0, 4}, new double[] {4, 0, 0, 4}, new double[] {36, 0, 0, 25}));
    assertArrayEquals(new double[] {9, 0, 0, 9}, barycentre.covariance(), 1e-9);
    assertArrayEquals(new double[] {1, 2}, barycentre.mean(), 1e-12);
  }

  @Test
  void marginalFormHasTheMomentsOfTheNormalBarycentre() {
    Gaussian found = moments(new Wasp.Marginal(), 10_000);
    Gaussian exact = normalBarycentre();
    // Five standard errors of 20,000 draws, of moments and of those of the shards.
    assertArrayEquals(exact.mean(), found.mean(), 0.05);
    assertArrayEquals(exact.covariance(), found.covariance(), 0.06);
  }

  /** 300 points in three dimensions: standard errors of 0.06, and somewhat too narrow. */
  @Test
  void jointFormHasAboutTheMomentsOfTheNormalBarycentre() {
    Gaussian found = moments(new Wasp.Joint(), 1000);
    Gaussian exact = normalBarycentre();
    assertArrayEquals(exact.mean(), found.mean(), 0.2);
    assertArrayEquals(exact.covariance(), found.covariance(), 0.25);
  }

  @Test
  void barycentreOfShiftedCloudsIsTheCloudInBetween() {
    Noise noise = Noise.of(Shards.rng(SEED, 9));
    double[][] cloud = new double[120][];
    Arrays.setAll(cloud, i -> noise.normals(2));
    double[][] shifted = new double[cloud.length][];
    // In another order, which is not to matter.
    Arrays.setAll(
        shifted, i -> new double[] {cloud[(i + 50) % 120][0] + 4, cloud[(i + 50) % 120][1] - 2});
    double[][] between = Wasp.Joint.freeSupport(List.of(cloud, shifted));
    for (int i = 0; i < cloud.length; i++) {
      assertArrayEquals(new double[] {cloud[i][0] + 2, cloud[i][1] - 1}, between[i], 1e-12);
    }
  }

  /** On a line, order statistics are averaged, whatever the shapes. */
  @Test
  void bothFormsAverageQuantilesOnALine() {
    Subposteriors draws =
        Shards.draws(3, 2, 100, s -> Shards.gamma(1 + s, 1, Shards.rng(SEED, 30 + s)));
    double[] expected = new double[200];
    for (int s = 0; s < 3; s++) {
      double[] sorted = Arrays.stream(draws.pooled(s)).mapToDouble(x -> x[0]).sorted().toArray();
      Arrays.setAll(expected, i -> expected[i] + sorted[i] / 3);
    }
    double[][] rows = Shards.pooled(new Wasp.Marginal().combine(draws, Shards.setting(SEED, null)));
    assertArrayEquals(expected, sorted(rows), 1e-12);
    double[][] points =
        Wasp.Joint.freeSupport(IntStream.range(0, 3).mapToObj(draws::pooled).toList());
    assertArrayEquals(expected, sorted(points), 1e-12);
  }

  private static double[] sorted(double[][] rows) {
    return Arrays.stream(rows).mapToDouble(x -> x[0]).sorted().toArray();
  }

  @Test
  void saysWhenPointsAreTooFew() {
    double[] covariance = new double[100];
    IntStream.range(0, 10).forEach(j -> covariance[11 * j] = 1);
    Gaussian one = Gaussian.of(new double[10], covariance);
    Subposteriors draws =
        Shards.draws(4, 1, 400, s -> Shards.normal(one, Shards.rng(SEED, 40 + s)));
    String note = new Wasp.Joint().combine(draws, Shards.setting(SEED, null)).notes().get(0);
    assertTrue(note.contains("300 points represent 400 draws"), note);
    assertTrue(note.contains("too narrow"), note);
    assertEquals(
        1, new Wasp.Joint().combine(draws(500), Shards.setting(SEED, null)).notes().size());
  }
}
