package org.lampyris.driver.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lampyris.driver.output.CsvText;

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

  private static final String ROW_COLUMNS =
      "table,rows,coefficients,sampler,chains,warmup,draws,iterations,evaluations_per_iteration,"
          + "iterations_per_second,iterations_per_second_with_warmup,ess_min,ess_median,"
          + "ess_per_second_min,ess_per_second_median,ess_per_evaluation_min,"
          + "ess_per_evaluation_median,rhat_max,jobs,resident_bytes,load_seconds,warmup_seconds,sample_seconds,"
          + "remark,notes\n";

  private static final String BASELINE_COLUMNS =
      "table,rows,coefficients,bytes,empty_jobs_per_second,threads,stream_bytes_per_second,"
          + "pass_seconds,pass_bytes_per_second,load_seconds,precompute_seconds,precompute_passes\n";

  private static final double GIGA = 1e9;
  private static final double THOUSAND = 1e3;
  private static final double MILLION = 1e6;
  private static final MathContext THREE_DIGITS = new MathContext(3);

  private final String machine;
  private final List<SubjectResult> results;
  private final List<Verdict> verdicts;

  /**
   * Takes the figures.
   *
   * @param machine what it was measured on, in a line
   * @param results the tables
   * @param verdicts figures beside targets; none if empty
   */
  public BenchReport(String machine, List<SubjectResult> results, List<Verdict> verdicts) {
    this.machine = machine;
    this.results = List.copyOf(results);
    this.verdicts = List.copyOf(verdicts);
  }

  /** Writes the files into a folder, over those that are there. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(MARKDOWN), markdown());
    Files.writeString(folder.resolve(ROWS), rowsCsv());
    Files.writeString(folder.resolve(BASELINES), baselinesCsv());
    if (!verdicts.isEmpty()) {
      Files.writeString(folder.resolve(TARGETS), targetsCsv());
    }
  }

  /** Returns the tables as Markdown. */
  public String markdown() {
    return "# Benchmark\n\n"
        + machine
        + "\n"
        + (verdicts.isEmpty() ? "" : targets())
        + results.stream().map(BenchReport::table).collect(Collectors.joining())
        + "\nWarm-up is left out; iterations a second are those of all chains together. ESS: the"
        + " effective draws of a coefficient's mean, of the worst coefficient / the median over"
        + " coefficients. `precompute` and the pass are measured whole, reading from disk and"
        + " Spark's job included.\n";
  }

  private String targets() {
    StringBuilder text = new StringBuilder("\n## Targets\n\n");
    text.append("| | what | figure | wanted | met |\n|--:|---|---|---|---|\n");
    for (Verdict v : verdicts) {
      String met = v.met().map(yes -> yes ? "yes" : "**no**").orElse("–");
      text.append(
          format(
              "| %d | %s | %s | %s | %s |\n", v.target(), v.what(), v.figure(), v.wanted(), met));
    }
    return text.toString();
  }

  private static String table(SubjectResult result) {
    Baselines b = result.baselines();
    StringBuilder text = new StringBuilder("\n## ").append(result.subject().name()).append("\n\n");
    text.append(
        format(
            "Resident rows %,.1f MB. Baselines: %,.0f empty jobs a second; reading memory %.1f GB/s"
                + " (%d threads); one pass for value and gradient %.1f ms, %.1f GB/s, %.2f times"
                + " that; load %.1f s; `precompute` %.1f s, %d passes.\n",
            b.bytes() / MILLION,
            b.emptyJobsPerSecond(),
            b.streamBytesPerSecond() / GIGA,
            b.threads(),
            b.passSeconds() * THOUSAND,
            b.passBytesPerSecond() / GIGA,
            b.passBytesPerSecond() / b.streamBytesPerSecond(),
            b.loadSeconds(),
            b.precomputeSeconds(),
            b.passes()));
    if (result.rows().isEmpty()) {
      return text.toString();
    }
    text.append(
        "\n| sampler | chains × draws | sampling | evaluations / iteration | iterations/s"
            + " | beside empty jobs | iterations / job | ESS, min / median | ESS/s, min / median"
            + " | ESS / 1000 evaluations, min / median | largest R-hat |\n"
            + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    result.rows().forEach(row -> text.append(line(row, b)));
    List<String> remarks = result.rows().stream().flatMap(BenchReport::remarks).toList();
    if (!remarks.isEmpty()) {
      text.append('\n');
      remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
    }
    return text.toString();
  }

  private static String line(Row row, Baselines b) {
    if (row.measurement().isEmpty()) {
      return format("| %s | – | – | – | – | – | – | – | – | – | – |\n", row.entry().name());
    }
    Measurement m = row.measurement().orElseThrow();
    return format(
        "| %s | %d × %,d | %.1f s | %,.1f | %,.0f | %,.1f | %,.1f | %,.0f / %,.0f | %s / %s"
            + " | %s / %s | %.3f |\n",
        row.entry().name(),
        m.chains(),
        m.draws(),
        m.samplingSeconds(),
        m.efficiency().evaluations(),
        m.iterationsPerSecond(),
        m.iterationsPerSecond() / b.emptyJobsPerSecond(),
        m.iterationsPerJob(),
        m.efficiency().least(),
        m.efficiency().median(),
        digits(m.leastEssPerSecond()),
        digits(m.medianEssPerSecond()),
        digits(THOUSAND * m.leastEssPerEvaluation()),
        digits(THOUSAND * m.medianEssPerEvaluation()),
        m.rHat());
  }

  private static Stream<String> remarks(Row row) {
    List<String> remarks = new ArrayList<>();
    row.measurement().ifPresent(m -> remarks.addAll(m.notes()));
    if (!row.remark().isEmpty()) {
      remarks.add(row.remark());
    }
    return remarks.stream().map(remark -> row.entry().name() + ": " + remark);
  }

  /** Returns a number with three digits. */
  private static String digits(double value) {
    // A sampler that evaluates no row at all has infinitely many effective draws for each.
    return value >= 100 || !Double.isFinite(value)
        ? format("%,.0f", value)
        : new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** Returns the rows as CSV. */
  String rowsCsv() {
    StringBuilder text = new StringBuilder(ROW_COLUMNS);
    for (SubjectResult result : results) {
      for (Row row : result.rows()) {
        List<Object> cells = new ArrayList<>(tableCells(result));
        cells.add(CsvText.quoted(row.entry().name()));
        cells.addAll(figures(row));
        cells.add(CsvText.quoted(row.remark()));
        cells.add(
            CsvText.quoted(row.measurement().map(m -> String.join("; ", m.notes())).orElse("")));
        append(text, cells);
      }
    }
    return text.toString();
  }

  private static List<Object> figures(Row row) {
    if (row.measurement().isEmpty()) {
      return List.of("", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "");
    }
    Measurement m = row.measurement().orElseThrow();
    return List.of(
        m.chains(),
        m.warmup(),
        m.draws(),
        m.efficiency().iterations(),
        m.efficiency().evaluations(),
        m.iterationsPerSecond(),
        m.iterationsPerSecondInAll(),
        m.efficiency().least(),
        m.efficiency().median(),
        m.leastEssPerSecond(),
        m.medianEssPerSecond(),
        m.leastEssPerEvaluation(),
        m.medianEssPerEvaluation(),
        m.rHat(),
        m.jobs(),
        m.residentBytes(),
        m.loadSeconds(),
        m.warmupSeconds(),
        m.samplingSeconds());
  }

  private static List<Object> tableCells(SubjectResult result) {
    Baselines b = result.baselines();
    return List.of(CsvText.quoted(result.subject().name()), b.rows(), b.coefficients());
  }

  /** Returns the baselines as CSV. */
  String baselinesCsv() {
    StringBuilder text = new StringBuilder(BASELINE_COLUMNS);
    for (SubjectResult result : results) {
      Baselines b = result.baselines();
      List<Object> cells = new ArrayList<>(tableCells(result));
      cells.addAll(
          List.of(
              b.bytes(),
              b.emptyJobsPerSecond(),
              b.threads(),
              b.streamBytesPerSecond(),
              b.passSeconds(),
              b.passBytesPerSecond(),
              b.loadSeconds(),
              b.precomputeSeconds(),
              b.passes()));
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

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
