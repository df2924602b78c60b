package org.lampyris.samplers.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * The table of {@code docs/benchmarks.md} on local bounds: Firefly by default settings on tables of
 * every family that has such a bound, beside Hamiltonian Monte Carlo on all rows, in memory. A
 * benchmark, run with {@code -Dlampyris.benchmark=local-bounds}; {@code -Dlampyris.rows=10000,…}
 * says how many rows, {@code -Dlampyris.families=poisson,…} of what. It prints Markdown, and fails
 * where the two are of other means, or chains have not mixed.
 */
class LocalBoundsTableTest {
  private static final int BLOCK = 4096;

  /** The largest of 21 or more differences, in their standard errors: false with p below 10⁻³. */
  private static final double SIGMAS = 4.5;

  private static final Map<String, String> FIREFLY =
      Map.of("algorithm", "firefly", "draws", "1000");
  private static final Map<String, String> ALL_ROWS =
      Map.of("algorithm", "metropolis", "draws", "100", "warmup", "60");

  /**
   * A family and its tables.
   *
   * @param spec the family
   * @param features besides the intercept
   * @param predictors how many η a row's label depends on
   * @param fewest rows that are tried: with d coefficients bounds are local from some d² rows on
   */
  private record Case(FamilySpec spec, int features, int predictors, int fewest) {
    Case(FamilySpec spec) {
      this(spec, 20, 1, 0);
    }
  }

  /** Draws a label given every η. */
  @FunctionalInterface
  private interface Label {
    double draw(double[] eta, UniformRandomProvider rng);
  }

  private static List<Case> cases() {
    return List.of(
        new Case(FamilySpec.of("logistic")),
        new Case(FamilySpec.of("poisson")),
        new Case(FamilySpec.of("gamma").with("shape", 2.0)),
        new Case(FamilySpec.of("gamma").with("shape", "exponential(1)")),
        new Case(FamilySpec.of("robust").with("df", 4.0).with("scale", 0.5)),
        new Case(FamilySpec.of("robust").with("df", 4.0).with("scale", "exponential(1)")),
        new Case(FamilySpec.of("probit")),
        new Case(FamilySpec.of("binomial")),
        new Case(FamilySpec.of("negative_binomial").with("shape", "half_cauchy(10)")),
        new Case(FamilySpec.of("beta").with("phi", "half_cauchy(10)")),
        new Case(
            new FamilySpec(
                "ordinal", Map.of("gaps", "exponential(1)"), List.of("1", "2", "3", "4"))),
        softmax(3, 20, 0),
        softmax(10, 50, 100_000));
  }

  private static Case softmax(int classes, int features, int fewest) {
    List<String> names = IntStream.range(0, classes).mapToObj(k -> "c" + k).toList();
    return new Case(
        new FamilySpec("softmax", Map.of("reference_class", "c0"), names),
        features,
        classes,
        fewest);
  }

  private static Label label(String family) {
    return switch (family) {
      case "logistic" -> (eta, rng) -> rng.nextDouble() < StableMath.sigmoid(eta[0]) ? 1 : -1;
      case "poisson" -> (eta, rng) -> PoissonSampler.of(rng, Math.exp(eta[0])).sample();
      case "gamma" -> (eta, rng) -> gamma(rng, 2, Math.exp(eta[0]));
      case "probit" ->
          (eta, rng) -> ZigguratSampler.NormalizedGaussian.of(rng).sample() < eta[0] ? 1 : -1;
      case "binomial" -> (eta, rng) -> rng.nextDouble() < StableMath.sigmoid(eta[0]) ? 1 : 0;
      case "negative_binomial" ->
          (eta, rng) -> {
            double mean = gamma(rng, 1.5, Math.exp(eta[0]));
            return PoissonSampler.of(rng, Math.max(1e-12, mean)).sample();
          };
      case "beta" ->
          (eta, rng) -> {
            double a = gamma(rng, 7 * StableMath.sigmoid(eta[0]), StableMath.sigmoid(eta[0]));
            double b = gamma(rng, 7 * StableMath.sigmoid(-eta[0]), StableMath.sigmoid(-eta[0]));
            return Math.min(1 - 0x1p-53, Math.max(1e-300, a / (a + b)));
          };
      case "ordinal" ->
          (eta, rng) -> {
            double u = rng.nextDouble();
            double latent = eta[0] + Math.log(u / (1 - u));
            return latent < 0 ? 0 : latent < 1 ? 1 : latent < 2.5 ? 2 : 3;
          };
      case "robust" -> (eta, rng) -> eta[0] + 0.5 * TDistribution.of(4).createSampler(rng).sample();
      default -> LocalBoundsTableTest::drawClass;
    };
  }

