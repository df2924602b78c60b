package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.VariableSummary;

class SummaryTableTest {

  @Test
  void columnsAreAlignedAndDoubtfulRowsMarked() {
    String table =
        SummaryTable.render(
            List.of(Rows.row("(Intercept)", 1.0004, 1234.4, 987.6), Rows.row("x", 1.02, 300, 80)),
            Map.of(),
            "f",
            new Convergence(2, 4));
    assertEquals(
        """
        variable       mean      sd      q5  median     q95  R-hat  ESS bulk  ESS tail
        (Intercept)  1.2346  0.0123  1.2143  1.2356  1.2549  1.000      1234       988
        x            1.2346  0.0123  1.2143  1.2356  1.2549  1.020       300        80 !
        """,
        table);
  }

  /** What is never in has no distance to the truth, in standard deviations of 0. */
  @Test
  void modelsThatAreChosenAmongHaveTheirColumn() {
    String table =
        SummaryTable.render(
            List.of(Rows.row("a", 1, 500, 450), Rows.chosen("b", 0), Rows.chosen("c", 0.5)),
            Map.of("a", 1.23456789, "b", 0.0, "c", 1.23456789),
            "f",
            new Convergence(3, 4));
    assertEquals(
        """
        variable  included    true    mean      sd     z      q5     q95  R-hat   ESS
        a            1.000  1.2346  1.2346  0.0123  0.00  1.2143  1.2549  1.000   450
        b            0.000  0.0000  0.0000  0.0000  none  0.0000  0.0000   none  none
        c            0.500  1.2346  1.2346  0.0123  0.00  1.2143  1.2549  1.000   300 !
        3 of 3 true values lie in their 90 % interval (expected 3); root mean square of z 0.00\
         (expected 1).
        """,
        table);
  }

  @Test
  void truthStandsBesideWithItsCoverage() {
    String table =
        SummaryTable.render(
            List.of(
                Rows.row("a", 1, 500, 450), Rows.row("b", 1, 500, 450), Rows.row("c", 1, 500, 450)),
            Map.of("a", 1.23456789 - 0.0123456789, "b", 1.3, "other", 5.0),
            "f",
            new Convergence(3, 4));
    assertEquals(
        """
        variable    true    mean      sd      z      q5     q95  R-hat  ESS
        a         1.2222  1.2346  0.0123   1.00  1.2143  1.2549  1.000  450
        b         1.3000  1.2346  0.0123  -5.30  1.2143  1.2549  1.000  450
        c                 1.2346  0.0123         1.2143  1.2549  1.000  450
        1 of 2 true values lie in their 90 % interval (expected 2); root mean square of z 3.81\
         (expected 1).
        """,
        table);
    assertTrue(
        SummaryTable.render(
                List.of(Rows.row("a", 1, 500, 450)), Map.of("b", 1.0), "f", new Convergence(1, 4))
            .contains("No true coefficient has"));
  }

  /** R-hat and ESS would say nothing about them. */
  @Test
  void independentDrawsHaveNoMixing() {
    List<VariableSummary> rows = List.of(Rows.row("a", 1.5, 3, 7));
    Convergence independent = new Convergence(1, 4, true);
    assertEquals(
        "variable    mean      sd      q5  median     q95",
        SummaryTable.render(rows, Map.of(), "f", independent).lines().findFirst().orElse(""));
    String[] lines = SummaryTable.render(rows, Map.of("a", 1.2), "f", independent).split("\n", -1);
    assertEquals("variable    true    mean      sd     z      q5     q95", lines[0]);
    assertTrue(lines[1].endsWith(" 1.2549"), lines[1]);
  }

  @Test
  void longTablesShowTheFirstAndTheWorst() {
    List<VariableSummary> rows = new ArrayList<>();
    for (int j = 0; j < 300; j++) {
      rows.add(Rows.row("v" + j, 1, j == 250 ? 17 : j == 251 ? Double.NaN : 1000 + j, 2000));
    }
    String table =
        SummaryTable.render(rows, Map.of(), "runs/x/summary.csv", new Convergence(300, 4));
    assertEquals(1 + 15 + 15 + 1, table.lines().count());
    assertTrue(table.contains("\nv250 ") && table.contains("\nv251 "), table);
    assertTrue(table.contains("\nv14 ") && !table.contains("\nv100 "), table);
    assertTrue(table.contains("of 300 coefficients; all are in runs/x/summary.csv."), table);
  }

