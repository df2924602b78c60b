package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.shards.combination.Combination.Combined;

/** Importance sampling on Gamma subposteriors, whose product is a Gamma distribution. */
class ImportanceTest {
  private static final long SEED = 3;

  /** θ^(a − 1)e^(−bθ): two shards have shape 21 and rate 5; the product has 41 and 10. */
  private static final double SHAPE = 41;

  private static final double RATE = 10;

  private static double logPosterior(double[] theta) {
    return theta[0] > 0
        ? (SHAPE - 1) * Math.log(theta[0]) - RATE * theta[0]
        : Double.NEGATIVE_INFINITY;
  }

  private static Subposteriors draws() {
    return Shards.draws(2, 4, 5_000, s -> Shards.gamma(21, 5, Shards.rng(SEED, s)));
  }

  /** 20,000 draws of skewness 0.31, which the normal product lacks: errors are some 1 %. */
  @Test
  void weightsMakeTheProductExact() {
    Combined combined =
        new Importance().combine(draws(), Shards.onRows(SEED, ImportanceTest::logPosterior));
    double[] theta = Arrays.stream(Shards.pooled(combined)).mapToDouble(draw -> draw[0]).toArray();
    double mean = SHAPE / RATE;
    double sd = Math.sqrt(SHAPE) / RATE;
    assertEquals(mean, Arrays.stream(theta).average().orElseThrow(), 0.03 * sd);
    double variance =
        Arrays.stream(theta).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
    assertEquals(1, variance / sd / sd, 0.04);
    double skewness =
        Arrays.stream(theta).map(x -> Math.pow((x - mean) / sd, 3)).average().orElseThrow();
    assertEquals(2 / Math.sqrt(SHAPE), skewness, 0.12);
    assertTrue(combined.notes().get(0).startsWith("importance weights of 80,000 proposals"));
  }

  /** A posterior that is twenty of the product's sds away has a few proposals at most. */
  @Test
  void degenerateWeightsAreRefused() {
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                new Importance()
                    .combine(
                        draws(), Shards.onRows(SEED, t -> -0.5 * Math.pow((t[0] - 20) / 0.1, 2))));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("worth only 1.") && message.contains("exact"), message);
  }

  /** Tails of the posterior that are heavier than the product's are said to be unreliable. */
  @Test
  void aHeavyTailIsReported() {
    Combined combined =
        new Importance()
            .combine(draws(), Shards.onRows(SEED, t -> -Math.log1p(Math.pow(t[0] - 4.1, 2) / 0.2)));
    assertTrue(combined.notes().get(1).contains("unreliable"), combined.notes()::toString);
  }
}
