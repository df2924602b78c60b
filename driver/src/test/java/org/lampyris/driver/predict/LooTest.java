package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.DifferenceEstimate;

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
        new double[rows.length],
        new Loo.Influence(new double[2][50], new double[2][50]));
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
    assertEquals(plain.parameters().total(), merged.parameters().total(), 1e-9);
    assertEquals(
        plain.parameters().standardError(), merged.parameters().standardError(), 1e-9, "p_loo");
    assertEquals(plain.elpdError(), merged.elpdError(), 1e-9);
    assertEquals(plain.parametersError(), merged.parametersError(), 1e-9);
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
    return loo(
        new LinearModel(new GaussianFamily.GaussianLikelihood(1), 1), block, merged, block, draws);
  }

  private static final int REPLICATIONS = 200;

  private static final double[] LABELS = labels(24);

  private static double[] labels(int rows) {
    return new Random(11).doubles(rows).map(u -> 3 + 4 * (u - 0.5)).toArray();
  }

  private static DataBlock block(int... rows) {
    double[] ones = new double[rows.length];
    Arrays.fill(ones, 1);
    return new DenseBlock(
        0, 1, ones, IntStream.of(rows).mapToDouble(i -> LABELS[i]).toArray(), null);
  }

  /**
   * A normal sample with a flat prior of (μ, log σ), whose posterior draws are exact: σ² = Σ(y −
   * ȳ)²/χ² with n − 1 degrees of freedom, μ ~ N(ȳ, σ²/n). Both are made of n autoregressive normal
   * series of variance 1, so that draws are dependent as those of chains.
   */
  private static double[][][] posterior(Random random, double correlation, int chains, int draws) {
    double mean = Arrays.stream(LABELS).average().orElseThrow();
    double squares = Arrays.stream(LABELS).map(y -> (y - mean) * (y - mean)).sum();
    double fresh = Math.sqrt(1 - correlation * correlation);
    double[][][] out = new double[chains][draws][2];
    for (double[][] chain : out) {
      double[] z = random.doubles(LABELS.length).map(u -> random.nextGaussian()).toArray();
      for (double[] theta : chain) {
        double chi = 0;
        for (int k = 0; k < z.length; k++) {
          z[k] = correlation * z[k] + fresh * random.nextGaussian();
          chi += k == 0 ? 0 : z[k] * z[k];
        }
        double sigma = Math.sqrt(squares / chi);
        theta[0] = mean + sigma / Math.sqrt(LABELS.length) * z[0];
        theta[1] = Math.log(sigma);
      }
    }
    return out;
  }

  /**
   * Over 200 independent runs of 4 × 250 dependent draws the estimates vary as much as their
   * Monte-Carlo errors say: by all rows, and by 6 of 24. The standard deviation of 200 numbers is
   * known to 5 %, and 20 % is four of these: one false alarm in 15,000, of each of six.
   */
  @Test
  void estimatesVaryOverRunsAsTheirMonteCarloErrorsSay() {
    int[] all = IntStream.range(0, LABELS.length).toArray();
    for (int[] drawn : new int[][] {all, {0, 3, 7, 11, 12, 20}}) {
      Loo[] runs = new Loo[REPLICATIONS];
      for (int k = 0; k < REPLICATIONS; k++) {
        double[][][] draws = posterior(new Random(1000 + k), 0.7, 4, 250);
        runs[k] = loo(new GaussianScaleModel(1), block(all), false, block(drawn), draws);
      }
      String where = drawn.length + " rows";
      assertError(
          values(runs, loo -> loo.elpd().total()), values(runs, Loo::elpdError), where + ", elpd");
      assertError(
          values(runs, loo -> loo.parameters().total()),
          values(runs, Loo::parametersError),
          where + ", p_loo");
    }
  }

  private static void assertError(double[] estimates, double[] errors, String where) {
    double mean = Arrays.stream(estimates).average().orElseThrow();
    double sd =
        Math.sqrt(
            Arrays.stream(estimates).map(e -> (e - mean) * (e - mean)).sum()
                / (estimates.length - 1));
    double error = Math.sqrt(Arrays.stream(errors).map(e -> e * e).average().orElseThrow());
    assertEquals(sd, error, 0.2 * sd, where);
  }

  /**
   * The same of a difference: with the given σ = 1 of one model and 2 of the other, by draws of
   * their own and by draws that move together, as those of one seed may.
   */
  @Test
  void theDifferenceVariesOverRunsAsItsMonteCarloErrorSays() {
    for (boolean together : new boolean[] {false, true}) {
      LooDifference[] pairs = new LooDifference[REPLICATIONS];
      for (int k = 0; k < REPLICATIONS; k++) {
        pairs[k] =
            LooDifference.of(
                known(1.1, new Random(k)), known(1.6, new Random(together ? k : 5000 + k)));
      }
      assertError(
          Arrays.stream(pairs).mapToDouble(LooDifference::difference).toArray(),
          Arrays.stream(pairs).mapToDouble(LooDifference::monteCarloError).toArray(),
          "together: " + together);
    }
    Loo one = known(1.1, new Random(1));
    assertEquals(0, LooDifference.of(one, one).monteCarloError(), "a run and itself");
  }

  /** By exact draws of μ, σ given. */
  private static Loo known(double sigma, Random random) {
    int[] all = IntStream.range(0, LABELS.length).toArray();
    double mean = Arrays.stream(LABELS).average().orElseThrow();
    double[][][] draws = new double[4][250][1];
    for (double[][] chain : draws) {
      for (double[] theta : chain) {
        theta[0] = mean + sigma / Math.sqrt(LABELS.length) * random.nextGaussian();
      }
    }
    return loo(
        new LinearModel(new GaussianFamily.GaussianLikelihood(sigma), 1),
        block(all),
        false,
        block(all),
        draws);
  }

  /**
   * One row that nothing else explains: no Monte-Carlo error is known, of the difference neither.
   */
  @Test
  void anUnreliableRowLeavesTheMonteCarloErrorUnknown() {
    double[] y = {0.1, -0.2, 0.3, 60};
    Loo odd = loo(y, null, false);
    assertTrue(odd.unreliable() > 0);
    assertTrue(Double.isNaN(odd.elpdError()) && Double.isNaN(odd.parametersError()));
    assertTrue(Double.isNaN(LooDifference.of(odd, odd).monteCarloError()));
  }

  private static double[] values(Loo[] runs, ToDoubleFunction<Loo> value) {
    return Arrays.stream(runs).mapToDouble(value).toArray();
  }

  private static Loo loo(
      Model model, DataBlock table, boolean merged, DataBlock drawn, double[][][] draws) {
    RowLikelihoods rows = new RowLikelihoods(model, merged);
    RowLikelihoods.Point point = new RowLikelihoods.Point(LooJob.mean(draws), null);
    RowLikelihoods.Proxies proxies = new RowLikelihoods.Proxies(rows, point);
    double[] sums = new double[proxies.length()];
    proxies.addTo(table, sums);
    return Loo.of(
        "f",
        "t",
        rows,
        new RowSample(List.of(drawn), table.rows()),
        new Loo.Thetas(draws, null),
        RowLikelihoods.All.of(table.rows(), sums),
        point);
  }
}
