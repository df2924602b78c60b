package org.lampyris.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lampyris.driver.output.CsvText;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;

/** The figures of a benchmark, as Markdown to be read and CSV with every digit. */
public final class BenchReport {
  /** The name of the tables that are read. */
  public static final String MARKDOWN = "bench.md";

  /** The name of the file of rows. */
  public static final String ROWS = "rows.csv";

  /** The name of the file of baselines. */
  public static final String BASELINES = "baselines.csv";

  /** The name of the file of targets. */
  public static final String TARGETS = "targets.csv";

  /** The name of the picture of evaluations. */
  public static final String EVALUATIONS = "evaluations.svg";

  private static final Sentence BASELINE =
      new Sentence(
          "Resident rows {bytes / 1e6 %,.1f} MB. Baselines: {empty_jobs_per_second %,.0f} empty"
              + " jobs a second; reading memory {stream_bytes_per_second / 1e9 %.1f} GB/s ({threads"
              + " %.0f} threads); one pass for value and gradient {1000 * pass_seconds %.1f} ms,"
              + " {pass_bytes_per_second / 1e9 %.1f} GB/s, {pass_bytes_per_second /"
              + " stream_bytes_per_second %.2f} times that; load {load_seconds %.1f} s;"
              + " `precompute` {precompute_seconds %.1f} s, {precompute_passes %.0f} passes.\n");

  private static final String ROW_HEADER =
      "\n| sampler | chains × draws | sampling | evaluations / iteration | iterations/s"
          + " | beside empty jobs | iterations / job | ESS, min / median | ESS/s, min / median"
          + " | ESS / 1000 evaluations, min / median | largest R-hat |\n"
          + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

  private static final Sentence ROW =
      new Sentence(
          " {chains %.0f} × {draws %,.0f} | {sample_seconds %.1f} s"
              + " | {evaluations_per_iteration %,.1f} | {iterations_per_second %,.0f}"
              + " | {iterations_per_second / empty_jobs_per_second %,.1f}"
              + " | {iterations_per_job %,.1f} | {ess_min %,.0f} / {ess_median %,.0f}"
              + " | {ess_per_second_min} / {ess_per_second_median}"
              + " | {1000 * ess_per_evaluation_min} / {1000 * ess_per_evaluation_median}"
              + " | {rhat_max %.3f} |\n");

  private final String machine;
  private final List<SubjectResult> results;
  private final List<Verdict> verdicts;

  /**
   * Takes the figures.
   *
   * @param machine what it was measured on, in a line
   * @param results the tables
   * @param verdicts figures compared with targets; empty for none
   */
  public BenchReport(String machine, List<SubjectResult> results, List<Verdict> verdicts) {
    this.machine = machine;
    this.results = List.copyOf(results);
    this.verdicts = List.copyOf(verdicts);
  }

  /** Writes the files into a folder, replacing existing ones. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(MARKDOWN), markdown());
    Files.writeString(folder.resolve(ROWS), rowsCsv());
    Files.writeString(folder.resolve(BASELINES), baselinesCsv());
    if (!verdicts.isEmpty()) {
      Files.writeString(folder.resolve(TARGETS), targetsCsv());
    }
    List<Curve> curves = evaluations();
    if (!curves.isEmpty()) {
      Files.writeString(
          folder.resolve(EVALUATIONS),
          Chart.of("Likelihood evaluations by the number of rows")
              .axes("rows", "evaluations an iteration")
              .logX()
              .logY()
              .lines(curves)
              .file());
    }
  }

  /**
   * Returns evaluations an iteration by the rows of generated tables, a curve for each algorithm
   * that ran on tables of two sizes or more: Figure 10 of Bardenet, Doucet and Holmes (2017).
   */
  private List<Curve> evaluations() {
    Map<String, SortedMap<Double, Double>> found = new LinkedHashMap<>();
    for (SubjectResult result : results) {
      if (result.subject().source() instanceof Subject.Source.Generated generated) {
        for (Row row : result.rows()) {
          row.measurement()
              .map(m -> m.figures().get("evaluations_per_iteration"))
              .filter(of -> of > 0)
              .ifPresent(
                  of ->
                      found
                          .computeIfAbsent(row.entry().name(), any -> new TreeMap<>())
                          .put((double) generated.rows(), of));
        }
      }
    }
    return found.entrySet().stream()
        .filter(one -> one.getValue().size() > 1)
        .map(
            one ->
                new Curve(
                    one.getKey(),
                    numbers(one.getValue().keySet()),
                    numbers(one.getValue().values())))
        .toList();
  }

