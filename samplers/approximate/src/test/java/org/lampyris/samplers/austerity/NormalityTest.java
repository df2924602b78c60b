package org.lampyris.samplers.austerity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** The check of batch means: silent where they are normal, and loud where few rows say it all. */
class NormalityTest {
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b");

  /** A feature whose few large values dominate every sum. */
  private static List<DataBlock> heavy() {
    UniformRandomProvider rng = new Streams(6).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    List<DataBlock> blocks = new ArrayList<>();
    for (int block = 0; block < 5; block++) {
      double[] x = new double[1000];
      double[] y = new double[1000];
      for (int i = 0; i < 1000; i++) {
        x[i] = Math.exp(2 * normal.sample());
        y[i] = rng.nextDouble() < 0.95 ? 1 : -1;
      }
      blocks.add(new DenseBlock(block, 1, x, y, null));
    }
    return blocks;
  }

  private static List<String> decisions(List<DataBlock> blocks, Map<String, ?> austerity) {
    Map<String, Object> keys = new HashMap<>(Map.of("warmup", 5, "draws", 5));
    keys.put("algorithm", "austerity");
    keys.put("austerity", MemoryRun.mapping(austerity));
    RunResult result =
        new MemoryRun(blocks, COLUMNS.subList(0, blocks.get(0).columns()), Map.of()).run(keys);
    return result.decisions().stream()
        .map(Decision::text)
        .filter(line -> line.startsWith("austerity:"))
        .toList();
  }

  @Test
  void meansThatAreNotNormalAreWarnedOf() {
    List<String> warned = decisions(heavy(), Map.of("batch", 100));
    assertTrue(warned.toString().contains("not normal"), warned.toString());
    assertTrue(warned.toString().contains("sampler.algorithm: confidence"), warned.toString());
  }

  @Test
  void meansThatAreNormalAreNot() {
    List<DataBlock> blocks = LogisticTable.blocks(1000, 5000, false);
    assertEquals(List.of(), decisions(blocks, Map.of("batch", 100)));
    assertEquals(List.of(), decisions(heavy(), Map.of("epsilon", 0)));
  }

  @Test
  void theDesignIsToldAndUsed() {
    List<DataBlock> blocks = LogisticTable.blocks(1000, 5000, false);
    List<String> average = decisions(blocks, Map.of("design", "average", "error", 0.02));
    assertTrue(average.get(0).startsWith("austerity: average design: epsilon"), "" + average);
    List<String> worst = decisions(blocks, Map.of("design", "worst", "error", 0.02));
    assertTrue(worst.get(0).startsWith("austerity: worst design: epsilon"), "" + worst);
  }
}
