package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankedDrawsTest {

  /** Scores by R: qnorm((rank(x, ties.method = "average") - 3/8) / (length(x) + 1/4)). */
  @Test
  void tiesShareTheMeanOfTheirRanks() {
    double[][] scores = scores(new double[][] {{2, 1, 2}, {5, 2, -3}});
    double[][] expected = {
      {0.2018934791418508, -0.6433454053929168, 0.2018934791418508},
      {1.281551565544601, 0.2018934791418508, -1.281551565544600}
    };
    for (int chain = 0; chain < 2; chain++) {
      assertArrayEquals(expected[chain], scores[chain], 1e-14);
    }
  }

  @Test
  void zeroHasOneRankWhateverItsSign() {
    double[][] scores = scores(new double[][] {{-0.0, 0.0, 1, -1}});
    assertEquals(scores[0][0], scores[0][1]);
    assertEquals(0, scores[0][0], 1e-15);
  }

  @Test
  void infiniteDrawsHaveRanksAndNaNHasNone() {
    double infinity = Double.POSITIVE_INFINITY;
    double[][] scores = scores(new double[][] {{infinity, 1, -infinity, Double.NaN}});
    assertArrayEquals(
        new double[] {0.29930691046566704, -0.29930691046566704, -1.0491313979639711, Double.NaN},
        scores[0],
        1e-14);
  }

  /** Doubles of any bits, subnormal and infinite ones among them, are sorted as the JDK does. */
  @Test
  void orderIsThatOfTheNumbers() {
    SplitMix64 rng = new SplitMix64(3);
    double[][] draws = new double[4][501];
    for (double[] chain : draws) {
      Arrays.setAll(chain, i -> i % 7 == 0 ? i % 5 - 2 : Double.longBitsToDouble(rng.next()));
    }
    draws[1][3] = Double.NEGATIVE_INFINITY;
    draws[2][3] = Double.MIN_VALUE;
    draws[3][3] = -Double.MIN_VALUE;
    double[] expected = Chains.pool(draws);
    Arrays.sort(expected);
    assertArrayEquals(expected, RankedDraws.of(draws).ascending());
  }

  /** Ranks as they are defined: one more than half of the ties, and all that is smaller. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 101, 200})
  void scoresAreThoseOfTheRanksCountedOneByOne(int n) {
    SplitMix64 rng = new SplitMix64(n);
    double[][] draws = new double[3][n];
    for (double[] chain : draws) {
      Arrays.setAll(chain, i -> rng.nextInt(9) == 0 ? 1.5 : rng.nextDouble() * 2 + 0.5);
    }
    double centre = RankedDraws.of(draws).quantile(0.5);
    double[][] distances = new double[3][];
    Arrays.setAll(distances, c -> Arrays.stream(draws[c]).map(x -> Math.abs(x - centre)).toArray());
    RankedDraws folded = RankedDraws.of(draws).foldedAbout(centre);
    NormalScores table = NormalScores.untabulated(new double[3 * n][1]);
    assertArrayEquals(counted(draws), RankedDraws.of(draws).normalScores(table));
    assertArrayEquals(counted(distances), folded.normalScores(table));
    double[] ascending = Chains.pool(distances);
    Arrays.sort(ascending);
    assertArrayEquals(ascending, folded.ascending());
  }

  private static double[][] counted(double[][] draws) {
    double[] pooled = Chains.pool(draws);
    NormalScores table = NormalScores.untabulated(new double[pooled.length][1]);
    double[][] scores = new double[draws.length][draws[0].length];
    for (int chain = 0; chain < draws.length; chain++) {
      for (int i = 0; i < scores[chain].length; i++) {
        double draw = draws[chain][i];
        long below = DoubleStream.of(pooled).filter(x -> x < draw).count();
        long equal = DoubleStream.of(pooled).filter(x -> x == draw).count();
        scores[chain][i] = table.of((int) (2 * below + equal + 1));
      }
    }
    return scores;
  }

  @Test
  void aTableHasTheScoresToTheBit() {
    NormalScores table = NormalScores.table(2, 151);
    NormalScores untabulated = NormalScores.untabulated(new double[300][1]);
    assertEquals(300, table.size());
    for (int twice = 2; twice <= 600; twice++) {
      assertEquals(untabulated.of(twice), table.of(twice));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> RankedDraws.of(new double[2][149]).normalScores(table));
  }

  @Test
  void distancesFromNowhereAreNaN() {
    RankedDraws draws = RankedDraws.of(new double[][] {{1, 2, 3}});
    for (double centre : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      double[] distances = draws.foldedAbout(centre).ascending();
      assertArrayEquals(new double[] {Double.NaN, Double.NaN, Double.NaN}, distances);
    }
  }

  private static double[][] scores(double[][] draws) {
    int size = draws.length * draws[0].length;
    return RankedDraws.of(draws).normalScores(NormalScores.untabulated(new double[size][1]));
  }
}
