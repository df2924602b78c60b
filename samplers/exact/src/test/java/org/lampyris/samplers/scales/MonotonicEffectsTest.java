package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.Factor;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * A monotonic effect of three levels in a logistic regression, by every algorithm that takes it,
 * against quadrature over the intercept a, b and ζ_1. The rows leave the sign of b open, so that
 * chains pass the pole of the prior at 0.
 */
class MonotonicEffectsTest {
  private static final MonotonicColumns MO = MonotonicColumns.of("mo(x)", List.of("0", "1", "2"));
  private static final int[] ROWS = {12, 7, 9};
  private static final int[] SUCCESSES = {5, 5, 4};
  private static final double[] ALPHA = {2, 1.5};
  private static final Map<String, String> PRIORS =
      Map.of(
          "(Intercept)",
          "normal(0, 1.5)",
          MO.slope(),
          "normal(0, 1)",
          MO.simplex(),
          "dirichlet(2, 1.5)");

  private static final double[] EXACT = exact();

  private static MemoryRun run() {
    double[][] rows =
        IntStream.range(0, 6)
            .mapToObj(i -> new double[] {Math.floorDiv(i, 2), i % 2 == 0 ? 1 : -1, 0})
            .toArray(double[][]::new);
    double[] x = new double[18];
    double[] weight = new double[6];
    for (int i = 0; i < 6; i++) {
      int level = (int) rows[i][0];
      x[3 * i] = 1;
      x[3 * i + 1] = level >= 1 ? 1 : 0;
      x[3 * i + 2] = level >= 2 ? 1 : 0;
      weight[i] = rows[i][1] > 0 ? SUCCESSES[level] : ROWS[level] - SUCCESSES[level];
    }
    double[] y = Arrays.stream(rows).mapToDouble(row -> row[1]).toArray();
    DataBlock block = new DenseBlock(0, 3, x, y, weight);
    return new MemoryRun(
        FamilySpec.of("logistic"),
        List.of(block),
        List.of("(Intercept)", "mox[1]", "mox[2]"),
        PRIORS,
        List.of(MO),
        MonotonicEffects::making);
  }

  private static double logLikelihood(double a, double c1, double c2) {
    double[] eta = {a, a + c1, a + c1 + c2};
    double log = 0;
    for (int j = 0; j < 3; j++) {
      log += SUCCESSES[j] * eta[j] - ROWS[j] * Math.log1p(Math.exp(eta[j]));
    }
    return log;
  }

  /** Returns the means of a, b, ζ_1, b², ζ_1², 1[b &gt; 0] and bζ_1, by the midpoint rule. */
  private static double[] exact() {
    int grid = 120;
    double[] sums = new double[7];
    double all = 0;
    for (int k = 0; k < grid; k++) {
      double zeta = (k + 0.5) / grid;
      double simplex = (ALPHA[0] - 1) * Math.log(zeta) + (ALPHA[1] - 1) * Math.log1p(-zeta);
      for (int j = 0; j < grid; j++) {
        double b = 4 * (2 * (j + 0.5) / grid - 1);
        for (int i = 0; i < grid; i++) {
          double a = 5 * (2 * (i + 0.5) / grid - 1);
          double log =
              simplex
                  - 0.5 * b * b
                  - 0.5 * a * a / 2.25
                  + logLikelihood(a, 2 * b * zeta, 2 * b * (1 - zeta));
          double p = Math.exp(log + 15);
          all += p;
          double[] values = values(a, b, zeta);
          for (int v = 0; v < sums.length; v++) {
            sums[v] += p * values[v];
          }
        }
      }
    }
    double total = all;
    return Arrays.stream(sums).map(sum -> sum / total).toArray();
  }

  private static double[] values(double a, double b, double zeta) {
    return new double[] {a, b, zeta, b * b, zeta * zeta, b > 0 ? 1 : 0, b * zeta};
  }

