package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.Response;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.samplers.random.Streams;

/** Drawn responses and effects by their moments. A true one fails with probability 10⁻⁵. */
class ResponsesTest {
  private static final int DRAWS = 100_000;

  private static double[] drawn(Response of, double trials) {
    UniformRandomProvider rng = new Streams(12).stream(Streams.Purpose.RESPONSES, 0, 0, 7);
    double[] y = new double[DRAWS];
    Arrays.setAll(y, n -> Responses.draw(of, trials, rng));
    return y;
  }

  private static void assertMoments(double mean, double variance, double fourth, double[] y) {
    double average = Arrays.stream(y).average().orElseThrow();
    assertEquals(mean, average, 4.4 * Math.sqrt(variance / DRAWS));
    double squares = Arrays.stream(y).map(v -> (v - mean) * (v - mean)).sum() / DRAWS;
    assertEquals(variance, squares, 4.4 * Math.sqrt((fourth - variance * variance) / DRAWS));
  }

  @Test
  void responsesHaveTheirMeansAndVariances() {
    assertMoments(2, 9, 3 * 81, drawn(new Response.Normal(2, 3), 1));
    // t of 12 degrees: variance 12/10, fourth moment 3·12²/(10·8).
    assertMoments(-1, 4 * 1.2, 16 * 3 * 144 / 80.0, drawn(new Response.Student(12, -1, 2), 1));
    // Gamma of shape k: variance m²/k, excess 6/k.
    assertMoments(3, 9 / 2.5, (3 + 6 / 2.5) * 81 / 6.25, drawn(new Response.Gamma(3, 2.5), 1));
    assertMoments(4, 4, 4 + 3 * 16, drawn(new Response.Poisson(4), 1));
    double p = 0.3;
    double sides = 1 / (p * p) + 1 / (0.7 * 0.7);
    double fourth = 6 * (Math.pow(p, -4) + Math.pow(0.7, -4)) + 3 * sides * sides;
    assertMoments(
        1 + 2 * (1 / p - 1 / 0.7),
        4 * sides,
        16 * fourth,
        drawn(new Response.AsymmetricLaplace(p, 1, 2), 1));
    assertMoments(
        p, p * (1 - p), p * (1 - p) * (1 - 3 * p * (1 - p)), drawn(new Response.Trials(p), 1));
    double v = 20 * p * (1 - p);
    assertMoments(
        20 * p, v, 3 * v * v + v * (1 - 6 * p * (1 - p)), drawn(new Response.Trials(p), 20));
    // Negative binomial of shape r and variance w: excess 6/r + 1/w.
    double m = 3;
    double r = 5;
    double w = m + m * m / r;
    assertMoments(m, w, w * w * (3 + 6 / r + 1 / w), drawn(new Response.NegativeBinomial(m, r), 1));
    double a = 0.4 * 6;
    double b = 0.6 * 6;
    double u = 0.4 * 0.6 / 7;
    double excess =
        6
            * ((a - b) * (a - b) * (a + b + 1) - a * b * (a + b + 2))
            / (a * b * (a + b + 2) * (a + b + 3));
    assertMoments(0.4, u, u * u * (3 + excess), drawn(new Response.Beta(0.4, 6), 1));
  }

  /** Moments of z·(count, in a hurdle model above 0), by their sums. */
  @Test
  void zerosHaveTheirShare() {
    for (boolean hurdle : new boolean[] {false, true}) {
      for (double rate : new double[] {0.02, 1.7}) {
        assertZeros(new Response.Zeros(0.3, hurdle, rate, Double.POSITIVE_INFINITY));
        assertZeros(new Response.Zeros(0.3, hurdle, rate, 0.6));
        assertZeros(new Response.Zeros(0.3, hurdle, rate, 4));
      }
    }
  }

  /** P(y)/P(y − 1) = (y − 1 + shape)μ/(y(shape + μ)). */
  private static void assertZeros(Response.Zeros of) {
    double[] moments = new double[5];
    double p = Math.exp(-of.rate());
    double rest = 0.7 / (of.hurdle() ? -Math.expm1(-of.rate()) : 1);
    boolean poisson = of.shape() == Double.POSITIVE_INFINITY;
    for (int y = 1; y < 400; y++) {
      double share = of.mean() / (of.shape() + of.mean());
      p *= poisson ? of.mean() / y : (y - 1 + of.shape()) * share / y;
      for (int k = 1; k <= 4; k++) {
        moments[k] += rest * p * Math.pow(y, k);
      }
    }
    double m = moments[1];
    double fourth = moments[4] - 4 * m * moments[3] + 6 * m * m * moments[2] - 3 * Math.pow(m, 4);
    assertMoments(m, moments[2] - m * m, fourth, drawn(of, 1));
  }

  /** Logarithms of times: variance π²/6 about −γ, 1, and π²/3, with the fourth moments. */
  @Test
  void timesHaveTheirLogarithms() {
    double s = 0.5;
    double v = Math.PI * Math.PI / 6;
    assertLogarithms(Response.Time.Residual.EXTREME, 1 - s * 0.5772156649015329, v, 5.4 * v * v);
    assertLogarithms(Response.Time.Residual.NORMAL, 1, 1, 3);
    assertLogarithms(Response.Time.Residual.LOGISTIC, 1, 2 * v, 4.2 * 4 * v * v);
  }

