package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;
import org.lampyris.samplers.testdata.StoppingCheckpoints;

/**
 * Every registered algorithm that can go on, in both plans: ended after each checkpoint that it may
 * keep, in warm-up and sampling, and gone on from its bytes, it leaves the same behind as a run
 * that was not ended, to the bit.
 */
class ResumeTest {
  /**
   * A plan and the length of chains. By questions, they may be halted after 8, 40, 168 …
   * iterations; in segments after 256, 1,280 … and at the end of the warm-up.
   */
  private record Way(String plan, int warmup, int draws) {}

  private static final List<Way> WAYS =
      List.of(
          new Way("segment", 300, 300), new Way("stepwise", 60, 200), new Way("segment", 20, 1100));

  private static final Map<String, Map<String, ?>> OWN =
      Map.of(
          "austerity", Map.of("austerity", MemoryRun.mapping(Map.of("batch", 30, "epsilon", 0.1))),
          "confidence", Map.of("confidence", MemoryRun.mapping(Map.of("points", 5))),
          "mhss", Map.of("subsampling", MemoryRun.mapping(Map.of("points", 5))),
          "sgld", Map.of("sgld", MemoryRun.mapping(Map.of("batch", 30, "decay", 0.33))),
          "naive-subsampling", Map.of("baseline", MemoryRun.mapping(Map.of("fraction", 0.2))),
          "rhee-glynn", Map.of("baseline", MemoryRun.mapping(Map.of("batch", 20))));

  private static final List<DataBlock> ROWS =
      LogisticTable.blocks(LogisticTable.BLOCK_ROWS, LogisticTable.ROWS, false);

  private static final MemoryRun LOGISTIC = new MemoryRun(ROWS, List.of("a", "b", "c"), Map.of());
  private static final MemoryRun ROBUST =
      new MemoryRun(
          FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0),
          ROWS,
          List.of("a", "b", "c"),
          Map.of());

  static Stream<Arguments> cases() {
    return SamplingAlgorithm.registry().all().stream()
        .filter(one -> !one.has(Trait.NOT_RESUMED) && !one.has(Trait.DRAWS_EFFECTS))
        .filter(one -> !one.needs().contains(Need.PROGRAM))
        .flatMap(
            one ->
                WAYS.stream()
                    .filter(way -> one.has(Trait.FEW_ROWS) || way.plan.equals("stepwise"))
                    .map(way -> Arguments.of(one.name(), way)));
  }

  /** One way for each algorithm; {@code -Dlampyris.validation=all} has them all. */
  static Stream<Arguments> someCases() {
    if ("all".equals(System.getProperty("lampyris.validation"))) {
      return cases();
    }
    Set<Object> algorithms = new HashSet<>();
    return cases().filter(one -> algorithms.add(one.get()[0]));
  }

  private static Map<String, Object> sampler(String algorithm, Way way) {
    Map<String, Object> keys = new LinkedHashMap<>(OWN.getOrDefault(algorithm, Map.of()));
    keys.put("algorithm", algorithm);
    keys.put("plan", way.plan);
    keys.put("chains", 2);
    keys.put("warmup", way.warmup);
    keys.put("draws", way.draws);
    return keys;
  }

  private static RunResult run(String algorithm, Way way, Checkpoints checkpoints) {
    SamplerSettings settings = MemoryRun.settings(sampler(algorithm, way));
    RunInputs.Outlets outlets =
        new RunInputs.Outlets(new RunProgress.Silent(), new EffectSink.None(), checkpoints);
    MemoryRun run = algorithm.equals("pseudo-marginal-firefly") ? ROBUST : LOGISTIC;
    return settings.type().orElseThrow().run(run.context(settings, outlets), settings.own());
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cases")
  void endedAnywhereAndResumedIsTheSame(String algorithm, Way way) {
    RunResult expected = run(algorithm, way, new Checkpoints.None());
    StoppingCheckpoints whole = StoppingCheckpoints.after(0);
    assertSame(expected, run(algorithm, way, whole));
    List<Long> moments = whole.iterations();
    assertTrue(moments.size() >= 3, moments::toString);
    int warmup = MemoryRun.settings(sampler(algorithm, way)).run().warmup();
    assertEquals(warmup + way.draws, moments.get(moments.size() - 1));
    int ends =
        StoppingCheckpoints.endEach(
            first -> run(algorithm, way, first),
            first -> assertSame(expected, run(algorithm, way, first.resumed(0))));
    assertTrue(ends >= 3, ends + " ends");
  }

  /** Ended again after every checkpoint that it has got to. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("someCases")
  void endedAgainAndAgainIsTheSame(String algorithm, Way way) {
    RunResult expected = run(algorithm, way, new Checkpoints.None());
    StoppingCheckpoints now = StoppingCheckpoints.after(1);
    RunResult result = null;
    int ends = 0;
    while (result == null) {
      try {
        result = run(algorithm, way, now);
      } catch (StoppingCheckpoints.Stopped stopped) {
        now = now.resumed(1);
        ends++;
      }
    }
    assertTrue(ends > 1, ends + " ends");
    assertSame(expected, result);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("someCases")
  void aFinishedRunIsExtended(String algorithm, Way way) {
    StoppingCheckpoints first = StoppingCheckpoints.after(0);
    run(algorithm, new Way(way.plan, way.warmup, way.draws / 2), first);
    assertSame(run(algorithm, way, new Checkpoints.None()), run(algorithm, way, first.resumed(0)));
  }

  static void assertSame(RunResult expected, RunResult actual) {
    assertEquals(expected.chains().size(), actual.chains().size());
    for (int c = 0; c < expected.chains().size(); c++) {
      ChainTrace one = expected.chains().get(c);
      ChainTrace other = actual.chains().get(c);
      assertEquals(one.size(), other.size());
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.draws().get(i), other.draws().get(i), "draw " + i);
      }
      assertEquals(one.logDensities(), other.logDensities());
      assertEquals(one.stepSize(), other.stepSize());
      assertEquals(one.initialEvaluations(), other.initialEvaluations());
      assertEquals(infos(one.warmup()), infos(other.warmup()));
      assertEquals(infos(one.sampling()), infos(other.sampling()));
    }
    assertEquals(expected.bias(), actual.bias());
  }

  private static List<StepInfo> infos(List<ChainTrace.Iteration> iterations) {
    List<StepInfo> infos = new ArrayList<>();
    iterations.forEach(iteration -> infos.add(iteration.info()));
    return infos;
  }
}
