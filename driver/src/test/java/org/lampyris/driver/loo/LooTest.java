package org.lampyris.driver.loo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.family.gaussian.GaussianLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.driver.predictive.RowSample;
import org.lampyris.samplers.loo.DifferenceEstimate;

/** Sums over rows drawn against those over all rows, for all samples of rows where they are few. */
class LooTest {
  private static final double[] ONE = {-1.3, -0.2, -2.4, -0.9, -4.1, -0.5, -1.1};
  private static final double[] ONE_PROXIES = {-1.2, -0.3, -2.0, -0.8, -3.0, -0.6, -1.0};
  private static final double[] OTHER = {-1.5, -0.1, -2.1, -1.2, -3.3, -0.6, -1.4};
  private static final double[] OTHER_PROXIES = {-1.3, -0.1, -2.2, -1.0, -2.9, -0.7, -1.1};

  private static Loo loo(double[] values, double[] proxies, int[] rows) {
    double[] ones = new double[rows.length];
    Arrays.fill(ones, 1);
    return new Loo(
        "f",
        "t",
        100,
        new DifferenceEstimate.Proxies(
            proxies.length,
            proxies.length,
            Arrays.stream(proxies).sum(),
            Arrays.stream(proxies).map(p -> p * p).sum()),
        new DifferenceEstimate.Sample(
            Arrays.stream(rows).mapToDouble(i -> values[i]).toArray(),
            Arrays.stream(rows).mapToDouble(i -> proxies[i]).toArray(),
            ones),
        new double[rows.length],
        0);
  }

  /**
   * Of 3 of 7 rows, over all 35 samples: the difference has no bias, and its variance by the draw
   * of rows is the mean of the square of its error, which has the factor 1 − m/n.
   */
  @Test
  void thePairedDifferenceHasTheErrorOfItsSamples() {
    double sum = 0;
    double squares = 0;
    double errors = 0;
    int samples = 0;
    for (int set = 0; set < 128; set++) {
      int chosen = set;
      if (Integer.bitCount(set) == 3) {
        int[] rows = IntStream.range(0, 7).filter(i -> (chosen >> i & 1) == 1).toArray();
        LooDifference of =
            LooDifference.of(loo(ONE, ONE_PROXIES, rows), loo(OTHER, OTHER_PROXIES, rows));
        assertTrue(of.paired());
        samples++;
        sum += of.difference();
        squares += of.difference() * of.difference();
        errors += of.subsamplingError() * of.subsamplingError();
      }
    }
    assertEquals(35, samples);
    double exact = Arrays.stream(ONE).sum() - Arrays.stream(OTHER).sum();
    assertEquals(exact, sum / samples, 1e-12);
    assertEquals(squares / samples - exact * exact, errors / samples, 1e-12);
  }

  /** All rows known, nothing is left to the draw, and the standard error is √(n Var(π − π′)). */
  @Test
  void ofAllRowsTheDifferenceIsExact() {
    int[] all = IntStream.range(0, 7).toArray();
    LooDifference of = LooDifference.of(loo(ONE, ONE_PROXIES, all), loo(OTHER, OTHER_PROXIES, all));
    assertEquals(0, of.subsamplingError());
    double[] d = IntStream.range(0, 7).mapToDouble(i -> ONE[i] - OTHER[i]).toArray();
    double mean = Arrays.stream(d).average().orElseThrow();
    double variance = Arrays.stream(d).map(v -> (v - mean) * (v - mean)).sum() / 6;
    assertEquals(Math.sqrt(7 * variance), of.standardError(), 1e-12);
  }

  /** Rows of which each stands for several equal ones: as if they stood one by one. */
  @Test
  void parametersCountARowAsOftenAsItStandsForOthers() {
    double[] y = {0.3, -1.1, 2.0};
    double[] copies = {1, 4, 2};
    List<Double> apart = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < copies[i]; k++) {
        apart.add(y[i]);
      }
    }
    Loo merged = loo(y, copies, true);
    double[] single = apart.stream().mapToDouble(v -> v).toArray();
    Loo plain = loo(single, null, false);
    assertEquals(plain.elpd().total(), merged.elpd().total(), 1e-9);
    assertEquals(plain.parameters(), merged.parameters(), 1e-9);
  }

  /** By 4 × 500 exact draws of the mean of 7 rows of a normal one of sd 1, under a flat prior. */
  private static Loo loo(double[] y, double @Nullable [] weights, boolean merged) {
    double[] ones = new double[y.length];
    Arrays.fill(ones, 1);
    DataBlock block = new DenseBlock(0, 1, ones, y, weights);
    double total = 0;
    double sum = 0;
    for (int i = 0; i < y.length; i++) {
      sum += block.weight(i) * y[i];
      total += block.weight(i);
    }
    Random random = new Random(4);
    double[][][] draws = new double[4][500][1];
    for (double[][] chain : draws) {
      for (double[] theta : chain) {
        theta[0] = sum / total + random.nextGaussian() / Math.sqrt(total);
      }
    }
    RowLikelihoods rows = new RowLikelihoods(new LinearModel(new GaussianLikelihood(1), 1), merged);
    RowLikelihoods.Point point = new RowLikelihoods.Point(new double[] {sum / total}, null);
    double[] sums = new double[RowLikelihoods.Proxies.LENGTH];
    new RowLikelihoods.Proxies(rows, point).addTo(block, sums);
    return Loo.of(
        "f",
        "t",
        rows,
        new RowSample(List.of(block), y.length),
        new Loo.Thetas(draws, null),
        new DifferenceEstimate.Proxies(y.length, sums[0], sums[1], sums[2]),
        point);
  }
}
