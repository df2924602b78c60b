package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.cli.Console;
import org.lampyris.driver.cli.ExitCode;
import org.lampyris.driver.cli.Sampling;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.experiments.pictures.Drawing;
import org.lampyris.experiments.pictures.Illustration;
import org.lampyris.experiments.pictures.RunPictures;
import org.lampyris.experiments.study.ExperimentCommand;
import org.lampyris.experiments.study.Study;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the rows of an experiment on one prepared table, and compares them. */
@Command(
    name = "reproduce",
    description = "Run an experiment from the papers and write its table.",
    footer = {
      "",
      "Example. A short run of an experiment's first row:",
      "  lampyris reproduce mnist --data ../shared/data --rows 1 --quick"
    })
public final class ReproduceCommand extends ExperimentCommand {
  /** The folder of a table of signals. */
  private static final String SIGNALS = "table";

  @Parameters(
      index = "0",
      paramLabel = "<experiment>",
      description =
          "mnist, cifar3, flights, zoo, austerity, risk, selection, mixture, worked, points,"
              + " resampling, running, laplace, shards, divide, ica, mrf, pitfalls, burn-in-mnist,"
              + " burn-in-cifar3, burn-in-flights, covtype, covtype-gamma, or a file like those in experiments/. Or a picture: bound,"
              + " fireflies, sequential-test, student. Or a table in memory: theory,"
              + " half-bright, paths.")
  private String name = "";

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description =
          "The folder of the experiments' tables; mixture, worked, points, resampling, running,"
              + " laplace, divide, ica, mrf, pitfalls and the pictures generate their own.")
  private @Nullable String data;

  @Option(
      names = "--factors",
      paramLabel = "<file>",
      description =
          "For mrf: a CSV file of factors in place of random ones. A line has three variables,"
              + " from 0, and log f for 000, 001, …, 111.")
  private @Nullable String factors;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "The folder of the results (default: runs/<experiment>).")
  private @Nullable Path output;

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "<numbers>",
      description = "Which rows, from 1 (default: all). The others are compared with the first.")
  private List<Integer> numbers = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description = "Override one key in every row. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(names = "--quick", description = "Few iterations: only checks that it works.")
  private boolean quick;

  /** Returns the command. */
  public ReproduceCommand(Steps steps, Console console) {
    super("reproduce", steps, console);
  }

  @Override
  public Integer call() throws IOException {
    Path folder = output != null ? output : Path.of("runs", name.replaceAll(".*/|\\.ya?ml$", ""));
    if (name.equals(FieldExperiment.NAME)) {
      requireFree(folder, MethodTable.MARKDOWN, "");
      FieldExperiment.Tables tables = FieldExperiment.read(quick).tables(factors);
      write(folder, Map.of(MethodTable.CSV, tables.csv(), MethodTable.MARKDOWN, tables.markdown()));
      show(tables.markdown(), "The table is in " + folder + ".");
      return ExitCode.OK;
    }
    if (Illustration.NAMES.contains(name)) {
      requireFree(folder, Illustration.TABLE, "");
      Map<String, String> files = Illustration.of(name, data, quick).files();
      write(folder, files);
      show(files.getOrDefault(Illustration.TABLE, ""), "The pictures are in " + folder + ".");
      return ExitCode.OK;
    }
    Experiment experiment = Experiment.read(name, quick);
    List<Experiment.Row> rows = chosen(experiment);
    Map<Path, String> inputs = inputs(experiment, folder);
    Map<Path, List<JobConfig>> jobs = new LinkedHashMap<>();
    for (Map.Entry<Path, String> input : inputs.entrySet()) {
      requireFree(input.getKey(), MethodTable.MARKDOWN, "");
      jobs.put(
          input.getKey(),
          RowJobs.read(experiment, rows, input.getValue(), input.getKey(), over(experiment)));
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

  /** Returns the tables by their results' folders; generates those that are generated. */
  private Map<Path, String> inputs(Experiment experiment, Path folder) throws IOException {
    if (experiment.file() != null || experiment.measure().predictive() != null) {
      data();
    }
    if (experiment.file() != null) {
      return Map.of(folder, data() + "/" + experiment.file());
    }
    if (experiment.signals() != null) {
      return Map.of(folder, folder.resolve(SIGNALS).toString());
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
      throw UserException.usage(
          "the experiment " + name + " needs --data. Set it to the tables' folder.");
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

  /** Returns the settings over every row. */
  private List<String> over(Experiment experiment) {
    List<String> over = new ArrayList<>(quick ? experiment.quick() : List.of());
    over.addAll(settings);
    return over;
  }

  /** The rows on one prepared table. */
  private final class Table {
    private final Experiment experiment;
    private final Sampling sampling;
    private final Session session;
    private final Progress progress;
    private final List<RowResult> results = new ArrayList<>();
    private final List<Study> studies = new ArrayList<>();
    private @Nullable Quadrature posterior;

    Table(Experiment experiment, Sampling sampling, Session session, Progress progress) {
      this.experiment = experiment;
      this.sampling = sampling;
      this.session = session;
      this.progress = progress;
    }

    /** Runs the jobs, writes their results, and returns the table. */
    String run(String title, List<Experiment.Row> rows, List<JobConfig> jobs, Path folder)
        throws IOException {
      JobConfig first = jobs.get(0);
      begin(title, folder, first);
      sampling.phase(
          "prepare", progress, () -> steps.prepare(session.spark(), first, true, progress::note));
      sampling.phase(
          "precompute",
          progress,
          () -> steps.precompute(session.spark(), first, true, progress::note));
      for (int i = 0; i < rows.size(); i++) {
        progress.note(rows.get(i).name());
        results.add(row(rows.get(i), jobs.get(i), folder));
      }
      MethodTable table = new MethodTable(title, results);
      Map<String, String> files = new LinkedHashMap<>();
      files.put(MethodTable.CSV, table.csv());
      files.put(MethodTable.MARKDOWN, table.markdown());
      studies.forEach(study -> files.putAll(study.files()));
      write(folder, files);
      return files.entrySet().stream()
          .filter(file -> file.getKey().endsWith(".md"))
          .map(Map.Entry::getValue)
          .collect(Collectors.joining("\n"));
    }

    /** Prepares the additional measures and pictures, and a table of signals. */
    private void begin(String title, Path folder, JobConfig job) throws IOException {
      Signals signals = experiment.signals();
      if (signals != null) {
        UnmixingStudy study = new UnmixingStudy(session.spark(), signals);
        String table = folder.resolve(SIGNALS).toString();
        sampling.phase("generate", progress, () -> study.write(table));
        studies.add(study);
      }
      List<Drawing> pictures = experiment.measure().pictures();
      if (!pictures.isEmpty()) {
        studies.add(
            new RunPictures(
                pictures, thetas -> Quadrature.logPosterior(thetas, session.spark(), job)));
      }
      Experiment.Predictive of = experiment.measure().predictive();
      if (of != null) {
        studies.add(new RiskStudy(of.read(data()), title));
      }
    }

    /** Returns the output folder of a row. */
    private String kept(String row, Path folder) {
      return folder.resolve(experiment.row(row).folder()).toString();
    }

    private RowResult row(Experiment.Row row, JobConfig job, Path folder) throws IOException {
      try (RunWriter writer = RunWriter.reserve(session.hadoop(), job.outputFolder(), true)) {
        SampledRun sampled =
            row.from() == null
                ? steps.sample(session.spark(), job, progress)
                : steps.combine(session.spark(), job, kept(row.from(), folder), progress);
        if (experiment.measure().totalVariation() && posterior == null) {
          posterior = Quadrature.about(sampled.chains(), session.spark(), job);
        }
        studies.forEach(study -> study.add(row.name(), sampled));
        return RowResult.of(
            row, sampled, sampling.write(sampled, job, writer, progress), posterior);
      }
    }
  }

  private static void write(Path folder, Map<String, String> files) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }
}
