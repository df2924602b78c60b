package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Kaplan and Meier's estimate. */
class SurvivalCurvesTest {
  private static final double[] AT = {9, 13, 18, 23, 31, 34, 48};

  /** Survival of R's table aml, maintained, with {@code conf.type = "log-log"}. */
  private static final double[] OBSERVED = {0.909, 0.818, 0.716, 0.614, 0.491, 0.368, 0.184};

  private static final double[] LOW = {0.508, 0.447, 0.350, 0.266, 0.167, 0.093, 0.012};
  private static final double[] HIGH = {0.987, 0.951, 0.899, 0.835, 0.753, 0.657, 0.525};

  private static SurvivalCurves.Time[] maintained(double weight) {
    int[] times = {161, 48, 45, 34, 31, 28, 23, 18, 13, 13, 9};
    boolean[] events = {
      false, true, false, true, true, false, true, true, false, true, true,
    };
    return IntStream.range(0, times.length)
        .mapToObj(i -> new SurvivalCurves.Time(times[i], events[i], weight))
        .toArray(SurvivalCurves.Time[]::new);
  }

  @Test
  void theEstimateIsThatOfR() {
    double[][] found = SurvivalCurves.kaplanMeier(maintained(1), AT);
    assertArrayEquals(OBSERVED, found[0], 6e-4);
    assertArrayEquals(LOW, found[1], 6e-4);
    assertArrayEquals(HIGH, found[2], 6e-4);
  }

  /** A weight of 2 is two rows; before the first event and after the last nothing is estimated. */
  @Test
  void weightsAreNumbersOfRows() {
    double[] at = {1, 20, 200};
    SurvivalCurves.Time[] twice =
        IntStream.range(0, 22)
            .mapToObj(i -> maintained(1)[i / 2])
            .toArray(SurvivalCurves.Time[]::new);
    double[][] expected = SurvivalCurves.kaplanMeier(twice, at);
    double[][] found = SurvivalCurves.kaplanMeier(maintained(2), at);
    for (int k = 0; k < 3; k++) {
      assertArrayEquals(expected[k], found[k], 1e-12);
    }
    assertArrayEquals(new double[] {1, 1, 1}, new double[] {found[0][0], found[1][0], found[2][0]});
  }
}
