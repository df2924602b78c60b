package org.lampyris.samplers.shards;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** Shards of a logistic regression, whose subposteriors are nearly normal, beside all its rows. */
class ShardsAlgorithmTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final MemoryRun TABLE =
      new MemoryRun(LogisticTable.blocks(500, 3000, false), NAMES, Map.of());
  private static final RunResult EXACT = TABLE.run(sampler("metropolis", Map.of(), 3000));

  private static Map<String, Object> sampler(String algorithm, Map<String, ?> shards, int draws) {
    Map<String, Object> sampler = new LinkedHashMap<>();
    sampler.put("algorithm", algorithm);
    sampler.put("chains", 2);
    sampler.put("warmup", 200);
    sampler.put("draws", draws);
    sampler.put("seed", 5);
    ConfigNode section = MemoryRun.mapping(shards);
    sampler.put("shards", section);
    return sampler;
  }

  private static RunResult run(Map<String, ?> shards) {
    return TABLE.run(sampler("shards", shards, 1500));
  }

  private static VariableSummary summary(RunResult run, int j) {
    return VariableSummary.of(
        NAMES.get(j),
        run.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[j]).toArray())
            .toArray(double[][]::new));
  }

  /**
   * Means within so many posterior sds of those of all rows, and sds within so large a share, and
   * four Monte-Carlo standard errors, which are large where a chain over the shards' draws mixes
   * badly.
   */
  @ParameterizedTest
  @CsvSource({
    "consensus, 0.2, 0.08",
    "gaussian-product, 0.2, 0.08",
    "kernel-product, 0.2, 0.2",
    "semiparametric, 0.45, 0.3",
    "weierstrass, 0.2, 0.1",
    "ep, 0.1, 0.08",
    "exact, 0.06, 0.03",
    "importance, 0.06, 0.03",
    "wasp, 0.3, 0.1",
    "wasp-marginal, 0.3, 0.12"
  })
  void combinedDrawsAreNearThoseOfAllRows(String combine, double shift, double ratio) {
    Map<String, Object> shards =
        new LinkedHashMap<>(Map.of("count", 4, "combine", combine, "rounds", 4));
    if (combine.equals("semiparametric")) {
      shards.put("bandwidth", 2); // with less, it hardly moves
    }
    RunResult run = run(shards);
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary exact = summary(EXACT, j);
      VariableSummary here = summary(run, j);
      double chance = 4 * here.mixing().mcseMean();
      double ofSd = 4 * here.mixing().mcseSd() / here.sd();
      assertEquals(exact.mean(), here.mean(), shift * exact.sd() + chance, combine + " of " + j);
      assertEquals(0, Math.log(here.sd() / exact.sd()), ratio + ofSd, combine + " of " + j);
    }
    assertTrue(
        run.decisions().get(0).text().startsWith("4 shards of 750 to 750 rows, "),
        run.decisions()::toString);
  }

  /** A prior that says as much as the rows: taken S times, or not at all, it moves the mean. */
  @ParameterizedTest
  @CsvSource({"consensus, 0.2", "ep, 0.15", "wasp-marginal, 0.35"})
  void thePriorCountsOnce(String combine, double shift) {
    Map<String, String> priors =
        Map.of("a", "normal(0.6, 0.04)", "b", "laplace(-1, 0.04)", "c", "normal(0, 0.04)");
    MemoryRun run = new MemoryRun(LogisticTable.blocks(500, 3000, false), NAMES, priors);
    RunResult exact = run.run(sampler("metropolis", Map.of(), 3000));
    RunResult shards =
        run.run(sampler("shards", Map.of("count", 4, "combine", combine, "rounds", 4), 1500));
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary all = summary(exact, j);
      assertTrue(Math.abs(all.mean() - summary(EXACT, j).mean()) > 0.8 * all.sd());
      assertEquals(all.mean(), summary(shards, j).mean(), shift * all.sd(), combine + " of " + j);
      assertEquals(0, Math.log(summary(shards, j).sd() / all.sd()), 0.12, combine + " of " + j);
    }
  }

  @Test
  void refinedDrawsAreNearThoseOfAllRows() {
    Map<String, ?> shards = Map.of("count", 4, "combine", "weierstrass-gibbs", "rounds", 4);
    RunResult run = TABLE.run(sampler("shards", shards, 1000));
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary exact = summary(EXACT, j);
      VariableSummary here = summary(run, j);
      assertEquals(exact.mean(), here.mean(), 0.25 * exact.sd());
      assertEquals(0, Math.log(here.sd() / exact.sd()), 0.2);
    }
  }

  /** A mixture of raised subposteriors, whose centres are about √S posterior sds apart. */
  @Test
  void theMedianPosteriorIsWiderThanThePosterior() {
    RunResult run = run(Map.of("count", 4, "combine", "m-posterior"));
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary exact = summary(EXACT, j);
      assertEquals(exact.mean(), summary(run, j).mean(), 2 * exact.sd());
      double ratio = summary(run, j).sd() / exact.sd();
      assertTrue(ratio > 0.9 && ratio < 3.5, "sd of " + j + ": " + ratio);
    }
  }

  @Test
  void oneShardIsTheTable() {
    RunResult consensus = run(Map.of("count", 1));
    RunResult wasp = run(Map.of("count", 1, "combine", "wasp"));
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary exact = summary(EXACT, j);
      assertEquals(exact.mean(), summary(consensus, j).mean(), 0.12 * exact.sd());
      assertEquals(exact.sd(), summary(consensus, j).sd(), 0.08 * exact.sd());
      assertEquals(summary(consensus, j), summary(wasp, j));
    }
  }

  @Test
  void aRunTellsWhatSpeaksAgainstIt() {
    List<Decision> decisions = run(Map.of("count", 4)).decisions();
    assertTrue(
        decisions.stream().anyMatch(one -> one.text().startsWith("subposteriors: cochran_q ")),
        decisions::toString);
    assertTrue(
        decisions.stream().noneMatch(decision -> decision.topic().equals(Decision.FOUND)),
        decisions::toString);
  }

  @Test
  void chainsOnShardsMayBeFirefly() {
    RunResult full = run(Map.of("count", 2));
    RunResult firefly = run(Map.of("count", 2, "algorithm", "firefly"));
    for (int j = 0; j < NAMES.size(); j++) {
      VariableSummary exact = summary(EXACT, j);
      assertEquals(exact.mean(), summary(firefly, j).mean(), 0.2 * exact.sd());
      assertEquals(0, Math.log(summary(firefly, j).sd() / exact.sd()), 0.12);
    }
    assertTrue(10 * evaluations(firefly) < evaluations(full));
  }

  private static long evaluations(RunResult run) {
    return run.chains().stream()
        .flatMap(chain -> chain.sampling().stream())
        .mapToLong(step -> step.info().likelihoodEvaluations())
        .sum();
  }

  @ParameterizedTest
  @CsvSource({"consensus", "semiparametric", "ep", "exact"})
  void keptDrawsCombineToTheSame(String combine) {
    Map<String, ?> sampler =
        sampler("shards", Map.of("count", 3, "combine", combine, "rounds", 2), 300);
    RunResult first = TABLE.run(sampler);
    SamplerSettings settings = MemoryRun.settings(sampler);
    RunResult again =
        new ShardsAlgorithm()
            .recombine(
                TABLE.context(sampler), settings.own(), Objects.requireNonNull(first.parts()));
    for (int c = 0; c < 2; c++) {
      assertArrayEquals(
          first.chains().get(c).draws().toArray(double[][]::new),
          again.chains().get(c).draws().toArray(double[][]::new));
    }
    SamplerSettings raised =
        MemoryRun.settings(sampler("shards", Map.of("count", 3, "combine", "wasp"), 300));
    RunResult.Parts parts = Objects.requireNonNull(first.parts());
    assertMessage(
        "Sample again",
        () -> new ShardsAlgorithm().recombine(TABLE.context(sampler), raised.own(), parts));
    SamplerSettings four =
        MemoryRun.settings(sampler("shards", Map.of("count", 4, "combine", combine), 300));
    assertMessage(
        "sampler.shards.count: 3",
        () -> new ShardsAlgorithm().recombine(TABLE.context(sampler), four.own(), parts));
  }

  @Test
  void whatCannotBeIsRefused() {
    MemoryRun heavy =
        new MemoryRun(
            LogisticTable.blocks(500, 1000, false), NAMES, Map.of("b", "student_t(3, 0, 1)"));
    assertMessage(
        "of b is improper at powers of 0.250 or below. Choose at most 3 shards",
        () -> heavy.run(sampler("shards", Map.of("count", 4), 10)));
    heavy.run(sampler("shards", Map.of("count", 3), 10));
    assertMessage("3,001 shards are more than the rows", () -> run(Map.of("count", 3001)));
    MemoryRun flat =
        new MemoryRun(
            LogisticTable.blocks(500, 1000, false),
            NAMES,
            Map.of("a", "flat", "b", "flat", "c", "flat"));
    assertMessage(
        "Choose a smaller sampler.shards.count.",
        () -> flat.run(sampler("shards", Map.of("count", 400), 10)));
    Map<String, Object> prior = sampler("shards", Map.of(), 10);
    prior.put("init", "prior");
    assertMessage("sampler.init: prior", () -> TABLE.run(prior));
  }

  private static void assertMessage(String part, Executable run) {
    String message = String.valueOf(assertThrows(UserException.class, run).getMessage());
    assertTrue(message.contains(part), message);
  }

  @ParameterizedTest
  @CsvSource({"RANDOM", "INPUT"})
  void everyRowIsOfOneShard(ShardsSettings.From from) {
    int shards = 7;
    RowSplit split = new RowSplit(from, shards, 2, TABLE.context(Map.of()).table(), 3);
    int[] sizes = new int[shards];
    LogisticTable.blocks(500, 3000, false)
        .forEach(
            block -> {
              int[] seen = new int[block.rows()];
              for (int shard = 0; shard < shards; shard++) {
                int[] rows = split.rows(block, 2 * shard);
                assertArrayEquals(rows, split.rows(block, 2 * shard + 1));
                IntStream.of(rows).forEach(row -> seen[row]++);
                sizes[shard] += rows.length;
              }
              assertTrue(IntStream.of(seen).allMatch(times -> times == 1));
            });
    for (int size : sizes) {
      assertEquals(3000.0 / shards, size, from == ShardsSettings.From.RANDOM ? 6 : 1);
    }
  }
}
