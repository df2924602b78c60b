package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.PriorConfig;
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
