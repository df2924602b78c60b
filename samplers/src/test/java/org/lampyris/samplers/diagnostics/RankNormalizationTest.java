package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RankNormalizationTest {

  /** Scores by R: qnorm((rank(x, ties.method = "average") - 3/8) / (length(x) + 1/4)). */
  @Test
  void tiesShareTheMeanOfTheirRanks() {
    double[][] scores = RankNormalization.normalScores(new double[][] {{2, 1, 2}, {5, 2, -3}});
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
    double[][] scores = RankNormalization.normalScores(new double[][] {{-0.0, 0.0, 1, -1}});
    assertEquals(scores[0][0], scores[0][1]);
    assertEquals(0, scores[0][0], 1e-15);
  }

  @Test
  void infiniteDrawsHaveRanksAndNaNHasNone() {
    double infinity = Double.POSITIVE_INFINITY;
    double[][] scores =
        RankNormalization.normalScores(new double[][] {{infinity, 1, -infinity, Double.NaN}});
    assertArrayEquals(
        new double[] {0.29930691046566704, -0.29930691046566704, -1.0491313979639711, Double.NaN},
        scores[0],
        1e-14);
  }

  @Test
  void foldingIsAboutTheMedianOfAllChains() {
    double[][] folded = RankNormalization.fold(new double[][] {{1, 2}, {10, 4}});
    assertArrayEquals(new double[] {2, 1}, folded[0]);
    assertArrayEquals(new double[] {7, 1}, folded[1]);
  }
}
