package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.OwnFormula;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Posteriors of models whose second parameter has a linear predictor of its own: y ~ 1 with sigma ~
 * x, and counts ~ 1 with zi ~ x; and of models with two sampled parameters beside an intercept.
 * Means and variances of the three coefficients by quadrature, and by draws of every exact
 * algorithm.
 *
 * <p>Of each run six numbers are compared within 5 Monte-Carlo standard errors: false-alarm rate
 * 4·10⁻⁶ a run.
 */
class TwoPredictorPosteriorTest {
  private static final int ROWS = 300;

  /** Of families with two sampled parameters, which cost more. */
  private static final int FEW = 60;

  private static final String NEARLY = "nearly ";
  private static final int POINTS = 25;

  /** Of the rule to 20 sds: the posterior of a share near 0 has a long tail of its logit. */
  private static final int MANY_POINTS = 61;

  private static final Map<String, Case> CASES = new HashMap<>();

  /** A posterior, and the means, then the variances, of its coefficients. */
  private record Case(MemoryRun run, double[] moments) {}

  /**
   * Of a family with two sampled parameters, beside an intercept.
   *
   * @param nearly whether rows are nearly normal, or Poisson, and say little of the last one
   */
  private static Case shared(String family, boolean nearly, UniformRandomProvider rng) {
    double[] x = new double[FEW];
    double[] y = new double[FEW];
    Arrays.fill(x, 1);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    for (int i = 0; i < FEW; i++) {
      double squares = nearly ? 1 : 0;
      for (int k = 0; k < 3 && !nearly; k++) {
        double z = normal.sample();
        squares += z * z / 3;
      }
      y[i] =
          family.equals("robust")
              ? 0.7 + 1.3 * normal.sample() / Math.sqrt(squares)
              : rng.nextDouble() < 0.3
                  ? 0
                  : Math.floor(nearly ? 0 : 6 * squares) + PoissonSampler.of(rng, 3).sample();
    }
    FamilySpec spec = FamilySpec.of(family);
    List<DataBlock> blocks = List.of(new DenseBlock(0, 1, x, y, null));
    MemoryRun run =
        new MemoryRun(
            family.equals("robust") ? spec.with("df", "auto") : spec,
            blocks,
            List.of("(Intercept)"),
            Map.of());
    return new Case(run, quadrature(run, 20, MANY_POINTS));
  }

