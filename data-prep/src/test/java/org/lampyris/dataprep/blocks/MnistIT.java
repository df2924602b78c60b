package org.lampyris.dataprep.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.table.TableSchema;

/** A table of the real world: the principal components of MNIST's sevens and nines. */
class MnistIT extends PrepareContract {
  @Test
  void componentsAreUncorrelatedAndCentredAsTheySay() {
    Path input =
        Path.of(System.getProperty("lampyris.data", "../shared/data"), "mnist79_train.csv.gz");
    assumeTrue(Files.exists(input), input + " is not there");
    Wish wish = wish(input);
    TableSchema schema = wish.prepare();
    assertEquals(12_214, schema.rows());
    assertEquals(51, schema.columns().size());
    assertEquals(3, schema.blocks());
    double[] sum = new double[51];
    double product = 0;
    double first = 0;
    double second = 0;
    for (DataBlock block : wish.blocks()) {
      for (int n = 0; n < block.rows(); n++) {
        block.addScaled(n, 1, sum, 0);
        double x1 = block.feature(n, 1) + schema.columns().get(1).center();
        double x2 = block.feature(n, 2) + schema.columns().get(2).center();
        product += x1 * x2;
        first += x1 * x1;
        second += x2 * x2;
      }
    }
    assertEquals(12_214, sum[0]);
    for (int j = 1; j < 51; j++) {
      double mean = sum[j] / 12_214 + schema.columns().get(j).center();
      assertEquals(0, mean, 1e-6, schema.columnNames().get(j));
    }
    assertEquals(0, product / Math.sqrt(first * second), 1e-5);
  }
}
