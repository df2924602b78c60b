package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/** A table of more columns than rows, where every step looks at all rows. */
class SubsampledRunTest {
  private static final int D = 31;
  private static final int ROWS = 25;

  private static List<DataBlock> blocks() {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    return IntStream.range(0, 2)
        .<DataBlock>mapToObj(
            block -> {
              int rows = block == 0 ? 20 : ROWS - 20;
              double[] x = rng.doubles((long) rows * D, -2, 2).toArray();
              double[] y = new double[rows];
              for (int row = 0; row < rows; row++) {
                x[row * D] = 1;
                y[row] = x[row * D + 1] > 0 ? 1 : -1;
              }
              return new DenseBlock(block, D, x, y, null);
            })
        .toList();
  }

  private static RunResult run(String algorithm, String plan) {
    List<String> columns = IntStream.range(0, D).mapToObj(j -> "x" + j).toList();
    return new MemoryRun(blocks(), columns, Map.of())
        .run(Map.of("algorithm", algorithm, "plan", plan, "chains", 2, "warmup", 60, "draws", 40));
  }

  @Test
  void rowsThatAreFewGoAlongWithSegments() {
    for (String algorithm : List.of("mhss", "smh")) {
      RunResult segments = run(algorithm, "segment");
      RunResult steps = run(algorithm, "stepwise");
      for (int c = 0; c < 2; c++) {
        ChainTrace expected = steps.chains().get(c);
        ChainTrace actual = segments.chains().get(c);
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.draws().get(i), actual.draws().get(i));
        }
        assertTrue(
            expected.sampling().stream()
                .anyMatch(step -> step.info().likelihoodEvaluations() == 2 * ROWS),
            algorithm);
      }
      assertTrue(
          segments.decisions().stream()
              .anyMatch(
                  one ->
                      one.topic().equals("proposals")
                          && one.figures().getOrDefault("decided_by_all_rows", 0.0) > 0.9),
          segments.decisions().toString());
      assertTrue(segments.cost().jobs() < 10, segments.cost().toString());
      assertTrue(steps.cost().jobs() > 50, steps.cost().toString());
    }
  }

  /** All rows decide by the same test, so both algorithms are one, draw for draw. */
  @Test
  void theTwoAreOneWhereAllRowsDecide() {
    RunResult mhss = run("mhss", "stepwise");
    RunResult smh = run("smh", "stepwise");
    for (int i = 0; i < 40; i++) {
      assertArrayEquals(mhss.chains().get(0).draws().get(i), smh.chains().get(0).draws().get(i));
    }
  }

  @Test
  void aTallTableIsDecidedByAFewRowsWithoutARemark() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    double[] x = new double[4_000];
    double[] y = new double[2_000];
    for (int row = 0; row < y.length; row++) {
      x[2 * row] = 1;
      x[2 * row + 1] = rng.nextDouble(-2, 2);
      y[row] = rng.nextDouble() < 0.5 ? 1 : -1;
    }
    RunResult run =
        new MemoryRun(
                List.of(new DenseBlock(0, 2, x, y, null)), List.of("(Intercept)", "x"), Map.of())
            .run(Map.of("algorithm", "smh", "chains", 1, "warmup", 60, "draws", 40));
    assertTrue(
        run.decisions().stream().noneMatch(one -> one.topic().equals("proposals")),
        run.decisions().toString());
  }
}
