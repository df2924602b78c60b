package org.lampyris.experiments.bench;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.Lampyris;
import org.lampyris.driver.cli.ExitCode;

/**
 * Times whole commands on generated tables, from the start of Java to its end, alternating with
 * processes in which Spark alone reads and writes the same tables.
 *
 * @param work where tables are kept, to be found again
 * @param rounds how often everything is timed; medians are compared
 * @param master the master of all
 */
public record WholeProcesses(Path work, int rounds, String master) {
  /** File name of the page. */
  public static final String MARKDOWN = "processes.md";

  private static final String CSV = "processes.csv";
  private static final String LOG = "processes.log";

  /**
   * A timed process.
   *
   * @param beside the name of what it is held against; null if it is that itself
   * @param atMost how many times as long it may take
   */
  private record Timed(
      String name, Class<?> main, List<String> args, @Nullable String beside, double atMost) {}

  /**
   * Runs the timings, and writes the results.
   *
   * @param rows the rows of each table
   * @param features their features
   * @param told what is timed, as it begins
   */
  public void write(
      List<Long> rows, int features, String machine, Path output, Consumer<String> told)
      throws IOException {
    Files.createDirectories(output);
    StringBuilder page = new StringBuilder("# Whole processes\n\n" + machine + "\n");
    StringBuilder csv = new StringBuilder("rows,features,what,round,seconds\n");
    for (long n : rows) {
      Path folder = work.resolve(Text.of("raw-%d-%d", n, features));
      Path log = output.resolve(LOG);
      if (!Files.exists(folder.resolve("true_coefficients.csv"))) {
        told.accept(Text.of("generating %,d × %d", n, features));
        seconds(Lampyris.class, generate(n, features, folder), log);
      }
      Map<String, List<Double>> seconds = new LinkedHashMap<>();
      for (int round = 1; round <= rounds; round++) {
        for (Timed timed : timed(folder)) {
          told.accept(Text.of("%,d × %d, round %d: %s", n, features, round, timed.name));
          double took = seconds(timed.main, timed.args, log);
          seconds.computeIfAbsent(timed.name, name -> new ArrayList<>()).add(took);
          csv.append(Text.of("%d,%d,%s,%d,%.3f\n", n, features, timed.name, round, took));
        }
      }
      page.append(Text.of("\n## %,d × %d\n\n", n, features)).append(table(timed(folder), seconds));
      Files.writeString(output.resolve(MARKDOWN), page.toString());
      Files.writeString(output.resolve(CSV), csv.toString());
    }
  }

  private static List<String> generate(long rows, int features, Path folder) {
    return List.of(
        "generate",
        "--rows",
        Long.toString(rows),
        "--features",
        Integer.toString(features),
        "--output",
        folder.toString(),
        "--overwrite");
  }

  /** Returns the timed processes for a table, in order: a prepared table is sampled again. */
  private static List<Timed> timed(Path folder) {
    String table = folder.resolve("table").toString();
    String copy = folder.resolve("copy").toString();
    String run = folder.resolve("run").toString();
    String sum = "Spark reads and sums the table";
    String stored = "Spark reads and sums what is stored";
    String again = "Spark reads and writes the table";
    String session = "Spark opens a session";
    return List.of(
        new Timed(session, SparkAlone.class, List.of(SparkAlone.SESSION), null, 0),
        new Timed(sum, SparkAlone.class, List.of(SparkAlone.SUM, table), null, 0),
        new Timed(again, SparkAlone.class, List.of(SparkAlone.COPY, table, copy), null, 0),
        new Timed("prepare", Lampyris.class, command("prepare", table, run), again, 1),
        new Timed("run", Lampyris.class, command("run", table, run), again, 1.5),
        new Timed(
            stored, SparkAlone.class, List.of(SparkAlone.SUM, run + "/prepared/table"), null, 0),
        new Timed("sample", Lampyris.class, command("sample", table, run), stored, 3),
        new Timed("summarize", Lampyris.class, List.of("summarize", run), session, 1.1));
  }

  private static List<String> command(String name, String table, String output) {
    List<String> set = List.of("data.input=" + table, "data.label=y", "output=" + output);
    List<String> line = new ArrayList<>(List.of(name, "--overwrite"));
    set.forEach(key -> line.addAll(List.of("--set", key)));
    return line;
  }

  private static String table(List<Timed> timed, Map<String, List<Double>> seconds) {
    StringBuilder text =
        new StringBuilder("| | seconds | | wanted | met |\n|---|--:|--:|--:|---|\n");
    for (Timed one : timed) {
      List<Double> all = Objects.requireNonNull(seconds.get(one.name));
      String every =
          all.stream().map(took -> Text.of("%.1f", took)).collect(Collectors.joining(", "));
      if (one.beside == null) {
        text.append(Text.of("| %s | %s | | | |\n", one.name, every));
      } else {
        double times = median(all) / median(Objects.requireNonNull(seconds.get(one.beside)));
        text.append(
            Text.of(
                "| `%s` | %s | %.2f × *%s* | at most %s | %s |\n",
                one.name,
                every,
                times,
                one.beside,
                one.atMost,
                times <= one.atMost ? "yes" : "**no**"));
      }
    }
    return text.toString();
  }

  private static double median(List<Double> seconds) {
    double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return 0.5 * (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]);
  }

  /** Runs a process with the options of this Java, and returns its seconds. */
  private double seconds(Class<?> main, List<String> args, Path log) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // What this process records of itself, or listens on, is its own.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-javaagent") && !option.startsWith("-agentlib"))
        .forEach(line::add);
    line.add("-Dspark.master=" + master);
    line.add("-Dspark.ui.enabled=false");
    line.addAll(List.of("-cp", classPath(), main.getName()));
    line.addAll(args);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    long begun = System.nanoTime();
    Process process = builder.start();
    try {
      int code = process.waitFor();
      if (code != ExitCode.OK) {
        throw UserException.usage(
            "%s ended with code %s. Its output is in %s."
                .formatted(String.join(" ", args), code, log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    return 1e-9 * (System.nanoTime() - begun);
  }

  /** Returns the class path: spark-submit loads the jars themselves in its own way. */
  private static String classPath() {
    List<String> jars = new ArrayList<>();
    for (Class<?> of : Arrays.asList(Lampyris.class, WholeProcesses.class)) {
      try {
        jars.add(
            Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
    jars.add(System.getProperty("java.class.path"));
    return String.join(File.pathSeparator, jars);
  }
}