  @Test
  void longNamesAreCut() {
    String table =
        SummaryTable.render(
            List.of(Rows.row("é".repeat(60), 1, 500, 500)), Map.of(), "f", new Convergence(1, 4));
    assertTrue(table.contains("é".repeat(18) + "…" + "é".repeat(9) + " "), table);
    assertFalse(table.contains("é".repeat(19)), table);
    table.lines().forEach(line -> assertTrue(line.length() <= 110, line));
  }

  @Test
  void theLevelOfALongNameIsKept() {
    String term = "relevel(Type, ref = \"Tower\")";
    assertEquals("relevel(Type, ref…[Terrace]", SummaryTable.shortened(term + "[Terrace]", 27));
    assertEquals(
        "s_t2minute_of_day…nce_1[12]",
        SummaryTable.shortened("s_t2minute_of_daydistance_1[12]", 27));
    assertEquals("a…e", SummaryTable.shortened("a] and more", 3));
    assertEquals("f[01…9]", SummaryTable.shortened("f[0123456789]", 7));
    assertEquals(
        "cor_g__Intercept_…ly(z, 2)1", SummaryTable.shortened("cor_g__Intercept__poly(z, 2)1", 27));
  }

  @Test
  void cutPointsStandTogether() {
    List<VariableSummary> rows = new ArrayList<>();
    for (String name : List.of("Intercept[1]", "x", "z", "Intercept[2]", "Intercept[3]")) {
      rows.add(Rows.row(name, 1, 500, 450));
    }
    List<String> shown =
        SummaryTable.render(rows, Map.of(), "f", new Convergence(rows.size(), 4))
            .lines()
            .map(line -> line.split(" ", 2)[0])
            .toList();
    assertEquals(
        List.of("variable", "Intercept[1]", "Intercept[2]", "Intercept[3]", "x", "z"), shown);
  }

  /** Quantiles of e^x are e to the power of the quantiles: e^1.21426 = 3.3678. */
  @Test
  void exponentialsAreOfQuantiles() {
    List<VariableSummary> rows = List.of(Rows.row("a", 1, 500, 450));
    assertEquals(
        """
        exp(variable)  median      q5     q95
        exp(a)         3.4403  3.3678  3.5074
        """,
        SummaryTable.exponentials(rows));
    assertEquals(
        SummaryTable.render(rows, Map.of(), "runs/x/summary.csv", new Convergence(rows.size(), 4)),
        new Summary(rows, new Convergence(1, 4), "runs/x").toString());
    String independent = new Summary(rows, new Convergence(1, 4, true), "runs/x").toString();
    assertTrue(independent.startsWith("variable"), independent);
    assertFalse(independent.contains("R-hat") || independent.contains("ESS"), independent);
  }

  /** The quantiles of all rows are 1.21426, 1.23557 and 1.25488. */
  @Test
  void standardizedCoefficientsAreByOneDeviation() {
    List<VariableSummary> rows =
        List.of(
            Rows.row("(Intercept)", 1, 500, 450),
            Rows.row("a", 1, 500, 450),
            Rows.row("f[p][q]", 1, 500, 450));
    assertEquals(
        """
        variable, by sd of its column   median       q5      q95
        a                               12.356   12.143   12.549
        f[p][q]                        0.61778  0.60713  0.62744
        """,
        SummaryTable.standardized(rows, Map.of("a", 10.0, "f[p]", 0.5)));
  }

  @Test
  void digitsFollowTheStandardDeviation() {
    assertEquals("1234.57", SummaryTable.number(1234.5678, 5.4));
    assertEquals("1235", SummaryTable.number(1234.5678, 540));
    assertEquals("-0.00012", SummaryTable.number(-0.000123456789, 1.2e-3));
    assertEquals("1.235e-08", SummaryTable.number(1.2345e-8, 1e-9));
    assertEquals("1.234e+12", SummaryTable.number(1.2341e12, 1e10));
    assertEquals("2.50", SummaryTable.number(2.5, 0));
    assertEquals("NaN", SummaryTable.number(Double.NaN, 1));
    assertEquals("0.00", SummaryTable.number(0, 0));
    assertEquals("0.0", SummaryTable.number(-0.04, 10));
    assertEquals("0", SummaryTable.number(-0.4, 1000));
    assertEquals("-0.1", SummaryTable.number(-0.06, 10));
  }
}
