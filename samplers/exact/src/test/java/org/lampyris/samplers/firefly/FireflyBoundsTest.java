package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.testdata.MemoryRun;

/** The rows' own bounds add up to the sum, whether it was precomputed or takes a pass. */
class FireflyBoundsTest {
  private static List<DataBlock> blocks() {
    Random random = new Random(5);
    List<DataBlock> blocks = new ArrayList<>();
    for (int b = 0; b < 3; b++) {
      double[] x = new double[2 * 40];
      Arrays.setAll(x, k -> k % 2 == 0 ? 1 : random.nextGaussian());
      double[] y = new double[40];
      Arrays.setAll(y, n -> random.nextInt(3) == 0 ? 1 : -1);
      blocks.add(new DenseBlock(b, 2, x, y, null));
    }
    return blocks;
  }

  @ParameterizedTest
  @CsvSource({"auto, 1.5", "local, 1.5", "map-tuned, 1.5", "untuned, 1.5", "untuned, 0.3"})
  void theSumIsOfTheRowsBounds(String bound, double anchor) {
    MemoryRun run = new MemoryRun(blocks(), List.of("a", "b"), Map.of());
    Map<String, ?> keys =
        Map.of(
            "algorithm",
            "firefly",
            "firefly",
            MemoryRun.mapping(Map.of("bound", bound, "anchor", anchor)));
    SamplingContext context = run.context(keys);
    FireflyBounds bounds =
        FireflyBounds.of(context, MemoryRun.settings(keys).own().of(FireflySettings.class));
    for (double step : new double[] {0, 0.1, -0.3}) {
      double[] theta = run.fit().theta().clone();
      theta[0] += step;
      theta[1] -= 2 * step;
      double[] expected = new double[1];
      for (DataBlock block : blocks()) {
        context.model().model().addLogLikelihoods(block, new double[][] {theta}, expected);
        Anchors anchors = bounds.rule().anchors(block);
        for (int row = 0; row < block.rows(); row++) {
          expected[0] -= bounds.bound().gap(block, row, theta, anchors);
        }
      }
      assertEquals(expected[0], bounds.collapsed().value(theta), 1e-10);
    }
  }
}
