package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.config.Registry;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.shards.combination.Combination.Combined;
import org.lampyris.samplers.shards.combination.Combination.Subposterior;

/** What every combination of draws alone keeps to. */
class CombinationContractTest {
  private static final long SEED = 26;

  static List<Combination> ofDraws() {
    return List.of(
        new Consensus.Matrix(),
        new Consensus.Scalar(),
        new GaussianProduct(),
        new KernelProduct.Nonparametric(),
        new KernelProduct.Semiparametric(),
        new Weierstrass(),
        new MedianPosterior(),
        new Wasp.Joint(),
        new Wasp.Marginal());
  }

  private static Subposteriors draws() {
    Gaussian one = Gaussian.of(new double[] {3, -1}, new double[] {1, 0.4, 0.4, 2});
    // An odd number of shards: the last meets the others' product.
    return Shards.draws(5, 3, 120, s -> Shards.normal(one, Shards.rng(SEED, s)));
  }

  private static double[][][] copy(double[][][] draws) {
    return Arrays.stream(draws)
        .map(chain -> Arrays.stream(chain).map(double[]::clone).toArray(double[][]::new))
        .toArray(double[][][]::new);
  }

  @ParameterizedTest
  @MethodSource("ofDraws")
  void sameSeedSameBitsAndNoInputModified(Combination combination) {
    Subposteriors draws = draws();
    double[][][] first = copy(combination.combine(draws, Shards.setting(SEED, null)).draws());
    assertTrue(Arrays.deepEquals(draws().draws(), draws.draws()));
    double[][][] again = combination.combine(draws, Shards.setting(SEED, null)).draws();
    assertTrue(Arrays.deepEquals(first, again));
    boolean drawsAnew = !(combination instanceof Consensus);
    double[][][] other = combination.combine(draws, Shards.setting(SEED + 1, null)).draws();
    assertEquals(drawsAnew, !Arrays.deepEquals(first, other));
  }

  @ParameterizedTest
  @MethodSource("ofDraws")
  void asManyDrawsInChainsThatDiffer(Combination combination) {
    Combined combined = combination.combine(draws(), Shards.setting(SEED, null));
    assertEquals(3, combined.draws().length);
    assertEquals(3, combined.acceptance().length);
    for (double[][] chain : combined.draws()) {
      assertEquals(120, chain.length);
      assertTrue(Arrays.stream(chain).allMatch(theta -> theta.length == 2));
    }
    assertFalse(Arrays.deepEquals(combined.draws()[0], combined.draws()[1]));
    assertFalse(Arrays.deepEquals(combined.draws()[1], combined.draws()[2]));
    long arrays = Stream.of(combined.draws()).flatMap(Stream::of).distinct().count();
    assertEquals(3 * 120, arrays, "an array is returned twice");
  }

  @ParameterizedTest
  @MethodSource("ofDraws")
  void acceptanceIsOfThoseThatPropose(Combination combination) {
    boolean proposes = combination instanceof KernelProduct || combination instanceof Weierstrass;
    for (double share : combination.combine(draws(), Shards.setting(SEED, null)).acceptance()) {
      assertEquals(proposes, share > 0 && share < 1, combination.name());
      assertEquals(proposes, !Double.isNaN(share), combination.name());
    }
  }

  /** Another unit of a column is another unit of the draws: of the same numbers otherwise. */
  @ParameterizedTest
  @MethodSource("ofDraws")
  void unitsDoNotMatter(Combination combination) {
    double[][][] expected = combination.combine(draws(), Shards.setting(SEED, null)).draws();
    Subposteriors scaled = draws();
    for (double[][][] shard : scaled.draws()) {
      Stream.of(shard).flatMap(Stream::of).forEach(theta -> theta[1] *= 1e-6);
    }
    double[][][] found = combination.combine(scaled, Shards.setting(SEED, null)).draws();
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < 120; i++) {
        assertEquals(expected[c][i][0], found[c][i][0], 1e-6, combination.name());
        assertEquals(expected[c][i][1], 1e6 * found[c][i][1], 1e-6, combination.name());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ofDraws")
  void stuckChainsAreRefusedInWords(Combination combination) {
    Subposteriors draws = draws();
    for (double[][] chain : draws.draws()[2]) {
      Arrays.stream(chain).forEach(theta -> theta[1] = 7);
    }
    UserException e =
        assertThrows(
            UserException.class, () -> combination.combine(draws, Shards.setting(SEED, null)));
    assertEquals(UserException.Kind.DATA, e.kind());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("360 draws of shard 3"), message);
    assertTrue(message.contains("sampler.draws"), message);
  }

  @Test
  void theConfigurationFindsAll() {
    List<String> names = Registry.of(Combination.class).names();
    ofDraws().forEach(one -> assertTrue(names.contains(one.name()), one.name()));
  }

  @Test
  void mediansAndBarycentresAreOfRaisedSubposteriors() {
    Set<String> raised = Set.of("m-posterior", "wasp", "wasp-marginal");
    for (Combination combination : ofDraws()) {
      assertEquals(
          raised.contains(combination.name()),
          combination.subposterior() == Subposterior.RAISED,
          combination.name());
      assertFalse(combination.isExact());
    }
  }
}