  private static void assertLogarithms(
      Response.Time.Residual error, double mean, double variance, double fourth) {
    double[] t = drawn(new Response.Time(error, 1, 0.5), 1);
    double[] logs = Arrays.stream(t).map(Math::log).toArray();
    assertMoments(mean, 0.25 * variance, 0.0625 * fourth, logs);
  }

  @Test
  void trialsMayBeMoreThanAnIntHolds() {
    for (double trials : new double[] {5e9, 1e15}) {
      for (double p : new double[] {0.3, 2 / trials, 0.999999}) {
        double v = trials * p * (1 - p);
        assertMoments(
            trials * p,
            v,
            3 * v * v + v * (1 - 6 * p * (1 - p)),
            drawn(new Response.Trials(p), trials));
      }
    }
    assertEquals(5e9, drawn(new Response.Trials(1), 5e9)[0]);
    assertEquals(0, drawn(new Response.Trials(0), 5e9)[0]);
  }

  @Test
  void extremesAreNumbers() {
    assertTrue(Arrays.stream(drawn(new Response.Poisson(1e12), 1)).allMatch(y -> y > 9.9e11));
    assertEquals(0, drawn(new Response.Poisson(0), 1)[0]);
    double infinite = Double.POSITIVE_INFINITY;
    assertEquals(infinite, drawn(new Response.Poisson(infinite), 1)[0]);
    assertEquals(infinite, drawn(new Response.Gamma(infinite, 2), 1)[0]);
    assertEquals(infinite, drawn(new Response.NegativeBinomial(infinite, 0.01), 1)[0]);
    assertTrue(Arrays.stream(drawn(new Response.Gamma(1e300, 1e-9), 1)).noneMatch(Double::isNaN));
    assertEquals(0, drawn(new Response.Gamma(0, 2), 1)[0]);
    assertEquals(1, drawn(new Response.Beta(1, 2), 1)[0]);
    assertEquals(1, drawn(new Response.Trials(1), 1)[0]);
  }

  @Test
  void classesHaveTheirProbabilities() {
    UniformRandomProvider rng = new Streams(13).stream(Streams.Purpose.RESPONSES, 0, 0, 7);
    double[][] p = {{1, 0.2}, {0, 0.5}, {0, 0.3}};
    int[] counts = new int[3];
    for (int n = 0; n < DRAWS; n++) {
      counts[Responses.draw(p, 1, rng)]++;
      assertEquals(0, Responses.draw(p, 0, rng));
    }
    for (int k = 0; k < 3; k++) {
      assertEquals(p[k][1], counts[k] / (double) DRAWS, 4.4 * Math.sqrt(0.25 / DRAWS));
    }
  }

  @Test
  void newEffectsHaveTheirCovariance() {
    GroupingEffects of =
        new GroupingEffects(
            "g", List.of("(Intercept)", "x"), PriorParser.parse("exponential(1)"), 1);
    TableEffects table = new TableEffects(of, 0, new int[] {-1, 1}, new double[2], 10, false);
    double[] factor = LevelDraws.factor(new double[] {2, 0.5, -0.6}, of);
    double[][][] factors = new double[1][DRAWS][];
    Arrays.fill(factors[0], factor);
    RowEffects effects =
        new RowEffects(List.of(table), new int[DRAWS], factors, new Streams(4), NewLevels.GAUSSIAN);
    double[][] b = effects.unseen(0, "somewhere");
    double[] sums = new double[5];
    for (double[] one : b) {
      sums[0] += one[0] / DRAWS;
      sums[1] += one[1] / DRAWS;
      sums[2] += one[0] * one[0] / DRAWS;
      sums[3] += one[1] * one[1] / DRAWS;
      sums[4] += one[0] * one[1] / DRAWS;
    }
    double root = 4.4 / Math.sqrt(DRAWS);
    assertEquals(0, sums[0], 2 * root);
    assertEquals(0, sums[1], 0.5 * root);
    assertEquals(4, sums[2], 4 * Math.sqrt(2) * root);
    assertEquals(0.25, sums[3], 0.25 * Math.sqrt(2) * root);
    assertEquals(-0.6, sums[4], Math.sqrt(1 + 0.36) * root);
    assertTrue(Arrays.deepEquals(b, effects.unseen(0, "somewhere")));
    assertTrue(b[0][0] != effects.unseen(0, "elsewhere")[0][0]);
  }

  @Test
  void keptDrawsAreThoseOfTheRecorder() {
    // Of 10 draws 4: 10/4, 20/4, 30/4 and 40/4, rounded up, from 1.
    assertEquals(
        List.of(2, 4, 7, 9),
        List.of(0, 1, 2, 3).stream().map(p -> LevelDraws.iteration(p, 4, 10)).toList());
  }
}
