package org.lampyris.samplers.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

class AutoChoiceTest {
  private static final int ROWS = 10_000;
  private static final int DIMENSION = 3;

  /** What a run by {@code auto} leaves behind. */
  private record Auto(List<String> lines, RunResult result) {}

  private static Auto auto(double radius, String plan) {
    MemoryRun run =
        new MemoryRun(LogisticTable.blocks(500, ROWS, false), List.of("a", "b", "c"), Map.of());
    SamplerSettings settings =
        MemoryRun.settings(
            Map.of(
                "algorithm",
                "auto",
                "plan",
                plan,
                "chains",
                2,
                "warmup",
                300,
                "draws",
                20,
                "subsampling",
                MemoryRun.mapping(Map.of("radius", radius))));
    List<String> lines = new ArrayList<>();
    AutoChoice choice =
        byEvaluations(AutoChoice.of(settings, run.context(settings, new RunProgress.Silent())));
    while (true) {
      lines.add(choice.why().text());
      SamplerSettings chosen = choice.settings();
      try {
        RunProgress watched = choice.watching(new RunProgress.Silent());
        return new Auto(
            lines, chosen.type().orElseThrow().run(run.context(chosen, watched), chosen.own()));
      } catch (CostWatch.Dearer dearer) {
        choice = choice.leaving(dearer);
      }
    }
  }

  /** Returns the choice among chains that counts evaluations alone, by which mhss comes first. */
  private static AutoChoice byEvaluations(AutoChoice choice) {
    return AutoChoice.of(
        choice.wanted(),
        choice.candidates().stream()
            .filter(one -> !one.algorithm().has(Trait.INDEPENDENT))
            .map(
                one ->
                    new AutoChoice.Candidate(
                        one.algorithm(),
                        new ExpectedCost(
                            0, 0, 1, one.cost().evaluations(), one.cost().iterations())))
            .toList(),
        choice.rows(),
        false);
  }

  @Test
  void aRunWithinTheBallGoesOn() {
    Auto auto = auto(7, "segment");
    assertEquals(1, auto.lines().size(), auto.lines()::toString);
    assertTrue(auto.lines().get(0).startsWith("algorithm: mhss (expected"), auto.lines().get(0));
  }

  /** A ball that leaves out a tenth of the posterior, whichever way iterations are made. */
  @ParameterizedTest
  @ValueSource(strings = {"segment", "stepwise"})
  void aRunThatIsOftenOutsideIsLeftForACheaperOne(String plan) {
    Auto auto = auto(2.5, plan);
    assertTrue(auto.lines().get(0).startsWith("algorithm: mhss (expected"), auto.lines().get(0));
    String line = auto.lines().get(1);
    assertTrue(line.startsWith("algorithm: firefly (expected: firefly"), line);
    assertTrue(line.contains(". The warm-up of mhss took "), line);
    assertEquals(2, auto.lines().size(), line);
    long evaluations =
        auto.result().chains().stream()
            .flatMap(chain -> chain.sampling().stream())
            .mapToLong(iteration -> iteration.info().likelihoodEvaluations())
            .sum();
    assertTrue(evaluations < ROWS, "evaluations: " + evaluations);
  }

  /** All rows speak before a draw is made: then perfect draws are left, or made. */
  @Test
  void perfectDrawsAreLeftIfTheirSampleOfRowsPromisedTooMuch() {
    MemoryRun run =
        new MemoryRun(LogisticTable.blocks(500, ROWS, false), List.of("a", "b", "c"), Map.of());
    SamplerSettings settings =
        MemoryRun.settings(Map.of("algorithm", "auto", "chains", 2, "warmup", 300, "draws", 200));
    AutoChoice choice = AutoChoice.of(settings, run.context(settings, new RunProgress.Silent()));
    assertTrue(choice.why().text().startsWith("algorithm: perfect (expected"), choice.why().text());
    ExpectedCost expected = choice.candidates().get(0).cost();
    double evaluations =
        ran(run, choice).chains().stream()
            .flatMap(chain -> chain.sampling().stream())
            .mapToLong(iteration -> iteration.info().likelihoodEvaluations())
            .average()
            .orElseThrow();
    assertEquals(1, evaluations / expected.evaluations(), 0.3, "expected " + expected);
    AutoChoice cheap =
        AutoChoice.of(
            settings,
            choice.candidates().stream()
                .map(
                    one ->
                        new AutoChoice.Candidate(
                            one.algorithm(),
                            new ExpectedCost(
                                0, 0, 1, one.algorithm().has(Trait.INDEPENDENT) ? 0.01 : 0.02, 1)))
                .toList(),
            ROWS,
            false);
    CostWatch.Dearer dearer = assertThrows(CostWatch.Dearer.class, () -> ran(run, cheap));
    String line = cheap.leaving(dearer).why().text();
    assertTrue(line.startsWith("algorithm: firefly (expected: firefly"), line);
    assertTrue(line.contains("All rows show that perfect would take "), line);
    assertTrue(line.contains(" likelihood evaluations a draw, and 0.0100 were expected. "), line);
  }

  private static RunResult ran(MemoryRun run, AutoChoice choice) {
    SamplerSettings chosen = choice.settings();
    return chosen
        .type()
        .orElseThrow()
        .run(run.context(chosen, choice.watching(new RunProgress.Silent())), chosen.own());
  }

