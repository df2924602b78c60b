package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Against R's loo 2.5.1: its gpdfit, psis and srs_diff_est on the numbers that the resource has
 * beside their results; against exact leave-one-out of a normal mean; and by all samples of rows.
 */
class LooReferenceTest {
  private static double[] reference(String name) throws IOException {
    try (InputStream in = LooReferenceTest.class.getResourceAsStream("loo-2.5.1.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      String line = text.lines().filter(l -> l.startsWith(name + " ")).findFirst().orElseThrow();
      return Arrays.stream(line.substring(name.length()).split(",", -1))
          .mapToDouble(Double::parseDouble)
          .toArray();
    }
  }

  @Test
  void paretoFitsAreThoseOfR() throws IOException {
    for (String number : new String[] {"1", "2"}) {
      GeneralizedPareto fit = GeneralizedPareto.fit(reference("X" + number));
      double[] expected = reference("F" + number);
      assertEquals(expected[0], fit.k(), 1e-13 * Math.abs(expected[0]));
      assertEquals(expected[1], fit.sigma(), 1e-13 * expected[1]);
    }
  }

  @Test
  void smoothedWeightsAreThoseOfR() throws IOException {
    ParetoSmoothing smoothed = ParetoSmoothing.of(reference("R"), 0.8);
    assertEquals(reference("K")[0], smoothed.k(), 1e-13);
    double[] expected = reference("W");
    double sum = ParetoSmoothing.logSumExp(expected);
    assertArrayEquals(
        Arrays.stream(expected).map(w -> w - sum).toArray(), smoothed.logWeights(), 1e-13);
  }

  @Test
  void theDifferenceEstimateIsThatOfR() throws IOException {
    double[] proxies = {-1.1, -0.8, -2.2, -0.3, -1.0, -0.5, -0.6, -1.7, -2.9, -0.2};
    double[] values = {-1.2, -0.7, -3.1, -0.4, -0.9};
    double[] ofRows = {-1.1, -2.2, -1.0, -0.6, -2.9};
    double[] ones = {1, 1, 1, 1, 1};
    DifferenceEstimate estimate =
        DifferenceEstimate.of(all(proxies), new DifferenceEstimate.Sample(values, ofRows, ones));
    double[] expected = reference("S");
    assertEquals(expected[0], estimate.total(), 1e-13);
    assertEquals(expected[1], square(estimate.subsamplingError()), 1e-13);
    assertEquals(expected[2], square(estimate.standardError()), 1e-13);
  }

  private static double square(double x) {
    return x * x;
  }

  private static DifferenceEstimate.Proxies all(double[] proxies) {
    return new DifferenceEstimate.Proxies(
        proxies.length,
        proxies.length,
        Arrays.stream(proxies).sum(),
        Arrays.stream(proxies).map(LooReferenceTest::square).sum());
  }

  /** Over all samples of 3 of 7 rows: total and both variances have no bias. */
  @Test
  void unbiasedOverAllSamples() {
    double[] values = {-1.3, -0.2, -2.4, -0.9, -4.1, -0.5, -1.1};
    double[] proxies = {-1.2, -0.3, -2.0, -0.8, -3.0, -0.6, -1.0};
    double total = 0;
    double squares = 0;
    double ofDraw = 0;
    double ofRows = 0;
    int samples = 0;
    for (int set = 0; set < 128; set++) {
      if (Integer.bitCount(set) == 3) {
        int chosen = set;
        int[] rows =
            java.util.stream.IntStream.range(0, 7).filter(i -> (chosen >> i & 1) == 1).toArray();
        DifferenceEstimate estimate =
            DifferenceEstimate.of(
                all(proxies),
                new DifferenceEstimate.Sample(
                    Arrays.stream(rows).mapToDouble(i -> values[i]).toArray(),
                    Arrays.stream(rows).mapToDouble(i -> proxies[i]).toArray(),
                    new double[] {1, 1, 1}));
        samples++;
        total += estimate.total();
        squares += square(estimate.total());
        ofDraw += square(estimate.subsamplingError());
        ofRows += square(estimate.standardError());
      }
    }
    assertEquals(35, samples);
    double sum = Arrays.stream(values).sum();
    assertEquals(sum, total / samples, 1e-13);
    assertEquals(squares / samples - sum * sum, ofDraw / samples, 1e-12);
    double spread = Arrays.stream(values).map(LooReferenceTest::square).sum() - sum * sum / 7;
    assertEquals(spread, ofRows / samples, 1e-12);
  }

  /** A row that stands for three is three rows; all rows known, there is nothing to estimate. */
  @Test
  void weightsAreRows() {
    double[] values = {-1, -2, -2, -2, -0.5};
    double[] ones = {1, 1, 1, 1, 1};
    DifferenceEstimate plain =
        DifferenceEstimate.of(all(values), new DifferenceEstimate.Sample(values, values, ones));
    DifferenceEstimate merged =
        DifferenceEstimate.of(
            new DifferenceEstimate.Proxies(3, 5, -7.5, 1 + 12 + 0.25),
            new DifferenceEstimate.Sample(
                new double[] {-1, -2, -0.5}, new double[] {-1, -2, -0.5}, new double[] {1, 3, 1}));
    assertEquals(plain.total(), merged.total(), 1e-14);
    assertEquals(0, merged.subsamplingError());
    assertEquals(plain.standardError(), merged.standardError(), 1e-14);
  }

  /**
   * y_i ~ N(μ, 1) with a flat prior: p(y_i | the others) is N(mean of the others, 1 + 1/(n − 1)),
   * held against 20,000 exact draws of μ.
   */
  @Test
  void leaveOneOutOfANormalMeanIsExact() {
    Random random = new Random(2);
    double[] y = {0.3, -1.1, 0.8, 2.4, -0.2, 0.1, 1.0, -0.7};
    int n = y.length;
    double mean = Arrays.stream(y).average().orElseThrow();
    double[] mu =
        random.doubles(20_000).map(u -> mean + random.nextGaussian() / Math.sqrt(n)).toArray();
    for (double row : y) {
      double[] ll =
          Arrays.stream(mu)
              .map(m -> -0.5 * (row - m) * (row - m) - 0.5 * Math.log(2 * Math.PI))
              .toArray();
      ParetoSmoothing smoothed = ParetoSmoothing.of(Arrays.stream(ll).map(l -> -l).toArray(), 1);
      double others = (n * mean - row) / (n - 1);
      double variance = 1 + 1.0 / (n - 1);
      double exact =
          -0.5 * (row - others) * (row - others) / variance
              - 0.5 * Math.log(2 * Math.PI * variance);
      assertTrue(smoothed.k() < 0.7, "k " + smoothed.k());
      assertEquals(exact, smoothed.logPredictiveDensity(ll), 0.02);
    }
  }

  @Test
  void equalRatiosNeedNoSmoothing() {
    ParetoSmoothing equal = ParetoSmoothing.of(new double[100], 1);
    assertEquals(-Math.log(100), equal.logWeights()[3], 1e-14);
    assertTrue(equal.k() < 0);
    assertEquals(Double.POSITIVE_INFINITY, ParetoSmoothing.of(new double[] {0, 1, 2}, 1).k());
  }

  /**
   * A time that is censored almost at 0: P(t > 0.0001) is 1 less some 10⁻¹⁵ at every draw. A tail
   * fitted to what is left of that had k = 1.3, and of another row k was infinite.
   */
  @Test
  void aRowThatDrawsDoNotTellApartIsReliable() {
    Random rng = new Random(5);
    for (double size : new double[] {1e-17, 1e-15, 1e-12}) {
      double[] ll = new double[1_000];
      Arrays.setAll(ll, s -> -size * Math.exp(3 * rng.nextGaussian()));
      ParetoSmoothing smoothed = ParetoSmoothing.of(Arrays.stream(ll).map(l -> -l).toArray(), 1);
      assertTrue(smoothed.k() < 0, size + ": k " + smoothed.k());
      assertEquals(0, smoothed.logPredictiveDensity(ll), 1e-8);
    }
  }
}