  /** Rows about the third decile, η = 0.7 + 0.5x, with sigma 1.3. */
  private static Case decile(String family, UniformRandomProvider rng) {
    double[] x = new double[2 * ROWS];
    double[] y = new double[ROWS];
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    ZigguratSampler.Exponential e = ZigguratSampler.Exponential.of(rng);
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = normal.sample();
      y[i] = 0.7 + 0.5 * x[2 * i + 1] + 1.3 * (e.sample() / 0.3 - e.sample() / 0.7);
    }
    FamilySpec spec = FamilySpec.of(family).with("quantile", 0.3);
    List<DataBlock> blocks = List.of(new DenseBlock(0, 2, x, y, null));
    MemoryRun run = new MemoryRun(spec, blocks, List.of("(Intercept)", "x"), Map.of());
    return new Case(run, quadrature(run));
  }

  /**
   * Poisson counts with the mean exp(0.7 + 0.5x), which say that the shape is large, not how large:
   * the local bound is quadratic in its inverse.
   */
  private static Case flat(String family, UniformRandomProvider rng) {
    double[] x = new double[2 * ROWS];
    double[] y = new double[ROWS];
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = normal.sample();
      y[i] = PoissonSampler.of(rng, Math.exp(0.7 + 0.5 * x[2 * i + 1])).sample();
    }
    List<DataBlock> blocks = List.of(new DenseBlock(0, 2, x, y, null));
    FamilySpec spec = FamilySpec.of(family);
    MemoryRun run = new MemoryRun(spec, blocks, List.of("(Intercept)", "x"), Map.of());
    return new Case(run, quadrature(run));
  }

  private static Case posterior(String name) {
    boolean nearly = name.startsWith(NEARLY);
    String family = nearly ? name.substring(NEARLY.length()) : name;
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    if (family.equals("asymmetric_laplace")) {
      return decile(family, rng);
    }
    if (family.equals("negative_binomial")) {
      return flat(family, rng);
    }
    if (family.equals("robust") || family.endsWith("negative_binomial")) {
      return shared(family, nearly, rng);
    }
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] x = new double[2 * ROWS];
    double[] y = new double[ROWS];
    boolean counts = !family.equals("gaussian");
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = normal.sample();
      double second = -0.4 + 0.8 * x[2 * i + 1];
      y[i] =
          counts
              ? rng.nextDouble() < 1 / (1 + Math.exp(-second))
                  ? 0
                  : PoissonSampler.of(rng, 2).sample()
              : 0.7 + Math.exp(second) * normal.sample();
    }
    Predictors predictors = Predictors.of(2, List.of(new int[] {0}, new int[] {0, 1}));
    FamilySpec spec =
        FamilySpec.of(family).with(counts ? "zi" : "sigma", new OwnFormula("~ x", predictors, 0));
    List<DataBlock> blocks = List.of(new DenseBlock(0, 2, x, y, null));
    MemoryRun run = new MemoryRun(spec, blocks, List.of("(Intercept)", "x"), Map.of());
    return new Case(run, quadrature(run));
  }

  private static double[] quadrature(MemoryRun run) {
    return quadrature(run, 7, POINTS);
  }

  /** By the trapezoidal rule in the coordinates of the Laplace approximation, to some sds. */
  private static double[] quadrature(MemoryRun run, double reach, int points) {
    double[] mode = run.fit().theta();
    double[] lower = run.fit().laplace().lower();
    double[] sums = new double[7];
    double top = run.fit().logPosterior();
    double[] z = new double[3];
    for (int n = 0; n < points * points * points; n++) {
      int rest = n;
      for (int j = 0; j < 3; j++) {
        z[j] = 2 * reach * (rest % points) / (points - 1) - reach;
        rest /= points;
      }
      double[] theta = mode.clone();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
          theta[i] += lower[3 * i + j] * z[j];
        }
      }
      double density = Math.exp(run.logPosterior(theta) - top);
      sums[6] += density;
      for (int i = 0; i < 3; i++) {
        double u = theta[i] - mode[i];
        sums[i] += density * u;
        sums[3 + i] += density * u * u;
      }
    }
    double[] moments = new double[6];
    for (int i = 0; i < 3; i++) {
      double u = sums[i] / sums[6];
      moments[i] = mode[i] + u;
      moments[3 + i] = sums[3 + i] / sums[6] - u * u;
    }
    return moments;
  }

  @ParameterizedTest
  @CsvSource({
    "gaussian, metropolis, hmc",
    "gaussian, firefly, hmc",
    "gaussian, firefly, random-walk",
    "gaussian, mhss, random-walk",
    "zero_inflated_poisson, metropolis, hmc",
    "zero_inflated_poisson, firefly, hmc",
    "robust, firefly, hmc",
    "asymmetric_laplace, metropolis, hmc",
    "asymmetric_laplace, firefly, hmc",
    "negative_binomial, metropolis, hmc",
    "negative_binomial, firefly, hmc",
    "negative_binomial, firefly, slice",
    "zero_inflated_negative_binomial, firefly, hmc",
    "hurdle_negative_binomial, firefly, hmc",
    "nearly robust, firefly, hmc",
    "nearly zero_inflated_negative_binomial, firefly, hmc",
    "nearly hurdle_negative_binomial, firefly, hmc",
  })
  void theDrawsAreThoseOfThePosterior(String family, String algorithm, String kernel) {
    Case posterior = CASES.computeIfAbsent(family, TwoPredictorPosteriorTest::posterior);
    Map<String, Object> sampler =
        new HashMap<>(
            Map.of(
                "algorithm",
                algorithm,
                "kernel",
                kernel,
                "chains",
                2,
                "warmup",
                500,
                "draws",
                family.startsWith(NEARLY) && family.endsWith("_negative_binomial")
                    ? 5000
                    : family.endsWith("_negative_binomial") || family.endsWith("robust")
                        ? 1000
                        : kernel.equals("hmc") ? 2000 : algorithm.equals("mhss") ? 800 : 10_000,
                "seed",
                5));
    if (algorithm.equals("mhss")) {
      sampler.put("subsampling", MemoryRun.mapping(Map.of("radius", 7)));
    }
    RunResult result = posterior.run.run(sampler);
    for (int j = 0; j < 3; j++) {
      for (int power = 1; power <= 2; power++) {
        double[][] moment = new double[2][];
        for (int c = 0; c < 2; c++) {
          int index = j;
          double centre = power == 1 ? 0 : posterior.moments[j];
          double exponent = power;
          moment[c] =
              result.chains().get(c).draws().stream()
                  .mapToDouble(theta -> Math.pow(theta[index] - centre, exponent))
                  .toArray();
        }
        double ess = Diagnostics.essMean(moment);
        String what = "coefficient " + j + ", power " + power + ", ESS " + ess;
        assertTrue(ess > 50, what);
        double mean = Stream.of(moment).flatMapToDouble(Arrays::stream).average().orElseThrow();
        double expected = posterior.moments[3 * (power - 1) + j];
        assertEquals(expected, mean, 5 * Diagnostics.mcseMean(moment), what);
      }
    }
  }
}
