package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Random intercepts of a logistic regression without features against quadrature: over β and log sd
 * on a grid, and over each group's effect about its mode.
 */
class MultilevelTest {
  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(InterceptsByQuadrature.FEW, true),
        Arguments.of(InterceptsByQuadrature.FEW, false),
        Arguments.of(InterceptsByQuadrature.EIGHT, true),
        Arguments.of(InterceptsByQuadrature.UNBALANCED, true),
        Arguments.of(InterceptsByQuadrature.UNBALANCED, false));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void interceptsHaveThePosteriorOfQuadrature(
      InterceptsByQuadrature.Groups groups, boolean together) {
    MemoryRun run =
        new MemoryRun(InterceptsByQuadrature.rows(groups), List.of("(Intercept)"), Map.of());
    Map<String, Object> sampler =
        Map.of("algorithm", "multilevel", "chains", 4, "warmup", 300, "draws", 1500);
    RunResult result =
        MultilevelAlgorithm.run(
            run.context(sampler),
            new MultilevelAlgorithm.Settings(1, 1, 0),
            List.of(InterceptsByQuadrature.intercepts(groups.rows().length, together)));
    double[] exact = InterceptsByQuadrature.exact(groups);
    assertNear(result, 0, exact[0], exact[1]);
    assertNear(result, 1, exact[2], exact[3]);
  }

  private static void assertNear(RunResult result, int k, double mean, double sd) {
    double[][] draws =
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[k]).toArray())
            .toArray(double[][]::new);
    VariableSummary summary = VariableSummary.of("x", draws);
    System.out.println(
        "proof | random effects against quadrature, element "
            + k
            + " | "
            + summary.mean()
            + " for "
            + mean
            + ", sd "
            + summary.sd()
            + " for "
            + sd
            + ", ESS "
            + summary.mixing().essBulk());
    assertTrue(summary.mixing().rhat() < 1.01, summary.toString());
    assertEquals(mean, summary.mean(), 5 * sd / Math.sqrt(summary.mixing().essBulk()));
    assertEquals(sd, summary.sd(), 5 * sd / Math.sqrt(summary.mixing().essBulk()));
  }
}
