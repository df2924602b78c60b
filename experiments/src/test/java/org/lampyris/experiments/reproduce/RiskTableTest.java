package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RiskTableTest {
  /** Two chains of three draws at 10 evaluations each; means 2 and 4. */
  private static final RiskTable.Run EXACT =
      new RiskTable.Run(
          "exact",
          new double[][] {{1, 2, 3}, {3, 4, 5}},
          new double[][] {{10, 20, 30}, {10, 20, 30}});

  /** Two chains of six draws at 5 evaluations each. */
  private static final RiskTable.Run CHEAP =
      new RiskTable.Run(
          "cheap",
          new double[][] {{4, 4, 4, 4, 1, 1}, {3, 3, 3, 3, 3, 3}},
          new double[][] {{5, 10, 15, 20, 25, 30}, {5, 10, 15, 20, 25, 30}});

  private static final RiskTable TABLE = new RiskTable(10, List.of(EXACT, CHEAP));

  @Test
  void theRiskIsByHand() {
    // The truth is 3; the first run's chains are held against each other, 4 and 2.
    assertEquals(4, TABLE.risk(EXACT, 30), 1e-15);
    // After 10 evaluations, 1 against 4 and 3 against 2.
    assertEquals((9 + 1) / 2.0, TABLE.risk(EXACT, 10), 1e-15);
    assertEquals(0.5, TABLE.risk(CHEAP, 20), 1e-15);
    assertEquals(0, TABLE.risk(CHEAP, 30), 1e-15);
    assertTrue(Double.isNaN(TABLE.risk(CHEAP, 4)), "nothing can be had for so little");
    assertTrue(Double.isNaN(TABLE.risk(CHEAP, 40)), "so much has not been spent");
  }

  @Test
  void tablesHaveALineForEachRun() {
    String markdown = TABLE.markdown();
    assertTrue(markdown.contains("| exact | 10 (100.0 %) | 3.00 ±"), markdown);
    assertTrue(markdown.contains("| cheap | 5 (50.0 %) |"), markdown);
    List<String> csv = TABLE.csv().lines().toList();
    assertEquals(1 + 2 * 4, csv.size());
    assertEquals("\"exact\",10.0,3.0,", csv.get(4).substring(0, 17));
    assertTrue(csv.get(4).endsWith(",30.0,4.0"), csv.get(4));
  }
}
