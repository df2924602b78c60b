package org.lampyris.samplers.perfect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.testdata.MemoryRun;

/** The evidence from kept draws, by bridge sampling, against quadrature. */
class BridgeSamplingTest {
  private static Decision evidence(PerfectCase table, Map<String, ?> keys) {
    Map<String, Object> all = new HashMap<>(Map.of("chains", 2, "warmup", 100, "draws", 300));
    all.putAll(keys);
    SamplerSettings settings = MemoryRun.settings(all);
    SamplingContext context = table.run().context(all);
    return BridgeSampling.evidence(
        settings, context, settings.type().orElseThrow().run(context, settings.own()).chains());
  }

  /** Six seeds, so that errors that are too small would show; false-alarm rate 10⁻⁵ in all. */
  @ParameterizedTest
  @ValueSource(strings = {"metropolis", "firefly"})
  void itIsTheQuadratures(String algorithm) {
    PerfectCase table = PerfectCase.logistic(150, Map.of());
    double exact = table.logEvidence();
    double squares = 0;
    for (int seed = 1; seed <= 6; seed++) {
      Map<String, Double> found =
          evidence(table, Map.of("algorithm", algorithm, "seed", seed)).figures();
      double z =
          (PerfectCase.figure(found, Decision.LOG_EVIDENCE) - exact)
              / PerfectCase.figure(found, Decision.STANDARD_ERROR);
      assertTrue(Math.abs(z) < 5, algorithm + ": " + found + " beside " + exact);
      assertTrue(PerfectCase.figure(found, Decision.STANDARD_ERROR) < 0.05, found::toString);
      squares += z * z;
    }
    // The 10⁻⁵ quantiles of a χ² variable with six degrees of freedom.
    assertTrue(squares > 0.07 && squares < 33, algorithm + ": χ² " + squares);
  }

  /** A scale that is sampled, which perfect draws do not allow. */
  @Test
  void aSampledScaleIsIntegratedOut() {
    PerfectCase table =
        PerfectCase.of(
            FamilySpec.of("gaussian").with("sigma", "exponential(1)"),
            100,
            false,
            Map.of("x", "normal(0.1, 0.2)"),
            (eta, u) -> eta + 2 * u - 1);
    Map<String, Double> found = evidence(table, Map.of("algorithm", "metropolis")).figures();
    double error = PerfectCase.figure(found, Decision.STANDARD_ERROR);
    assertEquals(table.logEvidence(), PerfectCase.figure(found, Decision.LOG_EVIDENCE), 5 * error);
    assertTrue(error < 0.05, found::toString);
  }

  @Test
  void whatHasNoEvidenceIsSaid() {
    PerfectCase flat = PerfectCase.logistic(150, Map.of("x", "flat"));
    PerfectCase proper = PerfectCase.logistic(150, Map.of());
    for (List<Object> one :
        List.<List<Object>>of(
            List.of(flat, Map.of("algorithm", "metropolis"), "the prior of x is improper"),
            List.of(proper, Map.of("algorithm", "metropolis", "draws", 30), "takes 40 draws"),
            List.of(proper, Map.of("algorithm", "variable-selection"), "draws of variable-sel"))) {
      @SuppressWarnings("unchecked")
      Map<String, Object> keys = (Map<String, Object>) one.get(1);
      Decision found = evidence((PerfectCase) one.get(0), keys);
      assertTrue(found.figures().isEmpty(), found.text());
      assertTrue(found.text().contains((String) one.get(2)), found.text());
    }
  }
}
