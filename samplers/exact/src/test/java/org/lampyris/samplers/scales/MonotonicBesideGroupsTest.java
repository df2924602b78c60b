package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.multilevel.InterceptsByQuadrature;
import org.lampyris.samplers.run.RunResult;

/**
 * {@code y ~ mo(x) + (1 | g)} of a normal y, three levels of x and three groups. Given ζ_1, the
 * groups' sd τ and σ, the intercept a, b and the effects are jointly normal, and are integrated out
 * in closed form; the rest is quadrature. The rows leave the sign of b open.
 */
class MonotonicBesideGroupsTest {
  private static final MonotonicColumns MO = MonotonicColumns.of("mo(x)", List.of("0", "1", "2"));
  private static final double[] ALPHA = {2, 1.5};
  private static final int[] X = {0, 1, 2, 0, 1, 2, 1, 2, 0, 0, 1, 2, 2, 0, 1};
  private static final int[] G = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2};
  private static final double[] Y = {
    0.9, 1.9, 1.2, 0.2, 0.6, 2.0, -0.9, 0.1, -0.2, -1.3, -0.1, 0.9, -0.3, 0.8, 0.1
  };

  private static final double[] EXACT = exact();

  private static ScaledRun run() {
    double[] x = new double[3 * Y.length];
    for (int i = 0; i < Y.length; i++) {
      x[3 * i] = 1;
      x[3 * i + 1] = X[i] >= 1 ? 1 : 0;
      x[3 * i + 2] = X[i] >= 2 ? 1 : 0;
    }
    long[] keys = Arrays.stream(G).asLongStream().toArray();
    DataBlock block = new DenseBlock(0, 3, x, Y, null).grouped(new long[][] {keys});
    Map<String, String> priors =
        Map.of(
            "(Intercept)",
            "normal(0, 2)",
            MO.slope(),
            "normal(0, 1)",
            MO.simplex(),
            "dirichlet(2, 1.5)");
    ModelOfTable base =
        ModelOfTable.of(
            FamilySpec.of("gaussian").with("sigma", "exponential(1)"),
            List.of("(Intercept)", "mox[1]", "mox[2]"),
            PriorConfig.of("flat", priors, PriorConfig.Scale.STANDARDIZED),
            null,
            List.of(MO));
    return new ScaledRun(
        List.of(block), base, List.of(InterceptsByQuadrature.intercepts(3, false)), 7);
  }

  /** The draws of θ are a, c_1, c_2, log σ, τ. */
  private static double[] values(double[] theta) {
    double b = (theta[1] + theta[2]) / 2;
    double zeta = theta[1] / (theta[1] + theta[2]);
    return new double[] {
      theta[0], b, zeta, theta[4], Math.exp(theta[3]), b * b, b * zeta, theta[0] * theta[0]
    };
  }

  /** Returns the means of a, b, ζ_1, τ, σ, b², bζ_1 and a², by the midpoint rule. */
  private static double[] exact() {
    int grid = 50;
    double[] sums = new double[8];
    double all = 0;
    for (int i = 0; i < grid; i++) {
      double zeta = (i + 0.5) / grid;
      double simplex = (ALPHA[0] - 1) * Math.log(zeta) + (ALPHA[1] - 1) * Math.log1p(-zeta);
      double[] steps = {0, 2 * zeta, 2};
      for (int k = 0; k < grid; k++) {
        double logTau = -6 + 8 * (k + 0.5) / grid;
        double tau = Math.exp(logTau);
        for (int s = 0; s < grid; s++) {
          double logSigma = -1.6 + 2.8 * (s + 0.5) / grid;
          double sigma = Math.exp(logSigma);
          Given given = Given.of(steps, tau, sigma);
          double p =
              Math.exp(given.log + simplex + logTau - 0.5 * tau * tau + logSigma - sigma + 25);
          double a = given.mean[0];
          double b = given.mean[1];
          double bb = b * b + given.variance[1];
          double[] means = {a, b, zeta, tau, sigma, bb, b * zeta, a * a + given.variance[0]};
          all += p;
          for (int v = 0; v < sums.length; v++) {
            sums[v] += p * means[v];
          }
        }
      }
    }
    double total = all;
    return Arrays.stream(sums).map(sum -> sum / total).toArray();
  }

  /**
   * The normal posterior of (a, b, u_1, u_2, u_3) given the rest, and the log marginal likelihood.
   */
  private record Given(double[] mean, double[] variance, double log) {
    static Given of(double[] steps, double tau, double sigma) {
      double[] precision = {0.25, 1, 1 / tau / tau, 1 / tau / tau, 1 / tau / tau};
      DMatrixRMaj p = CommonOps_DDRM.diag(precision);
      DMatrixRMaj right = new DMatrixRMaj(5, 1);
      double squares = 0;
      for (int i = 0; i < Y.length; i++) {
        double[] row = {1, steps[X[i]], 0, 0, 0};
        row[2 + G[i]] = 1;
        for (int j = 0; j < 5; j++) {
          right.add(j, 0, row[j] * Y[i] / sigma / sigma);
          for (int k = 0; k < 5; k++) {
            p.add(j, k, row[j] * row[k] / sigma / sigma);
          }
        }
        squares += Y[i] * Y[i] / sigma / sigma;
      }
      double log = -0.5 * squares - Y.length * Math.log(sigma) - 3 * Math.log(tau);
      log -= 0.5 * Math.log(CommonOps_DDRM.det(p));
      DMatrixRMaj inverse = p.copy();
      CommonOps_DDRM.invert(inverse);
      DMatrixRMaj mean = new DMatrixRMaj(5, 1);
      CommonOps_DDRM.mult(inverse, right, mean);
      double[] variance = IntStream.range(0, 5).mapToDouble(j -> inverse.get(j, j)).toArray();
      return new Given(mean.data, variance, log + 0.5 * CommonOps_DDRM.dot(mean, right));
    }
  }

  /** False-alarm rate 2·10⁻⁴ at most. */
  @ParameterizedTest
  @CsvSource({
    "firefly, slice, 400",
    "metropolis, hmc, 1000",
  })
  void theEffectBesideGroupsHasThePosteriorOfQuadrature(
      String algorithm, String kernel, int draws) {
    RunResult result =
        run()
            .run(
                Map.of(
                    "algorithm",
                    algorithm,
                    "kernel",
                    kernel,
                    "chains",
                    4,
                    "warmup",
                    200,
                    "draws",
                    draws));
    for (int v = 0; v < EXACT.length; v++) {
      int which = v;
      double[][] drawn =
          result.chains().stream()
              .map(chain -> chain.draws().stream().mapToDouble(t -> values(t)[which]).toArray())
              .toArray(double[][]::new);
      VariableSummary summary = VariableSummary.of("x", drawn);
      double ess = summary.mixing().essBulk();
      System.out.printf(
          "proof | mo(x) + (1 | g) against quadrature, %s %s, %d | %.4f for %.4f, ESS %.0f%n",
          algorithm, kernel, v, summary.mean(), EXACT[v], ess);
      assertTrue(ess > 300, "effective draws of %d: %.0f".formatted(v, ess));
      assertEquals(EXACT[v], summary.mean(), 4.5 * summary.sd() / Math.sqrt(ess));
    }
  }
}