  @ParameterizedTest
  @CsvSource({
    "firefly, slice, 2000",
    "firefly, mala, 2000",
    "metropolis, hmc, 1000",
    "mhss, random-walk, 6000"
  })
  void effectsHaveThePosteriorOfQuadrature(String algorithm, String kernel, int draws) {
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
                    1000,
                    "draws",
                    draws));
    double[] exact = EXACT;
    for (int v = 0; v < exact.length; v++) {
      int which = v;
      double[][] drawn =
          result.chains().stream()
              .map(
                  chain ->
                      chain.draws().stream()
                          .mapToDouble(
                              t -> values(t[0], (t[1] + t[2]) / 2, t[1] / (t[1] + t[2]))[which])
                          .toArray())
              .toArray(double[][]::new);
      VariableSummary summary = VariableSummary.of("x", drawn);
      double ess = summary.mixing().essBulk();
      System.out.printf(
          "proof | monotonic effect against quadrature, %s %s, %d | %.4f for %.4f, ESS %.0f%n",
          algorithm, kernel, v, summary.mean(), exact[v], ess);
      assertTrue(ess > 700, "effective draws of %d: %.0f".formatted(v, ess));
      assertEquals(exact[v], summary.mean(), 4.5 * summary.sd() / Math.sqrt(ess));
    }
  }

  /** Where the ball holds little of the posterior, chains cross its edge. */
  @ParameterizedTest
  @CsvSource({"firefly, slice, 3000", "mhss, random-walk, 4000"})
  void bothSidesOfTheEdgeAreExact(String algorithm, String kernel, int draws) {
    RunResult result =
        run()
            .inBall(1.5)
            .run(
                Map.of(
                    "algorithm",
                    algorithm,
                    "kernel",
                    kernel,
                    "chains",
                    4,
                    "warmup",
                    1000,
                    "draws",
                    draws));
    double[][] b =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(t -> (t[1] + t[2]) / 2).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of("b", b);
    double ess = summary.mixing().essBulk();
    assertTrue(ess > 200, "effective draws: " + ess);
    assertEquals(EXACT[1], summary.mean(), 4.5 * summary.sd() / Math.sqrt(ess));
  }

  private static final double[] THETA = {0.3, -0.7, -0.2, -1.9, 2.1};

  private static MonotonicPrior prior() {
    ProductPrior slope = ProductPrior.parse(List.of("student_t(4, 0, 1)"));
    return new MonotonicPrior(
        List.of(
            new MonotonicPrior.Effect(
                MonotonicColumns.of("mo(x)", List.of("0", "1", "2", "3")),
                new int[] {1, 2, 3},
                slope.factors().get(0),
                new double[] {2, 1, 0.5})));
  }

  private static MonotonicCoordinates coordinates(LaplaceApproximation laplace) {
    return MonotonicCoordinates.of(prior(), laplace);
  }

  private static LaplaceApproximation laplace() {
    double[] covariance = new double[25];
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        covariance[5 * i + j] = i == j ? 0.5 + 0.1 * i : 0.05 * (i + j) - 0.1;
      }
    }
    return new LaplaceApproximation(new double[] {0.1, -0.9, 0.4, -1.5, 2}, covariance);
  }

  private static double[] differences(double[] at, UnaryOperator<double[]> of, int row) {
    double[] slopes = new double[at.length];
    for (int j = 0; j < at.length; j++) {
      double[] up = at.clone();
      double[] down = at.clone();
      up[j] += 1e-6;
      down[j] -= 1e-6;
      slopes[j] = (of.apply(up)[row] - of.apply(down)[row]) / 2e-6;
    }
    return slopes;
  }

  @Test
  void thePriorHasTheGradientOfDifferences() {
    MonotonicPrior prior = prior();
    double[] gradient = new double[5];
    prior.addGradient(THETA, gradient);
    assertArrayEquals(differences(THETA, t -> new double[] {prior.value(t)}, 0), gradient, 1e-6);
    assertEquals(Double.NEGATIVE_INFINITY, prior.value(new double[] {0, 1, -1, 1, 0}));
    assertEquals(Double.NEGATIVE_INFINITY, prior.value(new double[] {0, 1, 0, 1, 0}));
  }

  @Test
  void coordinatesHaveTheVolumeAndTheGradientOfDifferences() {
    MonotonicCoordinates of = coordinates(laplace());
    double[] psi = of.psi(THETA);
    assertArrayEquals(THETA, of.theta(psi), 1e-14);
    double[] jacobian = new double[25];
    for (int i = 0; i < 5; i++) {
      System.arraycopy(differences(psi, of::theta, i), 0, jacobian, 5 * i, 5);
    }
    double log = Math.log(Math.abs(determinant(jacobian)));
    assertEquals(log, of.logVolume(THETA) + Math.log(3), 1e-8);
    UnaryOperator<double[]> density =
        p -> new double[] {prior().value(of.theta(p)) + of.logVolume(of.theta(p)) + p[0] * p[4]};
    double[] gradient = {THETA[4], 0, 0, 0, THETA[0]};
    prior().addGradient(THETA, gradient);
    double[] inTheta = gradient.clone();
    of.toPsi(THETA, gradient);
    assertArrayEquals(differences(psi, density, 0), gradient, 1e-6);
    of.toTheta(THETA, gradient);
    assertArrayEquals(inTheta, gradient, 1e-12);
  }

  /** The shape is JL: its methods agree with each other, as those of every factor. */
  @Test
  void theShapeIsOneFactor() {
    LaplaceApproximation laplace = laplace();
    Factor shape = coordinates(laplace).laplace(laplace).factor();
    double[] matrix = new double[25];
    for (int j = 0; j < 5; j++) {
      double[] unit = new double[5];
      unit[j] = 1;
      double[] column = new double[5];
      shape.addTo(unit, 1, column);
      double[] row = shape.transposed(unit);
      assertEquals(Arrays.stream(row).map(r -> r * r).sum(), shape.variance(j), 1e-12);
      for (int i = 0; i < 5; i++) {
        matrix[5 * i + j] = column[i];
      }
      shape.solve(column);
      assertArrayEquals(unit, column, 1e-12);
    }
    for (int j = 0; j < 5; j++) {
      double[] unit = new double[5];
      unit[j] = 1;
      assertArrayEquals(
          Arrays.copyOfRange(matrix, 5 * j, 5 * j + 5), shape.transposed(unit), 1e-12);
    }
    assertEquals(2 * Math.log(Math.abs(determinant(matrix))), shape.logDeterminant(), 1e-10);
  }

  private static double determinant(double[] matrix) {
    return org.ejml.dense.row.CommonOps_DDRM.det(
        org.ejml.data.DMatrixRMaj.wrap(5, 5, matrix.clone()));
  }

  /**
   * The correction of a proposal is log q(θ | θ') − log q(θ' | θ) of its density in θ: the normal
   * one of ψ over |dθ/dψ| at the proposal, here by differences.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void correctionsAreThoseOfTheDensityOfProposals(boolean pcn) {
    MonotonicCoordinates of = coordinates(laplace());
    LaplaceApproximation inPsi = of.laplace(laplace());
    Preconditioner shape = Preconditioner.of(inPsi);
    ProposalKernel inner =
        pcn ? new CrankNicolson(inPsi.mode(), shape, 0.6) : new RandomWalk(shape, 0.6);
    ProposalKernel kernel = new MonotonicKernel.Proposal(inner, of);
    Noise noise = Noise.of(new Streams(8).stream(Streams.Purpose.THETA, 1, 1, 0));
    double[] theta = THETA;
    int crossed = 0;
    double largest = 0;
    for (int i = 0; i < 200; i++) {
      double[] to = kernel.propose(theta, noise);
      double correction = kernel.correction(theta, to);
      double[] mode = pcn ? inPsi.mode() : null;
      double expected =
          logProposal(of, shape, mode, to, theta) - logProposal(of, shape, mode, theta, to);
      assertEquals(expected, correction, 1e-5 * (1 + Math.abs(expected)));
      crossed += theta[1] * to[1] < 0 ? 1 : 0;
      largest = Math.max(largest, Math.abs(correction));
      theta = to;
    }
    assertTrue(crossed > 0 && largest > 2, crossed + " changes of sign, up to " + largest);
  }

  /** Returns log q(θ' | θ) but a constant. */
  private static double logProposal(
      MonotonicCoordinates of,
      Preconditioner shape,
      double @Nullable [] mode,
      double[] theta,
      double[] to) {
    double[] psi = of.psi(theta);
    double[] off = of.psi(to);
    double[] jacobian = new double[25];
    for (int i = 0; i < 5; i++) {
      System.arraycopy(differences(off, of::theta, i), 0, jacobian, 5 * i, 5);
    }
    double cosine = Math.sqrt(1 - 0.36);
    for (int j = 0; j < 5; j++) {
      off[j] -= mode == null ? psi[j] : mode[j] + cosine * (psi[j] - mode[j]);
    }
    double squares = Arrays.stream(shape.inverse(off)).map(u -> u * u).sum();
    return -0.5 * squares / 0.36 - Math.log(Math.abs(determinant(jacobian)));
  }

  /**
   * Log ratios of ζ have exponential tails, and pcn is reversible for a normal density φ: far out,
   * π/φ is so large that it hardly ever moves. A chain whose probability to stay comes arbitrarily
   * near 1 is not geometrically ergodic: Roberts and Tweedie (1996), theorem 5.1. A random walk
   * leaves as easily from anywhere. On these rows, 240,000 draws of pcn had 29 effective draws of
   * b.
   */
  @Test
  void pcnStaysInTheTails() {
    double[] pcn = acceptance("pcn");
    double[] walk = acceptance("random-walk");
    System.out.printf(
        "proof | acceptance where a share is 1e-1, 1e-3, 1e-5, 1e-7 | pcn %s, random walk %s%n",
        Arrays.toString(pcn), Arrays.toString(walk));
    assertTrue(pcn[0] > 0.5 && pcn[2] < 0.01 && pcn[3] < 1e-4);
    assertTrue(Arrays.stream(walk).min().orElseThrow() > 0.4);
  }

  /** Returns the mean acceptance probability from ζ_1 = 0.1, 10⁻³, 10⁻⁵ and 10⁻⁷. */
  private static double[] acceptance(String kernel) {
    MemoryRun run = run();
    ProductPrior prior = run.model().drawn().prior();
    SamplerSettings settings =
        MemoryRun.settings(Map.of("algorithm", "mhss", "kernel", kernel, "step_size", 0.7));
    ProposalKernel of =
        (ProposalKernel)
            MonotonicEffects.making(settings.making()).kernel(run.fit().laplace(), prior);
    Noise noise = Noise.of(new Streams(9).stream(Streams.Purpose.THETA, 1, 1, 0));
    double[] mean = new double[4];
    for (int k = 0; k < mean.length; k++) {
      double zeta = Math.pow(10, -2 * k - 1);
      double[] from = {0, zeta, 1 - zeta};
      for (int i = 0; i < 4000; i++) {
        double[] to = of.propose(from, noise);
        double log = of.correction(from, to) + logDrawn(prior, to) - logDrawn(prior, from);
        mean[k] += Math.min(1, Math.exp(log)) / 4000;
      }
    }
    return mean;
  }

  private static double logDrawn(ProductPrior prior, double[] theta) {
    return prior.logDensity(theta) + logLikelihood(theta[0], theta[1], theta[2]);
  }

  /** Draws from the prior: b and ζ have the moments of normal and Dirichlet; 5 standard errors. */
  @Test
  void drawsFromThePriorHaveItsMoments() {
    ProductPrior prior = run().model().drawn().prior();
    int draws = 40_000;
    double[] sums = new double[4];
    for (int s = 0; s < draws; s++) {
      double[] t =
          StartingPoint.fromPrior(prior, new Streams(3).stream(Streams.Purpose.INITIAL, 0, s, 0));
      double b = (t[1] + t[2]) / 2;
      double zeta = t[1] / (t[1] + t[2]);
      sums[0] += b / draws;
      sums[1] += b * b / draws;
      sums[2] += zeta / draws;
      sums[3] += b * zeta / draws;
      assertTrue(prior.logDensity(t) > Double.NEGATIVE_INFINITY);
    }
    assertArrayEquals(new double[] {0, 1, 2 / 3.5, 0}, sums, 5 * 1.5 / Math.sqrt(draws));
  }

  @Test
  void startsAreInTheSupport() {
    MonotonicCoordinates of = coordinates(laplace());
    for (double[] theta :
        List.of(
            new double[] {1, 2, -1, 0.5, 3},
            new double[] {1, -200, -1, 0.5, 3},
            new double[] {0, 0, 0, 0, 0})) {
      assertTrue(prior().value(of.start(theta)) > Double.NEGATIVE_INFINITY);
    }
    assertArrayEquals(THETA, of.start(THETA));
  }
}
