package org.lampyris.bounds.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.effects.TableEffects.Line;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class TableEffectsTest {
  /** Stored columns are x − center, never divided. */
  @Test
  void slopesAreOfTheInputsColumns() {
    GroupingEffects of =
        new GroupingEffects(
            "g", List.of("(Intercept)", "x", "u", "v"), PriorParser.parse("exponential(1)"), 1);
    ColumnCenters centers = new ColumnCenters(new double[] {0, 3, -2}, 0);
    Line same = Line.SAME;
    int[] columns = {-1, 1, 2, 1};
    List<Line> lines = List.of(same, same, same, new Line(-2, 0.5));
    TableEffects table = TableEffects.of(of, 0, columns, lines, centers, 4, false);
    DataBlock block = new DenseBlock(0, 3, new double[] {1, 1.25, 1.5}, new double[1], null);
    assertEquals(1, table.z(block, 0, 0), 0);
    assertEquals(4.25, table.z(block, 0, 1), 0);
    assertEquals(-0.5, table.z(block, 0, 2), 0);
    assertEquals(-8, table.z(block, 0, 3), 0);
    assertEquals(-8, table.z(new double[] {1, 4.25, -0.5}, 3), 0);
    assertEquals(-5.5, table.constant(3), 0);
  }
}
