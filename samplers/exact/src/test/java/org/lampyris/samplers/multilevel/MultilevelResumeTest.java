package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;
import org.lampyris.samplers.testdata.StoppingCheckpoints;

/**
 * Chains with random effects that are ended and go on: draws, summaries of effects and the draws of
 * them that are kept are the same, to the bit, where groups lie together and where they do not.
 */
class MultilevelResumeTest {
  private static final int LEVELS = 5;
  private static final Map<String, Object> SAMPLER =
      Map.of("algorithm", "multilevel", "chains", 2, "warmup", 60, "draws", 150);

  /** Three rows a group; three blocks. */
  private static List<DataBlock> rows() {
    List<DataBlock> blocks = new ArrayList<>();
    int[] ends = {0, 2, 3, LEVELS};
    for (int b = 0; b + 1 < ends.length; b++) {
      int rows = 3 * (ends[b + 1] - ends[b]);
      int first = ends[b];
      double[] ones = new double[rows];
      Arrays.fill(ones, 1);
      double[] y = IntStream.range(0, rows).mapToDouble(i -> i % 3 > first % 2 ? 1 : -1).toArray();
      long[] keys = IntStream.range(0, rows).mapToLong(i -> 100 + first + i / 3).toArray();
      blocks.add(new DenseBlock(b, 1, ones, y, null).grouped(new long[][] {keys}));
    }
    return blocks;
  }

  private static List<TableEffects> effects(boolean together) {
    GroupingEffects effects =
        new GroupingEffects("g", List.of("(Intercept)"), PriorParser.parse("half_normal(0, 1)"), 1);
    return List.of(new TableEffects(effects, 0, new int[] {-1}, new double[1], LEVELS, together));
  }

  /** The result of a run with what was told of effects. */
  private record Outcome(RunResult result, List<String> told) {}

  private static Outcome run(boolean together, Checkpoints checkpoints) {
    List<String> told = new ArrayList<>();
    EffectSink sink =
        (random, key, effect, statistics, draws) ->
            told.add(
                random
                    + " "
                    + key
                    + " "
                    + effect
                    + " "
                    + Arrays.toString(statistics)
                    + Arrays.toString(draws));
    MemoryRun run = new MemoryRun(rows(), List.of("(Intercept)"), Map.of());
    RunInputs.Outlets outlets = new RunInputs.Outlets(new RunProgress.Silent(), sink, checkpoints);
    RunResult result =
        MultilevelAlgorithm.run(
            run.context(MemoryRun.settings(SAMPLER), outlets),
            new MultilevelAlgorithm.Settings(1, 1, 7),
            effects(together));
    return new Outcome(result, told);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endedAnywhereAndResumedIsTheSame(boolean together) {
    Outcome expected = run(together, new Checkpoints.None());
    assertEquals(LEVELS, expected.told.size());
    StoppingCheckpoints whole = StoppingCheckpoints.after(0);
    assertSame(expected, run(together, whole));
    assertTrue(whole.iterations().size() >= 4, () -> whole.iterations().toString());
    int ends =
        StoppingCheckpoints.endEach(
            first -> run(together, first),
            first -> assertSame(expected, run(together, first.resumed(0))));
    assertTrue(ends >= 4, ends + " ends");
  }

  private static void assertSame(Outcome expected, Outcome actual) {
    for (int c = 0; c < expected.result.chains().size(); c++) {
      ChainTrace one = expected.result.chains().get(c);
      ChainTrace other = actual.result.chains().get(c);
      assertEquals(one.size(), other.size());
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.draws().get(i), other.draws().get(i), "draw " + i);
      }
      assertEquals(one.logDensities(), other.logDensities());
    }
    assertEquals(expected.told, actual.told);
    assertEquals(expected.result.beyond(), actual.result.beyond());
  }
}
