package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.output.ParquetRows;

class EffortTest {
  private static final int WARMUP = 60;
  private static final int SAMPLING = 180;

  @TempDir private Path folder;
  private final Configuration conf = new Configuration();

  /**
   * Writes the iterations of two chains, two to a stretch. Iteration k of chain c, from 0, has c·k
   * evaluations; of the second chain no first iteration of two has bright rows, and no first two.
   */
  private void write() throws IOException {
    for (int c = 1; c <= 2; c++) {
      int chain = c;
      Path file = folder.resolve("sampler_stats").resolve("chain-" + chain + ".parquet");
      new ParquetRows(conf, new org.apache.hadoop.fs.Path(file.toString()))
          .write(
              Types.buildMessage()
                  .required(PrimitiveTypeName.INT32)
                  .named(".chain")
                  .required(PrimitiveTypeName.INT32)
                  .named(".iteration")
                  .required(PrimitiveTypeName.BOOLEAN)
                  .named("warmup")
                  .required(PrimitiveTypeName.DOUBLE)
                  .named("acceptance_probability")
                  .required(PrimitiveTypeName.INT64)
                  .named("likelihood_evaluations")
                  .optional(PrimitiveTypeName.INT64)
                  .named("bright_rows")
                  .named("sampler_stats"),
              WARMUP + SAMPLING,
              (row, k) -> {
                boolean warm = k < WARMUP;
                row.add(0, chain);
                row.add(1, 1L + (warm ? k : k - WARMUP));
                row.add(2, warm);
                row.add(3, 1.0 / chain);
                row.add(4, (long) chain * k);
                if (chain == 1 || (k % 2 == 1 && k > 1)) {
                  row.add(5, 7L * k);
                }
              });
    }
  }

  @Test
  void iterationsAreMeansOverStretchesChainByChain() throws IOException {
    write();
    Effort effort = Effort.read(conf, folder.toString());
    assertEquals(WARMUP, effort.warmup());
    double[] middles = IntStream.range(0, 120).mapToDouble(k -> 2 * k + 1).toArray();
    for (int c = 1; c <= 2; c++) {
      int chain = c;
      Curve evaluations = effort.evaluations().get(c - 1);
      assertEquals("chain " + c, evaluations.name());
      assertArrayEquals(middles, evaluations.x());
      assertArrayEquals(
          IntStream.range(0, 120).mapToDouble(k -> chain * (2 * k + 0.5)).toArray(),
          evaluations.y());
      assertArrayEquals(
          IntStream.range(0, 120).mapToDouble(k -> 1.0 / chain).toArray(),
          effort.acceptance().get(c - 1).y());
    }
    assertArrayEquals(
        IntStream.range(0, 120).mapToDouble(k -> 7 * (2 * k + 0.5)).toArray(),
        effort.bright().get(0).y());
    assertArrayEquals(
        IntStream.range(1, 120).mapToDouble(k -> 7 * (2 * k + 1)).toArray(),
        effort.bright().get(1).y());
    assertArrayEquals(
        IntStream.range(1, 120).mapToDouble(k -> 2 * k + 1).toArray(), effort.bright().get(1).x());
  }

  @Test
  void iterationsThatAreNotKeptShowNothing() throws IOException {
    assertTrue(Effort.read(conf, folder.toString()).evaluations().isEmpty());
    assertEquals(List.of(), Effort.read(conf, folder.toString()).bright());
  }
}
