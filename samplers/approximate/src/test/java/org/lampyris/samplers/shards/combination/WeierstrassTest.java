package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.shards.combination.Combination.Combined;

class WeierstrassTest {
  private static final long SEED = 28;
  private static final double STEP = 0.05;

  private static Combined gammas(int shards, double bandwidth) {
    Subposteriors draws =
        Shards.draws(shards, 2, 20_000, s -> Shards.gamma(3 + 2 * s, 1, Shards.rng(SEED, s)));
    return new Weierstrass().combine(draws, Shards.setting(SEED, bandwidth));
  }

  /** Mean, variance and integral of the target as the class has it, of Gamma(3) and Gamma(5). */
  private static double[] target(double h) {
    GammaDistribution f = GammaDistribution.of(3, 1);
    GammaDistribution g = GammaDistribution.of(5, 1);
    double[] sums = new double[3];
    for (double x = STEP / 2; x < 25; x += STEP) {
      for (double y = STEP / 2; y < 30; y += STEP) {
        double weight =
            f.density(x) * g.density(y) * Math.exp(-(x - y) * (x - y) / (2 * 8 * h * h));
        double theta = x + 3.0 / 8 * (y - x);
        sums[0] += weight;
        sums[1] += weight * theta;
        sums[2] += weight * theta * theta;
      }
    }
    double mean = sums[1] / sums[0];
    return new double[] {mean, sums[2] / sums[0] - mean * mean, sums[0] * STEP * STEP};
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 3})
  void twoShardsComeToTheTargetThatIsStated(double h) {
    Combined combined = gammas(2, h);
    Gaussian found = Gaussian.ofDraws(Shards.pooled(combined), "weierstrass");
    double[] exact = target(h);
    // Five standard errors of 40,000 draws, of a variance near 2, and of covariances.
    assertEquals(exact[0], found.mean()[0], 0.05);
    assertEquals(exact[1], found.covariance()[0], 0.12);
    // The integral is the share that is accepted: five times 1/√20,000, relative.
    assertEquals(exact[2], combined.acceptance()[0], 0.04 * exact[2]);
    assertEquals(exact[2], combined.acceptance()[1], 0.04 * exact[2]);
  }

  @Test
  void drawsAgainWhereTooFewAreAccepted() {
    Combined combined = gammas(3, 0.002);
    assertTrue(combined.acceptance()[0] < 0.01);
    double[][] rows = Shards.pooled(combined);
    long distinct = Stream.of(rows).map(Arrays::toString).distinct().count();
    assertEquals(40_000, rows.length);
    assertTrue(distinct < 39_000, () -> distinct + " draws");
    String note = combined.notes().get(1);
    assertTrue(note.contains("combining shards 1 to 2 with shard 3"), note);
    assertTrue(note.contains("so " + distinct + " different draws represent 40000"), note);
  }

  @Test
  void refusesABandwidthThatLeavesNothing() {
    UserException e = assertThrows(UserException.class, () -> gammas(2, 1e-12));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("no draw of shard 1"), message);
  }
}
