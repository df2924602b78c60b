package org.lampyris.samplers.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** {@code lp__} against log p(θ) + Σ_n log L_n(θ), row by row. */
class LogPosteriorsTest {
  private static final MemoryRun RUN =
      new MemoryRun(LogisticTable.blocks(), List.of("a", "b", "c"), Map.of());

  private static RunResult run(String algorithm) {
    return RUN.run(
        Map.of(
            "algorithm", algorithm,
            "kernel", "random-walk",
            "chains", 2,
            "warmup", 20,
            "draws", 30,
            "seed", 3));
  }

  private static String line(LogPosteriors found) {
    return Objects.requireNonNull(found.how()).text();
  }

  private static LogPosteriors found(
      String algorithm, LogPosteriors.When when, List<ChainTrace> chains) {
    return LogPosteriors.of(
        MemoryRun.settings(Map.of("algorithm", algorithm, "lp", ConfigText.of(when))),
        RUN.context(Map.of()),
        chains);
  }

  @ParameterizedTest
  @ValueSource(strings = {"metropolis", "firefly", "mhss", "smh"})
  void isTheLogPosteriorAtTheDraw(String algorithm) {
    List<ChainTrace> chains = run(algorithm).chains();
    double[][] values = found(algorithm, LogPosteriors.When.AUTO, chains).values();
    assertNotNull(values);
    double apart = 0;
    for (int c = 0; c < chains.size(); c++) {
      assertEquals(chains.get(c).size(), values[c].length);
      for (int i = 0; i < values[c].length; i++) {
        double expected = RUN.logPosterior(chains.get(c).draws().get(i));
        assertEquals(expected, values[c][i], 1e-10 * Math.abs(expected));
        apart = Math.max(apart, Math.abs(expected - chains.get(c).logDensities().get(i)));
      }
    }
    // Nothing would be shown by chains whose own density is the log posterior.
    assertEquals(algorithm.equals("metropolis"), apart < 1e-9, algorithm + ": " + apart);
  }

  @Test
  void isLeftOutWhereItIsNotWanted() {
    List<ChainTrace> chains = run("firefly").chains();
    LogPosteriors never = found("firefly", LogPosteriors.When.NEVER, chains);
    assertNull(never.values());
    assertEquals("lp__: not computed, as set by sampler.lp: never", line(never));
    assertNotNull(
        found("metropolis", LogPosteriors.When.NEVER, run("metropolis").chains()).values());
    LogPosteriors auto = found("firefly", LogPosteriors.When.AUTO, chains);
    assertEquals(
        "lp__: the log posterior of 60 draws, computed in 1 pass over the rows after sampling",
        line(auto));
  }

  /** One draw many times: a list that takes no memory stands for many chains. */
  @Test
  void isLeftOutWhereItTakesLong() {
    ChainTrace one = new ChainTrace(1);
    one.add(RUN.fit().theta(), 0, run("firefly").chains().get(0).sampling().get(0));
    double each = (double) LogisticTable.ROWS * (LogisticTable.D + LogPosteriors.LIKELIHOOD);
    int chains = (int) Math.ceil(LogPosteriors.WORTH_IT / each) + 1;
    LogPosteriors found =
        found("firefly", LogPosteriors.When.AUTO, Collections.nCopies(chains, one));
    assertNull(found.values());
    assertEquals(
        "lp__: not computed, because the log posterior of "
            + chains
            + " draws on 107 rows takes several seconds; set sampler.lp: always to compute it",
        line(found));
  }
}
