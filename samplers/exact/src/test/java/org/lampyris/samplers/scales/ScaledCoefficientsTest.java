package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.multilevel.InterceptsByQuadrature;
import org.lampyris.samplers.run.RunResult;

/** Random intercepts as coefficients against quadrature, by every algorithm that takes scales. */
class ScaledCoefficientsTest {
  static Stream<Arguments> cases() {
    return Stream.of("firefly", "metropolis", "mhss")
        .flatMap(
            algorithm ->
                Stream.of(
                        InterceptsByQuadrature.FEW,
                        InterceptsByQuadrature.EIGHT,
                        InterceptsByQuadrature.UNBALANCED)
                    .map(groups -> Arguments.of(algorithm, groups)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void interceptsHaveThePosteriorOfQuadrature(
      String algorithm, InterceptsByQuadrature.Groups groups) {
    // mhss moves coefficients or scales in an iteration, where others move both.
    int draws = algorithm.equals("mhss") ? 4000 : 1500;
    RunResult result =
        of(groups).run(Map.of("algorithm", algorithm, "chains", 4, "warmup", 500, "draws", draws));
    double[] exact = InterceptsByQuadrature.exact(groups);
    assertNear(result, algorithm, 0, exact[0], exact[1]);
    assertNear(result, algorithm, 1, exact[2], exact[3]);
  }

  /** The chain crosses the edge of the ball often: a third of the posterior lies outside. */
  @ParameterizedTest
  @ValueSource(strings = {"firefly", "mhss"})
  void effectsAndScalesAreExactOnBothSidesOfTheEdge(String algorithm) {
    InterceptsByQuadrature.Groups groups = InterceptsByQuadrature.EIGHT;
    RunResult result =
        of(groups, 3)
            .run(Map.of("algorithm", algorithm, "chains", 4, "warmup", 500, "draws", 4000));
    double[] exact = InterceptsByQuadrature.exact(groups);
    assertNear(result, algorithm, 0, exact[0], exact[1]);
    assertNear(result, algorithm, 1, exact[2], exact[3]);
  }

  /** A row has the intercept and the effect of its own group, however many groups there are. */
  @Test
  void anEvaluationCostsWhatItsRowHas() {
    assertEquals(0.5 + 2 / 40.0, of(InterceptsByQuadrature.EIGHT).evaluationInPass());
  }

  private static ScaledRun of(InterceptsByQuadrature.Groups groups) {
    return of(groups, 7);
  }

  private static ScaledRun of(InterceptsByQuadrature.Groups groups, double radius) {
    ModelOfTable base =
        ModelOfTable.of(
            FamilySpec.of("logistic"),
            List.of("(Intercept)"),
            PriorConfig.of("normal(0, 2.5)", Map.of(), PriorConfig.Scale.STANDARDIZED),
            null);
    return new ScaledRun(
        InterceptsByQuadrature.rows(groups),
        base,
        List.of(InterceptsByQuadrature.intercepts(groups.rows().length, false)),
        radius);
  }

  /**
   * A slope's column about 5 ties intercepts at 0 to the slopes, with a correlation near −1. The
   * scales are found where the posterior has them, and mix: without the correlation the sd of the
   * intercepts was found 3 posterior sds too small.
   */
  @ParameterizedTest
  @ValueSource(strings = {"firefly", "metropolis"})
  void slopesOfAColumnFarFromZero(String algorithm) {
    int levels = 60;
    int each = 80;
    SplittableRandom random = new SplittableRandom(3);
    List<DataBlock> blocks = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      double middle = 0.3 * random.nextGaussian();
      double slope = 0.4 * random.nextGaussian();
      double[] x = new double[2 * each];
      double[] y = new double[each];
      for (int i = 0; i < each; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = 5 + random.nextGaussian();
        double eta = middle + (0.5 + slope) * (x[2 * i + 1] - 5);
        y[i] = random.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
      }
      long[] keys = new long[each];
      Arrays.fill(keys, level);
      blocks.add(new DenseBlock(level, 2, x, y, null).grouped(new long[][] {keys}));
    }
    GroupingEffects effects =
        new GroupingEffects(
            "g", List.of("(Intercept)", "x"), PriorParser.parse("half_normal(0, 3)"), 1);
    ScaledRun run =
        new ScaledRun(
            blocks,
            ModelOfTable.of(
                FamilySpec.of("logistic"),
                List.of("(Intercept)", "x"),
                PriorConfig.of("normal(0, 10)", Map.of(), PriorConfig.Scale.STANDARDIZED),
                null),
            List.of(new TableEffects(effects, 0, new int[] {-1, 1}, new double[2], levels, false)),
            Math.sqrt(2 + 2 * levels) + 4);
    RunResult result =
        run.run(Map.of("algorithm", algorithm, "chains", 4, "warmup", 300, "draws", 500));
    for (int k = 0; k < 3; k++) {
      int element = 2 + k;
      DoubleUnaryOperator phi = k < 2 ? Math::log : r -> 0.5 * Math.log((1 + r) / (1 - r));
      VariableSummary summary =
          VariableSummary.of(
              "phi",
              result.chains().stream()
                  .map(
                      chain ->
                          chain.draws().stream()
                              .mapToDouble(theta -> phi.applyAsDouble(theta[element]))
                              .toArray())
                  .toArray(double[][]::new));
      String told = algorithm + " φ_" + k + " " + run.fit().phi()[k] + " for " + summary;
      assertEquals(summary.mean(), run.fit().phi()[k], summary.sd(), told);
      assertTrue(summary.mixing().essBulk() > 200 && summary.mixing().rhat() < 1.03, told);
    }
  }

  /** Bridge sampling over β, all effects and the log of their sd; false-alarm rate 10⁻⁴. */
  @ParameterizedTest
  @ValueSource(strings = {"firefly", "metropolis"})
  void theEvidenceIntegratesOverEffectsAndTheirScale(String algorithm) {
    Map<String, Double> found =
        of(InterceptsByQuadrature.EIGHT)
            .evidence(Map.of("algorithm", algorithm, "chains", 4, "warmup", 500, "draws", 1000))
            .figures();
    double error = Objects.requireNonNull(found.get(Decision.STANDARD_ERROR));
    double exact = InterceptsByQuadrature.exact(InterceptsByQuadrature.EIGHT)[4];
    System.out.println("proof | evidence with random effects: " + found + " beside " + exact);
    assertEquals(exact, Objects.requireNonNull(found.get(Decision.LOG_EVIDENCE)), 4 * error);
    assertTrue(error < 0.1, found::toString);
  }

  private static void assertNear(
      RunResult result, String algorithm, int k, double mean, double sd) {
    double[][] draws =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[k]).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of("x", draws);
    System.out.printf(
        "proof | effects as coefficients against quadrature, %s, element %d | %.5f for %.5f, sd"
            + " %.5f for %.5f, ESS %.0f%n",
        algorithm, k, summary.mean(), mean, summary.sd(), sd, summary.mixing().essBulk());
    assertTrue(summary.mixing().rhat() < 1.01, summary.toString());
    double error = sd / Math.sqrt(summary.mixing().essBulk());
    assertEquals(mean, summary.mean(), 5 * error);
    assertEquals(sd, summary.sd(), 5 * error);
  }
}
