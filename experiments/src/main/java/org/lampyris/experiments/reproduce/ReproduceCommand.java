package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.command.ExitCode;
import org.lampyris.driver.command.Sampling;
import org.lampyris.driver.command.Session;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.Need;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.steps.Steps;
import org.lampyris.experiments.chart.LogLogChart;
import org.lampyris.experiments.command.ExperimentCommand;
import org.lampyris.experiments.risk.PredictiveRisk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the rows of an experiment on one prepared table, and compares them. */
@Command(name = "reproduce", description = "Run an experiment of the papers and write its table.")
public final class ReproduceCommand extends ExperimentCommand {
  private static final Set<Need> NEEDS =
      EnumSet.of(Need.INPUT, Need.LABEL, Need.OUTPUT, Need.PREPARED, Need.BOUNDS);

  @Parameters(
      index = "0",
      paramLabel = "<experiment>",
      description =
          "mnist, cifar3, flights, zoo, austerity, risk, mixture, running, or a file like those in"
              + " experiments/.")
  private String name = "";

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description = "The folder of the experiments' tables; not needed by mixture and running.")
  private @Nullable String data;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "The folder of the results (default: runs/<experiment>).")
  private @Nullable Path output;

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "<numbers>",
      description =
          "Which rows, from 1 (default: all). The first is what others are compared with.")
  private List<Integer> numbers = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description = "Set one key over every row. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(names = "--quick", description = "Few iterations: shows that it works, and no more.")
  private boolean quick;

  /** Returns the command. */
  public ReproduceCommand(Steps steps, Console console) {
    super("reproduce", steps, console);
  }

  @Override
  public Integer call() throws IOException {
    Experiment experiment = Experiment.read(name);
    List<Experiment.Row> rows = chosen(experiment);
    Path folder = output != null ? output : Path.of("runs", name.replaceAll(".*/|\\.ya?ml$", ""));
    Map<Path, String> inputs = inputs(experiment, folder);
    Map<Path, List<JobConfig>> jobs = new LinkedHashMap<>();
    for (Map.Entry<Path, String> input : inputs.entrySet()) {
      requireFree(input.getKey(), ComparisonTable.MARKDOWN, "");
      jobs.put(input.getKey(), jobs(experiment, rows, input.getValue(), input.getKey()));
    }
    List<String> tables = new ArrayList<>();
    try (Session session = open();
        Progress progress = console.progress().get()) {
      Sampling sampling = new Sampling(steps, "reproduce");
      for (Path at : inputs.keySet()) {
        String title = experiment.title() + (at.equals(folder) ? "" : ": " + at.getFileName());
        Table table = new Table(experiment, sampling, session, progress);
        tables.add(table.run(title, rows, jobs.getOrDefault(at, List.of()), at));
      }
    }
    show(String.join("\n", tables), "The table and the draws of every row are in " + folder + ".");
    return ExitCode.OK;
  }

  /** Returns the tables by where their results go; makes those that are to be made. */
  private Map<Path, String> inputs(Experiment experiment, Path folder) throws IOException {
    if (experiment.file() != null || experiment.predictive() != null) {
      data();
    }
    if (experiment.file() != null) {
      return Map.of(folder, data() + "/" + experiment.file());
    }
    Map<Path, String> inputs = new LinkedHashMap<>();
    for (Map.Entry<String, MadeTable> made : experiment.tables().entrySet()) {
      Path file = folder.resolve("tables").resolve(made.getKey() + ".csv");
      made.getValue().write(file);
      inputs.put(folder.resolve(made.getKey()), file.toString());
    }
    return inputs;
  }

  private String data() {
    if (data == null) {
      throw UserException.usage("the experiment " + name + " needs --data, the tables' folder.");
    }
    return data;
  }

  private List<Experiment.Row> chosen(Experiment experiment) {
    List<Experiment.Row> all = experiment.rows();
    for (int number : numbers) {
      if (number < 1 || number > all.size()) {
        throw UserException.usage(
            "--rows " + number + ": the experiment has the rows 1 to " + all.size() + ".");
      }
    }
    return numbers.isEmpty() ? all : numbers.stream().map(number -> all.get(number - 1)).toList();
  }

  /** Reads the configurations of all rows before anything runs. */
  private List<JobConfig> jobs(
      Experiment experiment, List<Experiment.Row> rows, String input, Path folder)
      throws IOException {
    ConfigReader reader = new ConfigReader();
    Path file = Files.createTempFile("lampyris-", ".yaml");
    try {
      Files.writeString(file, experiment.yaml(), StandardCharsets.UTF_8);
      List<JobConfig> jobs = new ArrayList<>();
      for (Experiment.Row row : rows) {
        List<SetOption> set = new ArrayList<>();
        set.add(SetOption.flag("--data", input, "data", "input"));
        row.settings().forEach(setting -> set.add(SetOption.parse(setting)));
        if (quick) {
          experiment.quick().forEach(setting -> set.add(SetOption.parse(setting)));
        }
        settings.forEach(setting -> set.add(SetOption.parse(setting)));
        set.add(SetOption.flag("output", folder.resolve(row.folder()).toString(), "output"));
        set.add(SetOption.flag("prepared", folder.resolve("prepared").toString(), "prepared"));
        set.add(SetOption.flag("bounds", folder.resolve("bounds").toString(), "bounds"));
        jobs.add(reader.read(file, set, "reproduce", NEEDS));
      }
      return jobs;
    } finally {
      Files.delete(file);
    }
  }

  /** The rows on one prepared table. */
  private final class Table {
    private final Experiment experiment;
    private final Sampling sampling;
    private final Session session;
    private final Progress progress;
    private final List<RowResult> results = new ArrayList<>();
    private final List<LogLogChart.Curve> curves = new ArrayList<>();
    private @Nullable Quadrature posterior;

    Table(Experiment experiment, Sampling sampling, Session session, Progress progress) {
      this.experiment = experiment;
      this.sampling = sampling;
      this.session = session;
      this.progress = progress;
    }

    /** Runs them, writes what they came to, and returns the table. */
    String run(String title, List<Experiment.Row> rows, List<JobConfig> jobs, Path folder)
        throws IOException {
      JobConfig first = jobs.get(0);
      sampling.phase(
          "prepare", progress, () -> steps.prepare(session.spark(), first, true, progress::note));
      sampling.phase(
          "precompute",
          progress,
          () -> steps.precompute(session.spark(), first, true, progress::note));
      PredictiveRisk risk = risk();
      for (int i = 0; i < rows.size(); i++) {
        progress.note(rows.get(i).name());
        results.add(row(rows.get(i), jobs.get(i), risk));
      }
      ComparisonTable table = new ComparisonTable(title, results);
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(ComparisonTable.CSV), table.csv());
      Files.writeString(folder.resolve(ComparisonTable.MARKDOWN), table.markdown());
      if (risk != null) {
        LogLogChart chart =
            new LogLogChart(title, "likelihood evaluations of a chain", "risk", curves);
        Files.writeString(folder.resolve("risk.csv"), PredictiveRisk.csv(curves));
        Files.writeString(folder.resolve("risk.svg"), chart.svg());
      }
      return table.markdown();
    }

    private @Nullable PredictiveRisk risk() throws IOException {
      Experiment.Predictive of = experiment.predictive();
      return of == null
          ? null
          : PredictiveRisk.read(data() + "/" + of.test(), data() + "/" + of.truth(), of.column());
    }

    private RowResult row(Experiment.Row row, JobConfig job, @Nullable PredictiveRisk risk)
        throws IOException {
      try (RunWriter writer = RunWriter.reserve(session.hadoop(), job.outputFolder(), true)) {
        SampledRun sampled = steps.sample(session.spark(), job, progress);
        if (experiment.totalVariation() && posterior == null) {
          posterior = Quadrature.about(sampled.chains(), session.spark(), job);
        }
        if (risk != null) {
          curves.add(risk.curve(row.name(), sampled));
        }
        return RowResult.of(
            row, sampled, sampling.write(sampled, job, writer, progress), posterior);
      }
    }
  }
}
