package org.lampyris.dataprep.precompute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DenseBlock;

class ColumnVariationTest {
  @Test
  void countsTheRowsOfTheRarestLevel() {
    double[] rows = new double[300];
    for (int n = 0; n < 100; n++) {
      rows[3 * n] = 1;
      rows[3 * n + 1] = n;
      rows[3 * n + 2] = n % 33 == 7 ? 0.5 : -0.5;
    }
    DenseBlock block = new DenseBlock(0, 3, rows, new double[100], null);
    assertEquals(3, ColumnVariation.fewest(List.of(block)));
  }

  @Test
  void aLevelThatIsNotMetVariesNowhere() {
    DenseBlock block = new DenseBlock(0, 2, new double[] {1, 0, 1, 0}, new double[2], null);
    assertEquals(0, ColumnVariation.fewest(List.of(block)));
  }
}
