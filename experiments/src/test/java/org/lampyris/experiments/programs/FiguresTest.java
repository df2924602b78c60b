package org.lampyris.experiments.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;

/** Figures of small tables and short chains: what they measure, not how well. */
class FiguresTest {
  /** 300 proposals of a table of 1000 rows, beside the random walk of 30 of them. */
  @Test
  void rowsLookedAtAreThoseOfTheRandomWalk() {
    Map<String, String> files = new Scaling(3).files();
    String[] cells = files.getOrDefault("figure5.csv", "").split("\n", -1)[1].split(",", -1);
    double looked = Double.parseDouble(cells[1]);
    assertEquals(1000, Double.parseDouble(cells[0]));
    assertTrue(looked > 300 && looked < 1000, looked + " rows");
    assertEquals(1, Double.parseDouble(cells[2]) / looked, 0.3);
    assertTrue(files.getOrDefault("figure5b.svg", "").endsWith("</svg>\n"));
  }

  @Test
  void aMixturesAccuracyIsBetterThanChance() {
    Map<String, String> files = new Mixture(1200, 1, 1).files();
    String table = files.getOrDefault("table.md", "");
    assertEquals(3, table.lines().filter(line -> line.startsWith("| 0")).count(), table);
    String[] csv = files.getOrDefault("figure6d.csv", "").split("\n", -1);
    double last = Double.parseDouble(csv[csv.length - 2].split(",", -1)[3]);
    assertTrue(last > 0.55 && last < 1, last + " right");
  }

  @Test
  void aVolatilitysFigureHasEveryChainAndTheGrid() {
    Map<String, String> files = new Volatility(20, 5, 0.3, true).files();
    String table = files.getOrDefault("table.md", "");
    assertEquals(
        15,
        table.lines().filter(line -> line.matches("\\| (the paper.s|innovations), .*")).count(),
        table);
    assertTrue(files.getOrDefault("figure9b.svg", "").contains(">grid<"));
  }

  /** Every program is compared, and their means of batches are not doubted. */
  @Test
  void theComparisonHasEveryProgram() {
    String table = new Compared(1200, 200).files().getOrDefault("table.md", "");
    for (String node : List.of("w", "phi")) {
      assertTrue(table.contains("| step of " + node), table);
    }
    assertEquals(3, table.lines().filter(line -> line.contains("| all sections |")).count(), table);
    assertEquals(3, table.lines().filter(line -> line.contains("decisions differ")).count(), table);
  }

  @Test
  void madeTablesDependOnSeedAndBlockAlone() {
    List<DataBlock> few = MadeData.clusters(6, 4096 + 100);
    List<DataBlock> many = MadeData.clusters(6, 3 * 4096);
    assertArrayEquals(
        MadeData.rows(few.subList(0, 1))[4095], MadeData.rows(many.subList(0, 1))[4095]);
    assertEquals(4196, few.stream().mapToInt(DataBlock::rows).sum());
    // The log-odds have an sd of 5·0.7·√2, s: 1 − √(2/π) log 2/s, to first order, are on their
    // side.
    double right =
        many.stream()
            .mapToDouble(
                block -> {
                  double sum = 0;
                  for (int i = 0; i < block.rows(); i++) {
                    double side = MadeData.sign(block.feature(i, 1), block.feature(i, 2));
                    sum += side * block.response(i) > 0 ? 1 : 0;
                  }
                  return sum;
                })
            .sum();
    assertEquals(0.89, right / (3 * 4096), 0.015);
  }
}
