package org.lampyris.experiments.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {
  @TempDir Path folder;

  private static BenchReport report(List<Verdict> verdicts) {
    Subject subject = Subject.generated(1000, 20, List.of(), List.of());
    Row failed =
        new Row(
            MadeUp.row("fails", MadeUp.measured(1, 1, 1)).entry(), Optional.empty(), "It failed.");
    Row measured = MadeUp.row("firefly, hmc", MadeUp.measured(50, 2, 400, 600));
    return new BenchReport(
        "A machine.", List.of(MadeUp.result(subject, measured, failed)), verdicts);
  }

  @Test
  void markdownShowsWhatTheFormulasSay() {
    String[] lines = report(List.of()).markdown().split("\n", -1);
    assertEquals("A machine.", lines[2]);
    assertEquals("## 1,000 rows × 20 features", lines[4]);
    assertEquals(
        "Resident rows 1,000.0 MB. Baselines: 200 empty jobs a second; reading memory 8.0 GB/s (2"
            + " threads); one pass for value and gradient 200.0 ms, 5.0 GB/s, 0.63 times that; load"
            + " 3.0 s; `precompute` 40.0 s, 7 passes.",
        lines[6]);
    // 4,000 iterations of 50 evaluations in 2 s; with those of the warm-up, 6,000 in 10 jobs.
    assertEquals(
        "| firefly, hmc | 4 × 1,000 | 2.0 s | 50.0 | 2,000 | 10.0 | 600.0 | 400 / 600 | 200 / 300"
            + " | 2 / 3 | 1.005 |",
        lines[10]);
    assertEquals(lines[9].length() - lines[9].replace("|", "").length(), 12);
    assertTrue(lines[11].startsWith("| fails | – |"), lines[11]);
    assertEquals("- firefly, hmc: plan: a, \"b\"", lines[13]);
    assertEquals("- fails: It failed.", lines[14]);
  }

  @Test
  void figuresThatAreNoNumbersAreShownAsWell() {
    Row nothing = MadeUp.row("nothing", MadeUp.measured(0, 2, 0, Double.NaN));
    Row idle = MadeUp.row("idle", MadeUp.measured(0, 2, 30));
    Subject subject = Subject.generated(1000, 20, List.of(), List.of());
    String text =
        new BenchReport("", List.of(MadeUp.result(subject, nothing, idle)), List.of()).markdown();
    assertTrue(text.contains("| 0 / NaN | 0 / NaN | NaN / NaN |"), text);
    assertTrue(text.contains("| 30 / 30 | 15 / 15 | Infinity / Infinity |"), text);
  }

  /** One algorithm ran on both tables, another on one of them. */
  @Test
  void evaluationsAreDrawnByTheNumberOfRows() throws IOException {
    Row many = MadeUp.row("firefly, hmc", MadeUp.measured(90, 2, 400, 600));
    Row few = MadeUp.row("firefly, hmc", MadeUp.measured(50, 2, 400, 600));
    Row once = MadeUp.row("only once", MadeUp.measured(50, 2, 400, 600));
    Subject large = Subject.generated(100_000, 20, List.of(), List.of());
    Subject small = Subject.generated(1000, 20, List.of(), List.of());
    new BenchReport("", List.of(MadeUp.result(large, many, once)), List.of()).write(folder);
    assertFalse(Files.exists(folder.resolve(BenchReport.EVALUATIONS)));
    new BenchReport(
            "", List.of(MadeUp.result(large, many, once), MadeUp.result(small, few)), List.of())
        .write(folder);
    String picture = Files.readString(folder.resolve(BenchReport.EVALUATIONS));
    assertTrue(picture.contains("firefly, hmc"), picture);
    assertFalse(picture.contains("only once"), picture);
  }

  @Test
  void filesHaveAColumnForEveryFigure() throws IOException {
    Verdict verdict = new Verdict(2, "what", "a \"figure\"", "wanted", Optional.empty());
    report(List.of(verdict)).write(folder);
    List<String> rows = Files.readAllLines(folder.resolve(BenchReport.ROWS));
    assertEquals(3, rows.size());
    // The names of the table and of the row hold a comma each, and so do the notes.
    String[] header = rows.get(0).split(",", -1);
    String[] cells = rows.get(1).split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
    assertEquals(header.length, cells.length, rows.get(1));
    assertEquals("evaluations_per_iteration", header[8]);
    assertEquals("50.0", cells[8]);
    assertEquals("iterations_per_second_with_warmup", header[10]);
    assertEquals(6000 / 7.0, Double.parseDouble(cells[10]), 1e-9);
    assertEquals("ess_per_evaluation_median", header[16]);
    assertEquals(600 / 200_000.0, Double.parseDouble(cells[16]), 1e-15);
    assertEquals("\"plan: a, \"\"b\"\"\"", cells[header.length - 1]);
    String[] failed = rows.get(2).split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
    assertEquals(header.length, failed.length, rows.get(2));
    assertEquals("\"It failed.\"", failed[header.length - 2]);
    List<String> baselines = Files.readAllLines(folder.resolve(BenchReport.BASELINES));
    assertEquals(
        "\"1,000 rows × 20 features\",1000,21,1000000000,200.0,2,8.0E9,0.2,5.0E9,3.0,40.0,7",
        baselines.get(1));
    assertEquals(baselines.get(0).split(",", -1).length + 1, baselines.get(1).split(",").length);
    assertEquals(
        "2,\"what\",\"a \"\"figure\"\"\",\"wanted\",",
        Files.readAllLines(folder.resolve(BenchReport.TARGETS)).get(1));
    assertTrue(Files.readString(folder.resolve(BenchReport.MARKDOWN)).contains("| 2 | what |"));
  }
}