  private static double gamma(UniformRandomProvider rng, double shape, double mean) {
    return AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, mean / shape).sample();
  }

  private static double drawClass(double[] eta, UniformRandomProvider rng) {
    double total = 0;
    for (double e : eta) {
      total += Math.exp(e);
    }
    double u = rng.nextDouble() * total;
    int k = 0;
    while (k < eta.length - 1 && u >= Math.exp(eta[k])) {
      u -= Math.exp(eta[k++]);
    }
    return k;
  }

  /** Returns rows of normal features, whose η have a mean of ½ and a standard deviation of 1. */
  private static List<DataBlock> table(Case what, int rows) {
    int columns = what.features() + 1;
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[][] beta = new double[what.predictors()][columns];
    for (double[] of : beta) {
      of[0] = 0.5;
      for (int j = 1; j < columns; j++) {
        of[j] = normal.sample() / Math.sqrt(what.features());
      }
    }
    Label label = label(what.spec().name());
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += BLOCK) {
      int size = Math.min(BLOCK, rows - from);
      double[] x = new double[size * columns];
      double[] y = new double[size];
      for (int row = 0; row < size; row++) {
        double[] eta = new double[beta.length];
        for (int j = 0; j < columns; j++) {
          double value = j == 0 ? 1 : normal.sample();
          x[row * columns + j] = value;
          for (int k = 0; k < eta.length; k++) {
            eta[k] += value * beta[k][j];
          }
        }
        y[row] = label.draw(eta, rng);
      }
      blocks.add(new DenseBlock(blocks.size(), columns, x, y, null));
    }
    return blocks;
  }

  /**
   * What a run came to.
   *
   * @param evaluations of the likelihood, an iteration after the warm-up
   * @param ess the least of a coefficient, of bulk and tails
   * @param rhat the largest
   * @param draws by coefficient, chain and iteration
   */
  private record Run(double evaluations, double ess, double rhat, double[][][] draws) {
    static Run of(RunResult result) {
      int d = result.chains().get(0).draws().get(0).length;
      double[][][] draws = new double[d][result.chains().size()][];
      double evaluations = 0;
      long iterations = 0;
      for (int c = 0; c < result.chains().size(); c++) {
        List<double[]> chain = result.chains().get(c).draws();
        for (int j = 0; j < d; j++) {
          int element = j;
          draws[j][c] = chain.stream().mapToDouble(theta -> theta[element]).toArray();
        }
        for (var iteration : result.chains().get(c).sampling()) {
          evaluations += iteration.info().likelihoodEvaluations();
          iterations++;
        }
      }
      double ess = Double.POSITIVE_INFINITY;
      double rhat = 0;
      for (double[][] of : draws) {
        ess = Math.min(ess, Math.min(Diagnostics.essBulk(of), Diagnostics.essTail(of)));
        rhat = Math.max(rhat, Diagnostics.rhat(of));
      }
      return new Run(evaluations / iterations, ess, rhat, draws);
    }

    double essOfEvaluations() {
      return ess / (evaluations * draws[0].length * draws[0][0].length);
    }

    /** Returns the largest difference of two means, in its standard error. */
    double apart(Run other) {
      double largest = 0;
      for (int j = 0; j < draws.length; j++) {
        double error =
            Math.hypot(Diagnostics.mcseMean(draws[j]), Diagnostics.mcseMean(other.draws[j]));
        largest = Math.max(largest, Math.abs(mean(draws[j]) - mean(other.draws[j])) / error);
      }
      return largest;
    }

    private static double mean(double[][] chains) {
      return IntStream.range(0, chains.length)
          .mapToDouble(c -> Arrays.stream(chains[c]).average().orElseThrow())
          .average()
          .orElseThrow();
    }
  }

  @Test
  void everyFamily() {
    assumeTrue(
        "local-bounds".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=local-bounds");
    System.out.println(
        "| family | coefficients | rows | evaluations an iteration | ESS of 4,000, least | R-hat"
            + " | ESS for 10⁶ evaluations | all rows, HMC | times |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    String families = System.getProperty("lampyris.families", "");
    Map<String, Double> before = new LinkedHashMap<>();
    for (String rows : System.getProperty("lampyris.rows", "10000,100000").split(",", -1)) {
      for (Case what : cases()) {
        String name = what.spec() + " " + what.predictors();
        int count = Integer.parseInt(rows);
        if (count < what.fewest()) {
          continue;
        }
        if (families.isEmpty() || List.of(families.split(",", -1)).contains(what.spec().name())) {
          double evaluations = line(what, count);
          assertTrue(evaluations < before.getOrDefault(name, Double.MAX_VALUE), name);
          before.put(name, evaluations);
        }
      }
    }
  }

  private static double line(Case what, int rows) {
    List<String> columns = new ArrayList<>(List.of("(Intercept)"));
    IntStream.rangeClosed(1, what.features()).forEach(j -> columns.add("x" + j));
    MemoryRun memory =
        new MemoryRun(what.spec(), table(what, rows), columns, Map.of()).inBallByDefault();
    Run firefly = Run.of(memory.run(FIREFLY));
    // A pass a step: where all rows cost a quarter of an hour, there is nothing to compare with.
    long work = (long) rows * what.features() * what.predictors();
    boolean compared = work <= 5_000_000L * Integer.getInteger("lampyris.compare", 1);
    String beside = " | ";
    if (compared) {
      Run all = Run.of(memory.run(ALL_ROWS));
      assertTrue(firefly.apart(all) < SIGMAS, "means are " + firefly.apart(all) + " sds apart");
      beside =
          String.format(
              Locale.ROOT,
              "%.3g | %,.0f",
              1e6 * all.essOfEvaluations(),
              firefly.essOfEvaluations() / all.essOfEvaluations());
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %d | %,d | %.3g | %,.0f | %.3f | %,.0f | %s |",
            what.predictors() == 1
                ? what.spec().name()
                : "softmax, " + what.predictors() + " classes",
            firefly.draws().length,
            rows,
            firefly.evaluations(),
            firefly.ess(),
            firefly.rhat(),
            1e6 * firefly.essOfEvaluations(),
            beside));
    assertTrue(firefly.rhat() < 1.02 && firefly.ess() > 400, "chains have not mixed");
    return firefly.evaluations();
  }
}
