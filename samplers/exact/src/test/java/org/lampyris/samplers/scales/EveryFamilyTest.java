package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.multilevel.InterceptsByQuadrature;
import org.lampyris.samplers.run.RunResult;

/**
 * Random intercepts of every family with one linear predictor, its own parameters sampled: draws of
 * the intercept and the sd against quadrature, and how they mix. False-alarm rate 10⁻⁵ a family.
 */
class EveryFamilyTest {
  private static final int[] ROWS = {8, 12, 15, 20, 25, 40, 50, 70};
  private static final int DRAWS = 500;

  /** η on a grid of this step about the mode of the intercept. */
  private static final double STEP = 0.04;

  private static final int STEPS = 100;

  /** An own parameter on a grid of standard deviations about its mode. */
  private static final int OWN = 3;

  @ParameterizedTest
  @CsvSource({
    "logistic, firefly, ",
    "probit, metropolis, ",
    "cloglog, metropolis, ",
    "cauchit, metropolis, ",
    "gaussian, metropolis, sigma",
    "robust, metropolis, scale",
    "robust, metropolis, scale df",
    "poisson, firefly, ",
    "negative_binomial, firefly, shape",
    "negative_binomial, metropolis, shape",
    "gamma, firefly, shape",
    "beta, metropolis, phi",
    "zero_inflated_poisson, metropolis, zi",
    "hurdle_poisson, metropolis, hu",
    "zero_inflated_negative_binomial, metropolis, zi shape",
    "hurdle_negative_binomial, metropolis, hu shape",
    "weibull, metropolis, scale",
    "lognormal, metropolis, scale",
    "loglogistic, metropolis, scale",
    "exponential, metropolis, "
  })
  void scalesMixAndHaveThePosteriorOfQuadrature(String family, String algorithm, String sampled) {
    FamilySpec spec = FamilySpec.of(family);
    List<String> own = sampled == null ? List.of() : List.of(sampled.split(" "));
    for (String parameter : own) {
      boolean isShare = parameter.equals("zi") || parameter.equals("hu");
      spec = spec.with(parameter, isShare ? "uniform(0, 1)" : "gamma(2, 0.5)");
    }
    ModelOfTable base =
        ModelOfTable.of(
            spec,
            List.of("(Intercept)"),
            PriorConfig.of("normal(0, 2.5)", Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    List<DataBlock> groups = groups(family);
    ScaledRun run =
        new ScaledRun(
            groups, base, List.of(InterceptsByQuadrature.intercepts(ROWS.length, false)), 7);
    RunResult result =
        run.run(Map.of("algorithm", algorithm, "chains", 2, "warmup", 200, "draws", DRAWS));
    double[] exact = exact(base, groups, run.fit().fit().laplace(), own.size());
    int sd = result.chains().get(0).draws().get(0).length - 1;
    assertNear(result, 0, exact[0], exact[1], family + ", intercept");
    assertNear(result, sd, exact[2], exact[3], family + ", sd");
  }

  private static void assertNear(RunResult result, int k, double mean, double sd, String what) {
    double[][] draws =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[k]).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of(what, draws);
    double ess = summary.mixing().essBulk();
    System.out.printf(
        "proof | effects of every family against quadrature, %s | %.4f for %.4f, ESS %.0f of %d%n",
        what, summary.mean(), mean, ess, 2 * DRAWS);
    assertTrue(ess > 0.5 * DRAWS && summary.mixing().rhat() < 1.03, summary.toString());
    assertEquals(mean, summary.mean(), 4.5 * sd / Math.sqrt(ess), what);
    assertEquals(1, summary.sd() / sd, 0.25, what);
  }

  /**
   * Returns mean and sd of the intercept β and of the effects' sd, with the effects integrated out:
   * ∫ Π_n L(η, τ; y_n) N(η; β, sd²) dη of each group.
   */
  private static double[] exact(
      ModelOfTable base, List<DataBlock> groups, LaplaceApproximation laplace, int own) {
    int first = 1 + groups.size();
    double[] sums = new double[5];
    double top = Double.NEGATIVE_INFINITY;
    double[] theta = new double[1 + own];
    for (int cell = 0; cell < Math.pow(2 * OWN + 1, own); cell++) {
      int rest = cell;
      for (int p = 0; p < own; p++) {
        double from = laplace.mode()[first + p];
        theta[1 + p] = from + (rest % (2 * OWN + 1) - OWN) * laplace.sd(first + p);
        rest /= 2 * OWN + 1;
      }
      double[][] likelihood = new double[groups.size()][2 * STEPS + 1];
      double log = 0;
      for (int j = 0; j < likelihood.length; j++) {
        double[] of = likelihood[j];
        for (int i = 0; i < of.length; i++) {
          theta[0] = laplace.mode()[0] + (i - STEPS) * STEP;
          for (int row = 0; row < groups.get(j).rows(); row++) {
            of[i] += base.model().logLikelihood(groups.get(j), row, theta);
          }
        }
        double most = Arrays.stream(of).max().orElseThrow();
        Arrays.setAll(of, i -> Math.exp(of[i] - most));
        log += most;
      }
      for (double phi = -3; phi < 1.4; phi += 0.1) {
        double sd = Math.exp(phi);
        double[] normal = new double[2 * STEPS + 1];
        Arrays.setAll(normal, i -> Math.exp(-0.5 * Math.pow(i * STEP / sd, 2)) * STEP / sd);
        for (int b = STEPS / 2; b <= 3 * STEPS / 2; b += 2) {
          theta[0] = laplace.mode()[0] + (b - STEPS) * STEP;
          double density = log + base.prior().logDensity(theta) - 0.5 * sd * sd + phi;
          for (double[] of : likelihood) {
            double marginal = 0;
            for (int i = 0; i < of.length; i++) {
              marginal += of[i] * normal[Math.abs(i - b)];
            }
            density += Math.log(marginal);
          }
          if (density > top) {
            double scale = Math.exp(top - density);
            Arrays.setAll(sums, k -> sums[k] * scale);
            top = density;
          }
          double p = density == Double.NEGATIVE_INFINITY ? 0 : Math.exp(density - top);
          double[] terms = {1, theta[0], theta[0] * theta[0], sd, sd * sd};
          Arrays.setAll(sums, k -> sums[k] + p * terms[k]);
        }
      }
    }
    double mean = sums[1] / sums[0];
    double meanSd = sums[3] / sums[0];
    return new double[] {
      mean,
      Math.sqrt(sums[2] / sums[0] - mean * mean),
      meanSd,
      Math.sqrt(sums[4] / sums[0] - meanSd * meanSd)
    };
  }

  /** Returns a block for each group. */
  private static List<DataBlock> groups(String family) {
    SplittableRandom random = new SplittableRandom(family.length());
    List<DataBlock> groups = new ArrayList<>();
    for (int j = 0; j < ROWS.length; j++) {
      double eta =
          0.3 + 0.5 * NormalDistribution.of(0, 1).inverseCumulativeProbability((j + 0.5) / 8);
      double[] y = new double[ROWS[j]];
      Arrays.setAll(y, i -> label(family, eta, random));
      double[] ones = new double[y.length];
      Arrays.fill(ones, 1);
      long[] keys = new long[y.length];
      Arrays.fill(keys, j);
      groups.add(new DenseBlock(j, 1, ones, y, null).grouped(new long[][] {keys}));
    }
    return groups;
  }

  private static double label(String family, double eta, SplittableRandom random) {
    double u = random.nextDouble();
    double mean = Math.exp(eta);
    double share = 1 / (1 + Math.exp(-eta));
    double normal = NormalDistribution.of(0, 1).inverseCumulativeProbability(u);
    return switch (family) {
      case "logistic" -> u < share ? 1 : -1;
      case "probit" -> normal < eta ? 1 : -1;
      case "cloglog" -> u < -Math.expm1(-mean) ? 1 : -1;
      case "cauchit" -> u < 0.5 + Math.atan(eta) / Math.PI ? 1 : -1;
      case "gaussian" -> eta + normal;
      case "robust" -> eta + TDistribution.of(4).inverseCumulativeProbability(u);
      case "gamma" -> GammaDistribution.of(2, mean / 2).inverseCumulativeProbability(u);
      case "beta" ->
          BetaDistribution.of(10 * share, 10 - 10 * share).inverseCumulativeProbability(u);
      case "weibull" -> mean * Math.sqrt(-Math.log(u));
      case "exponential" -> mean * -Math.log(u);
      case "lognormal" -> mean * Math.exp(0.5 * normal);
      case "loglogistic" -> mean * Math.sqrt(u / (1 - u));
      default -> count(family, mean, random);
    };
  }

  private static double count(String family, double mean, SplittableRandom random) {
    boolean hasZeros = family.startsWith("zero") || family.startsWith("hurdle");
    if (hasZeros && random.nextDouble() < 0.3) {
      return 0;
    }
    int count;
    do {
      double u = random.nextDouble();
      double rate =
          family.endsWith("poisson")
              ? mean
              : mean * GammaDistribution.of(2, 0.5).inverseCumulativeProbability(u);
      count = PoissonDistribution.of(rate).inverseCumulativeProbability(random.nextDouble());
    } while (count == 0 && family.startsWith("hurdle"));
    return count;
  }
}
