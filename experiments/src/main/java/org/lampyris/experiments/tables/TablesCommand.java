package org.lampyris.experiments.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.cli.ExitCode;
import org.lampyris.driver.cli.Sampling;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.experiments.study.ExperimentCommand;
import org.lampyris.samplers.diagnostics.VariableSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the jobs of a folder, with the algorithm that each has and with others. */
@Command(
    name = "tables",
    description = "Run every job file of a folder, and write the results as tables.",
    footer = {
      "",
      "Example. Every job file of a folder, with two algorithms:",
      "  lampyris tables --jobs jobs --algorithms auto,metropolis"
    })
public final class TablesCommand extends ExperimentCommand {
  private static final Set<NeededKey> NEEDS =
      EnumSet.of(
          NeededKey.INPUT, NeededKey.LABEL, NeededKey.OUTPUT, NeededKey.PREPARED, NeededKey.BOUNDS);

  @Option(
      names = "--jobs",
      required = true,
      paramLabel = "<folder>",
      description =
          "The folder with the job files, <name>.yaml, and any references, <name>.reference.csv.")
  private Path jobs = Path.of("");

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "<names>",
      description = "Which jobs (default: all).")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--algorithms",
      split = ",",
      paramLabel = "<names>",
      description = "Which algorithms sample each table (default: the algorithm in its job).")
  private List<String> algorithms = List.of("");

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description = "Override one key of every job. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "The folder of the results (default: ${DEFAULT-VALUE}).",
      defaultValue = "runs/tables")
  private Path output = Path.of("");

  /** Returns the command. */
  public TablesCommand(Steps steps, Console console) {
    super("tables", steps, console);
  }

  @Override
  public Integer call() throws Exception {
    requireFree(output, TablesReport.MARKDOWN, " with --output");
    List<TableRow> rows = new ArrayList<>();
    TablesReport report = new TablesReport(rows);
    List<String> names = names();
    try (Session session = open();
        Progress progress = console.progress().get()) {
      for (String name : names) {
        new Table(name, session, progress).run(rows);
        Files.createDirectories(output);
        for (Map.Entry<String, String> file : report.files().entrySet()) {
          Files.writeString(output.resolve(file.getKey()), file.getValue());
        }
      }
    }
    show(report.markdown(), "These tables, and CSV with every digit, are in " + output + ".");
    return ExitCode.OK;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(jobs)) {
      List<String> names =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(file -> file.endsWith(".yaml"))
              .map(file -> file.substring(0, file.length() - ".yaml".length()))
              .filter(name -> only.isEmpty() || only.contains(name))
              .sorted()
              .toList();
      if (names.isEmpty()) {
        throw UserException.usage(
            "--jobs: there is no job " + jobs + ". Name a job file of the folder.");
      }
      return names;
    }
  }

  /** A job on its table. */
  private final class Table {
    private final String name;
    private final Session session;
    private final Progress progress;

    Table(String name, Session session, Progress progress) {
      this.name = name;
      this.session = session;
      this.progress = progress;
    }

    void run(List<TableRow> rows) throws Exception {
      Reference reference = Reference.read(jobs.resolve(name + Reference.ENDING));
      double before = Double.NaN;
      for (String algorithm : algorithms) {
        progress.note(name + " " + algorithm);
        try {
          JobConfig job = job(algorithm);
          if (Double.isNaN(before)) {
            before = prepared(job);
          }
          rows.add(new TableRow(name, algorithm, sampled(job, reference, before), ""));
        } catch (Exception e) {
          // Spark throws checked exceptions, too, which its methods do not declare.
          progress.end();
          rows.add(new TableRow(name, algorithm, TableRow.Found.NOTHING, remark(e)));
        }
      }
    }

    /** Returns the message of a problem that the user can mend, which Spark may have wrapped. */
    private static String remark(Exception failure) throws Exception {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (cause instanceof UserException) {
          return String.valueOf(cause.getMessage());
        }
      }
      throw failure;
    }

    private JobConfig job(String algorithm) {
      Path folder = output.resolve(name);
      List<SetOption> set = new ArrayList<>();
      settings.forEach(setting -> set.add(SetOption.parse(setting)));
      if (!algorithm.isEmpty()) {
        set.add(SetOption.flag("--algorithms", algorithm, "sampler", "algorithm"));
      }
      String own = algorithm.isEmpty() ? "run" : algorithm;
      set.add(SetOption.flag("output", folder.resolve(own).toString(), "output"));
      set.add(SetOption.flag("prepared", folder.resolve("prepared").toString(), "prepared"));
      set.add(SetOption.flag("bounds", folder.resolve("bounds").toString(), "bounds"));
      return new ConfigReader().read(jobs.resolve(name + ".yaml"), set, command, NEEDS);
    }

    /** Prepares the table, and returns the seconds that it took. */
    private double prepared(JobConfig job) {
      long begun = System.nanoTime();
      Sampling sampling = new Sampling(steps, command);
      sampling.phase(
          "prepare", progress, () -> steps.prepare(session.spark(), job, true, progress::note));
      sampling.phase(
          "precompute",
          progress,
          () -> steps.precompute(session.spark(), job, true, progress::note));
      return since(begun);
    }

    private TableRow.Found sampled(JobConfig job, Reference reference, double before)
        throws IOException {
      long begun = System.nanoTime();
      TableSchema schema = TableSchema.read(job.preparedFolder(), session.hadoop());
      try (RunWriter writer = RunWriter.reserve(session.hadoop(), job.outputFolder(), true)) {
        SampledRun run = steps.sample(session.spark(), job, progress);
        List<VariableSummary> summary =
            new Sampling(steps, command).write(run, job, writer, progress);
        return TableRow.Found.of(
            TableRow.Sampled.of(job, schema, run), run, summary, reference, before + since(begun));
      }
    }

    private static double since(long begun) {
      return 1e-9 * (System.nanoTime() - begun);
    }
  }
}
