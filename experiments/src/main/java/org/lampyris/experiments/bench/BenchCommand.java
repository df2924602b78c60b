package org.lampyris.experiments.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.cli.ExitCode;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.cli.Version;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.lampyris.experiments.study.ExperimentCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures algorithms on tables of many sizes, compared with the limits of the machine. */
@Command(
    name = "bench",
    description =
        "Measure algorithms on tables of many sizes, compared with the limits of the machine.",
    footer = {
      "",
      "Example. Two algorithms on generated tables of two sizes:",
      "  lampyris bench --algorithms firefly,mhss --rows 10000,1000000 --features 20",
      "Example. Expected run times on clusters of 10 and 100 workers of 16 cores:",
      "  lampyris bench --simulate --workers 10,100 --cores 16",
      "Example. Times of whole commands, compared with Spark reading and writing the same tables:",
      "  lampyris bench --processes --rows 1000000,10000000 --features 20"
    })
public final class BenchCommand extends ExperimentCommand {
  /** Beyond this a row is not run longer for the sake of its goal. */
  private static final double ROW_SECONDS = 600;

  private static final int ROUNDS = 3;

  private static final Bench.Limits THOROUGH = new Bench.Limits(2, 10, ROW_SECONDS);
  private static final Bench.Limits QUICK = new Bench.Limits(0.5, 1, ROW_SECONDS);

  @Mixin private final GridOptions grid = new GridOptions();

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--processes",
      description =
          "Time whole commands, from the raw table on. Compare them with processes in which Spark"
              + " alone reads and writes the same table (--rows; default: 1000000,10000000;"
              + " --features).")
  private boolean processes;

  @Option(
      names = "--targets",
      arity = "0..1",
      fallbackValue = "all",
      paramLabel = "<numbers>",
      description =
          "Run the engine's targets, all or the given numbers, and write the figures beside them."
              + " Other options that select runs are ignored.")
  private @Nullable String targets;

  @Option(
      names = "--data",
      paramLabel = "<path>",
      description =
          "Your own table instead of generated ones: a prepared folder, or a table with --label."
              + " With --targets, the folder of the experiments' tables.")
  private @Nullable String data;

  @Option(
      names = "--label",
      paramLabel = "<column>",
      description = "The label's column in your own table.")
  private @Nullable String label;

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description = "Override one key in every row. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--work",
      paramLabel = "<folder>",
      description =
          "The folder that keeps generated tables for later runs (default: ${DEFAULT-VALUE}).",
      defaultValue = "runs/bench-tables")
  private String work = "";

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "The folder of the results (default: ${DEFAULT-VALUE}).",
      defaultValue = "runs/bench")
  private Path output = Path.of("");

  @Option(
      names = "--quick",
      description = "Small tables and short runs: only checks that it works.")
  private boolean quick;

  /** Returns the command. */
  public BenchCommand(Steps steps, Console console) {
    super("bench", steps, console);
  }

  @Override
  public Integer call() throws IOException {
    if (cluster.simulate()) {
      return simulate();
    }
    if (processes) {
      return processes();
    }
    requireFree(output, BenchReport.MARKDOWN, " with --output");
    Targets claimed = Targets.read(quick);
    Set<Integer> wanted = targets == null ? Set.of() : claimed.numbers(targets);
    BenchJobs jobs = new BenchJobs(new ConfigReader(), work, settings);
    List<Subject> subjects = targets == null ? grid(jobs) : claimed.subjects(wanted, data);
    List<SubjectResult> results = new ArrayList<>();
    try (Session session = open();
        Progress progress = console.progress().get()) {
      String machine = machine(session.spark());
      Bench bench = new Bench(session.spark(), steps, jobs, quick ? QUICK : THOROUGH, progress);
      for (Subject subject : subjects) {
        results.add(bench.run(subject));
        // After every table: the next may take long, and need more memory than there is.
        new BenchReport(machine, results, claimed.verdicts(wanted, results)).write(output);
      }
    }
    show(
        Files.readString(output.resolve(BenchReport.MARKDOWN)),
        "These tables, and CSV with every digit, are in " + output + ".");
    return ExitCode.OK;
  }

  private int simulate() throws IOException {
    requireFree(output, Simulation.MARKDOWN, " with --output");
    List<PhaseCosts.Cluster> clusters = cluster.clusters();
    BenchJobs jobs = new BenchJobs(new ConfigReader(), work, settings);
    List<Simulation.Table> tables = new ArrayList<>();
    for (Subject table : grid.sizes(quick)) {
      if (table.source() instanceof Subject.Source.Generated made) {
        tables.add(new Simulation.Table(made.rows(), made.features() + 1, jobs.of(table)));
      }
    }
    try (Session session = open();
        Progress progress = console.progress().get()) {
      SparkSession spark = session.spark();
      new Simulation(spark, steps, progress).write(tables, clusters, machine(spark), output);
    }
    show(
        Files.readString(output.resolve(Simulation.MARKDOWN)),
        "This, and CSV with every digit, is in " + output + ".");
    return ExitCode.OK;
  }

  private int processes() throws IOException {
    requireFree(output, WholeProcesses.MARKDOWN, " with --output");
    String master;
    String machine;
    // Closed before anything is timed: two sessions would be in each other's way.
    try (Session session = open()) {
      master = session.spark().sparkContext().master();
      machine = machine(session.spark());
    }
    try (Progress progress = console.progress().get()) {
      progress.start("processes", 0);
      new WholeProcesses(Path.of(work), quick ? 1 : ROUNDS, master)
          .write(grid.raw(quick), grid.width(), machine, output, progress::note);
      progress.end();
    }
    show(
        Files.readString(output.resolve(WholeProcesses.MARKDOWN)),
        "These tables, CSV with every time, and the commands' output are in " + output + ".");
    return ExitCode.OK;
  }

  /** Returns the grid's tables, all of whose configurations have been read. */
  private List<Subject> grid(BenchJobs jobs) {
    List<Subject> subjects = grid.subjects(quick, data, label);
    for (Subject subject : subjects) {
      subject.entries().forEach(entry -> jobs.of(subject, entry, entry.pilot()));
    }
    return subjects;
  }

  private static String machine(SparkSession spark) {
    Runtime runtime = Runtime.getRuntime();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return Text.of(
        "%s, %d processors (load average %.1f at the start), heap of up to %.1f GiB; Lampyris %s,"
            + " Spark %s, Java %s.",
        spark.sparkContext().master(),
        runtime.availableProcessors(),
        load,
        runtime.maxMemory() / (double) (1 << 30),
        Version.lampyris(),
        Version.spark(),
        Version.java());
  }
}