  private static double[] numbers(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the tables as Markdown. */
  public String markdown() {
    return ("# Benchmark\n\n"
            + "%s\n"
            + "%s%s\n"
            + "Warm-up is left out. Iterations a second are for all chains together. ESS: the"
            + " effective draws of a coefficient's mean, of the worst coefficient / the median"
            + " over coefficients. `precompute` and the pass are measured whole, including"
            + " reading from disk and Spark's job.\n")
        .formatted(
            machine,
            verdicts.isEmpty() ? "" : targets(),
            results.stream().map(BenchReport::table).collect(Collectors.joining()));
  }

  private String targets() {
    StringBuilder text = new StringBuilder("\n## Targets\n\n");
    text.append("| | what | figure | wanted | met |\n|--:|---|---|---|---|\n");
    for (Verdict v : verdicts) {
      String met = v.met().map(yes -> yes ? "yes" : "**no**").orElse("–");
      String cells = String.join(" | ", v.what(), v.figure(), v.wanted(), met);
      text.append("| ").append(v.target()).append(" | ").append(cells).append(" |\n");
    }
    return text.toString();
  }

  private static String table(SubjectResult result) {
    StringBuilder text = new StringBuilder("\n## ").append(result.subject().name()).append("\n\n");
    text.append(BASELINE.with(result.baselines()));
    if (result.rows().isEmpty()) {
      return text.toString();
    }
    text.append(ROW_HEADER);
    for (Row row : result.rows()) {
      Optional<Figures> figures =
          row.measurement().map(m -> result.baselines().with(m.figures().byName()));
      text.append("| ").append(row.entry().name()).append(" |");
      text.append(figures.map(ROW::with).orElse(" – |".repeat(10) + "\n"));
    }
    List<String> remarks = result.rows().stream().flatMap(BenchReport::remarks).toList();
    if (!remarks.isEmpty()) {
      text.append('\n');
      remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
    }
    return text.toString();
  }

  private static Stream<String> remarks(Row row) {
    List<String> remarks = new ArrayList<>();
    row.measurement().ifPresent(m -> remarks.addAll(m.notes()));
    if (!row.remark().isEmpty()) {
      remarks.add(row.remark());
    }
    return remarks.stream().map(remark -> row.entry().name() + ": " + remark);
  }

  /** Returns the rows as CSV. */
  String rowsCsv() {
    StringBuilder text = new StringBuilder("table,rows,coefficients,sampler,");
    text.append(String.join(",", Measurement.COLUMNS)).append(",remark,notes\n");
    for (SubjectResult result : results) {
      for (Row row : result.rows()) {
        List<Object> cells = new ArrayList<>();
        cells.add(CsvText.quoted(result.subject().name()));
        cells.add(result.baselines().number("rows"));
        cells.add(result.baselines().number("coefficients"));
        cells.add(CsvText.quoted(row.entry().name()));
        for (String column : Measurement.COLUMNS) {
          cells.add(row.measurement().map(m -> m.figures().number(column).toString()).orElse(""));
        }
        cells.add(CsvText.quoted(row.remark()));
        cells.add(
            CsvText.quoted(row.measurement().map(m -> String.join("; ", m.notes())).orElse("")));
        append(text, cells);
      }
    }
    return text.toString();
  }

  /** Returns the baselines as CSV: all of them, in the order of measurement. */
  String baselinesCsv() {
    StringBuilder text = new StringBuilder();
    for (SubjectResult result : results) {
      Map<String, Number> figures = result.baselines().byName();
      if (text.isEmpty()) {
        append(text, List.of("table", String.join(",", figures.keySet())));
      }
      List<Object> cells = new ArrayList<>(figures.values());
      cells.add(0, CsvText.quoted(result.subject().name()));
      append(text, cells);
    }
    return text.toString();
  }

  private String targetsCsv() {
    StringBuilder text = new StringBuilder("target,what,figure,wanted,met\n");
    for (Verdict v : verdicts) {
      append(
          text,
          List.of(
              v.target(),
              CsvText.quoted(v.what()),
              CsvText.quoted(v.figure()),
              CsvText.quoted(v.wanted()),
              v.met().map(Object::toString).orElse("")));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, List<Object> cells) {
    text.append(cells.stream().map(String::valueOf).collect(Collectors.joining(","))).append('\n');
  }
}