  private static AutoChoice choice(int rows, Map<String, ?> keys) {
    return choice(
        new MemoryRun(LogisticTable.blocks(500, rows, false), List.of("a", "b", "c"), Map.of()),
        keys);
  }

  private static AutoChoice choice(MemoryRun run, Map<String, ?> keys) {
    Map<String, Object> all = new HashMap<>(keys);
    all.put("algorithm", "auto");
    SamplerSettings settings = MemoryRun.settings(all);
    return AutoChoice.of(settings, run.context(settings, new RunProgress.Silent()));
  }

  private static boolean offersIndependentDraws(AutoChoice choice) {
    return choice.candidates().stream().anyMatch(one -> one.algorithm().has(Trait.INDEPENDENT));
  }

  /** A user's kernel is for a chain, and so are thinning, starting points and plans. */
  @Test
  void chainsAreKeptForSmallTablesAndForTheirKeys() {
    assertTrue(offersIndependentDraws(choice(ROWS, Map.of())));
    assertFalse(offersIndependentDraws(choice(500, Map.of())), "a small table");
    for (Map<String, ?> keys :
        List.of(
            Map.of("kernel", "hmc"),
            Map.of("thin", 2),
            Map.of("step_size", 0.5),
            Map.of("init", "overdispersed"),
            Map.of("plan", "stepwise"))) {
      assertFalse(offersIndependentDraws(choice(ROWS, keys)), keys::toString);
    }
  }

  /** On a table of few rows they must be much cheaper than chains: with 3 columns, not with 21. */
  @Test
  void smallTablesHaveIndependentDrawsThatAreMuchCheaper() {
    AutoChoice few = choice(1_000, Map.of());
    assertTrue(few.candidates().get(0).algorithm().has(Trait.INDEPENDENT), few.why().text());
    int columns = 21;
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int id = 0; id < 6; id++) {
      double[] x = new double[500 * columns];
      double[] y = new double[500];
      Arrays.setAll(x, i -> rng.nextDouble(-1.7, 1.7));
      Arrays.setAll(y, i -> rng.nextDouble() < 1 / (1 + Math.exp(-x[columns * i])) ? 1 : -1);
      blocks.add(new DenseBlock(id, columns, x, y, null));
    }
    List<String> names = IntStream.range(0, columns).mapToObj(j -> "x" + j).toList();
    AutoChoice many = choice(new MemoryRun(blocks, names, Map.of()).inBallByDefault(), Map.of());
    assertFalse(offersIndependentDraws(many), many.why().text());
  }

  /** The evidence takes 1,000 passes if chains have drawn; independent draws bring it. */
  @Test
  void theEvidenceIsPartOfTheCost() {
    AutoChoice without = choice(ROWS, Map.of());
    AutoChoice with = choice(ROWS, Map.of("evidence", "bridge"));
    for (AutoChoice.Candidate one : with.candidates()) {
      AutoChoice.Candidate before =
          without.candidates().stream()
              .filter(other -> other.algorithm().name().equals(one.algorithm().name()))
              .findFirst()
              .orElseThrow();
      double passes =
          (one.cost().setup() - before.cost().setup()) / ROWS / (0.5 + DIMENSION / 40.0);
      assertEquals(one.algorithm().has(Trait.INDEPENDENT) ? 0 : 1000, passes, 1e-6);
    }
  }

  private static final int ITERATIONS = 1_000;

  /** Returns the iteration at which a watch ends a chain; 0 if it does not. */
  private static int endsAt(double most, boolean segments, LongStream evaluations) {
    RunProgress.Chains watched =
        new CostWatch(new RunProgress.Silent(), 100, most)
            .chains(1, new ChainRunner.Length(ITERATIONS, 1, 1, 0.8));
    ChainTrace trace = new ChainTrace(1);
    int i = 0;
    for (long each : evaluations.limit(ITERATIONS).toArray()) {
      StepInfo info = new StepInfo(1, each, false);
      i++;
      try {
        if (segments) {
          trace.addWarmup(new ChainTrace.Iteration(info, 0));
          if (i % 2 == 0) {
            watched.within(trace);
          }
          if (i % 7 == 0) {
            watched.segment(List.of(trace));
            trace = new ChainTrace(1);
          }
        } else {
          watched.iteration(1, i, info);
        }
      } catch (CostWatch.Dearer dearer) {
        return i;
      }
    }
    return 0;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChainIsLookedAtWhenItHasReadAllRowsOften(boolean segments) {
    // 50 passes are 5,000 evaluations: the first look tells nothing, the second ends the run.
    assertEquals(10, endsAt(999, segments, LongStream.generate(() -> 1_000)));
    // Seldom outside: 20 iterations in 100 that read all rows ten times.
    assertEquals(
        0,
        endsAt(999, segments, LongStream.range(0, ITERATIONS).map(n -> n % 100 < 80 ? 1 : 1_000)));
    assertEquals(0, endsAt(1_000, segments, LongStream.generate(() -> 1_000)));
    // What it cost to come in does not count, nor what is too little to be looked at.
    assertEquals(
        0, endsAt(9, segments, LongStream.iterate(6_000, last -> Math.max(8, last - 6_000))));
    assertEquals(0, endsAt(1, segments, LongStream.generate(() -> 4)));
    // What a chain does later counts, once it is dear by all iterations.
    assertEquals(
        128,
        endsAt(
            400,
            segments,
            LongStream.concat(
                LongStream.generate(() -> 100).limit(100), LongStream.generate(() -> 2_500))));
  }
}
