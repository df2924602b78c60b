package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** Algorithms by batches, as one question at a time and in segments: the same draws, to the bit. */
class MinibatchRunTest {
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b");

  /** 1.1 MB: more than a pool of 1 MiB holds. */
  private static final MemoryRun LARGE =
      new MemoryRun(LogisticTable.blocks(4096, 34_000, false), COLUMNS, Map.of());

  private static final MemoryRun SMALL =
      new MemoryRun(LogisticTable.blocks(20, 507, true), COLUMNS, Map.of());

  private static final MemoryRun ROBUST =
      new MemoryRun(
          FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0),
          LogisticTable.blocks(20, 27, false),
          COLUMNS,
          Map.of());

  /** An algorithm with the keys of its section. */
  private record Case(String algorithm, String section, Map<String, ?> own) {}

  static Stream<Case> algorithms() {
    return Stream.of(
        new Case("austerity", "austerity", Map.of("batch", 100, "epsilon", 0.05)),
        new Case(
            "austerity", "austerity", Map.of("batch", 50, "proxy", "mode", "gradient_rows", 60)),
        new Case("confidence", "confidence", Map.of()),
        new Case("confidence", "confidence", Map.of("proxy", "dropped", "drop_every", 7)),
        new Case("confidence", "confidence", Map.of("points", 9)),
        new Case("sgld", "sgld", Map.of("batch", 80)),
        new Case("sgld", "sgld", Map.of("control_variates", false, "step", 0.01, "decay", 0.33)),
        new Case("sgld", "sgld", Map.of("batch", 80, "dynamics", "hamiltonian")),
        new Case(
            "sgld",
            "sgld",
            Map.of("batch", 60, "control_variates", false, "dynamics", "fisher", "step", 0.01)),
        new Case("sgld", "sgld", Map.of("batch", 60, "corrector", "austerity", "epsilon", 0.1)),
        new Case("delayed-acceptance", "delayed_acceptance", Map.of("batches", 4)),
        new Case("variable-selection", "variable_selection", Map.of("start", "all")),
        new Case(
            "variable-selection",
            "variable_selection",
            Map.of("test", "sequential", "batch", 60, "epsilon", 0.1, "size", 2)),
        new Case("penalty", "baseline", Map.of("batch", 300)),
        new Case("noise-exchange", "baseline", Map.of("batch", 50)),
        new Case("noise-exchange", "baseline", Map.of("batch", 20, "replacement", true)),
        new Case("rhee-glynn", "baseline", Map.of("batch", 20, "truncation", 0.5)),
        new Case("difference-estimator", "baseline", Map.of("variance", 0.01)),
        new Case("naive-subsampling", "baseline", Map.of("fraction", 0.02)));
  }

  private static Map<String, Object> keys(Case what) {
    Map<String, Object> keys =
        new HashMap<>(Map.of("algorithm", what.algorithm, "chains", 2, "seed", 4));
    keys.put(what.section, MemoryRun.mapping(what.own));
    keys.putAll(Map.of("warmup", 15, "draws", 40, "thin", 2, "pool_mib", 1));
    if (what.own.containsKey("gradient_rows")) {
      keys.put("kernel", "mala");
    }
    return keys;
  }

  private static RunResult run(MemoryRun table, Map<String, Object> keys, String plan) {
    Map<String, Object> planned = new HashMap<>(keys);
    planned.put("plan", plan);
    return table.run(planned);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void segmentsDrawTheSame(Case algorithm) {
    for (MemoryRun table : List.of(SMALL, LARGE)) {
      Map<String, Object> keys = keys(algorithm);
      if (table == LARGE) {
        keys.putAll(Map.of("warmup", 4, "draws", 6));
      }
      RunResult expected = run(table, keys, "stepwise");
      RunResult actual = run(table, keys, "segment");
      assertTrue(actual.decisions().toString().contains("segments"), "" + actual.decisions());
      for (int c = 0; c < 2; c++) {
        assertSame(expected.chains().get(c), actual.chains().get(c));
      }
      boolean moved =
          expected.chains().stream()
              .allMatch(c -> c.draws().stream().mapToDouble(d -> d[0]).distinct().count() > 1);
      // Of the large table, the baselines' small batches tell next to nothing.
      assertTrue(table == LARGE || moved, "a chain has not moved");
    }
  }

  @Test
  void segmentsDrawTheSameByEstimatesOfBounds() {
    Map<String, Object> keys =
        new HashMap<>(Map.of("algorithm", "pseudo-marginal-firefly", "warmup", 15, "draws", 40));
    RunResult expected = run(ROBUST, keys, "stepwise");
    RunResult actual = run(ROBUST, keys, "segment");
    assertSame(expected.chains().get(0), actual.chains().get(0));
    assertTrue(actual.decisions().toString().contains("rows are bright"));
  }

  /** Rows of earlier iterations are read again, so that segments carry all rows. */
  @Test
  void segmentsDrawTheSameGivenABatch() {
    Map<String, Object> keys =
        keys(new Case("difference-estimator", "baseline", Map.of("variance", 0.01, "blocks", 4)));
    keys.put("kernel", "hmc");
    RunResult expected = run(SMALL, keys, "stepwise");
    RunResult actual = run(SMALL, keys, "segment");
    assertTrue(actual.decisions().toString().contains("rows in each of 4 blocks"));
    for (int c = 0; c < 2; c++) {
      assertSame(expected.chains().get(c), actual.chains().get(c));
    }
    UserException refused = assertThrows(UserException.class, () -> run(LARGE, keys, "segment"));
    assertTrue(String.valueOf(refused.getMessage()).contains("sampler.pool_mib"));
  }

  @Test
  void aBoundWithoutAnIntegralIsRefused() {
    Map<String, Object> keys = Map.of("algorithm", "pseudo-marginal-firefly");
    UserException refused = assertThrows(UserException.class, () -> SMALL.run(keys));
    assertTrue(String.valueOf(refused.getMessage()).contains("integral"));
  }

  private static void assertSame(ChainTrace expected, ChainTrace actual) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.draws().get(i), actual.draws().get(i));
    }
    for (int i = 0; i < expected.sampling().size(); i++) {
      assertEquals(expected.sampling().get(i).info(), actual.sampling().get(i).info());
    }
  }

  /** The test looks at all rows where ε is 0, and the draws are those of Metropolis–Hastings. */
  @Test
  void withoutToleranceItIsMetropolisHastingsDecisionForDecision() {
    assertDecidesAsMetropolisHastings("austerity", Map.of("epsilon", 0));
  }

  /** A first look at all rows decides exactly, by the proxies about whichever point. */
  @Test
  void proxiesAboutSeveralPointsDecideAsMetropolisHastings() {
    assertDecidesAsMetropolisHastings("confidence", Map.of("points", 9, "batch", 507));
  }

  private static void assertDecidesAsMetropolisHastings(String algorithm, Map<String, ?> own) {
    Map<String, Object> keys =
        new HashMap<>(Map.of("warmup", 0, "draws", 300, "kernel", "random-walk", "step_size", 0.9));
    keys.put("algorithm", "metropolis");
    RunResult exact = SMALL.run(keys);
    keys.put("algorithm", algorithm);
    keys.put(algorithm, MemoryRun.mapping(own));
    RunResult tested = SMALL.run(keys);
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 300; i++) {
        assertArrayEquals(
            exact.chains().get(c).draws().get(i), tested.chains().get(c).draws().get(i));
      }
    }
  }

  /** The design goes by proposals that are made without a gradient. */
  @Test
  void aDesignForProposalsWithGradientsIsRefused() {
    Map<String, Object> keys =
        Map.of(
            "algorithm",
            "austerity",
            "kernel",
            "mala",
            "austerity",
            MemoryRun.mapping(Map.of("design", "average")));
    UserException refused = assertThrows(UserException.class, () -> SMALL.run(keys));
    assertTrue(String.valueOf(refused.getMessage()).contains("sampler.austerity.design"));
  }

  @Test
  void aKernelWithoutProposalIsRefused() {
    Map<String, Object> keys = Map.of("algorithm", "confidence", "kernel", "hmc");
    UserException refused = assertThrows(UserException.class, () -> SMALL.run(keys));
    assertTrue(String.valueOf(refused.getMessage()).contains("sampler.kernel"));
  }
}
