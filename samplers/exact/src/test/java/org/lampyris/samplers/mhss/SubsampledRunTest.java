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
      assertTrue(segments.cost().jobs() < 10, segments.cost().toString());
      assertTrue(steps.cost().jobs() > 50, steps.cost().toString());
    }
  }
}
