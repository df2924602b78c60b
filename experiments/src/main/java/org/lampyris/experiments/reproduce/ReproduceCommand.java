package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
import org.lampyris.experiments.command.ExperimentCommand;
import org.lampyris.experiments.ica.DesignTable;
import org.lampyris.experiments.ica.Signals;
import org.lampyris.experiments.ica.UnmixingStudy;
import org.lampyris.experiments.mrf.FieldExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the rows of an experiment on one prepared table, and compares them. */
@Command(name = "reproduce", description = "Run an experiment and write its table.")
public final class ReproduceCommand extends ExperimentCommand {
  private static final Set<Need> NEEDS =
      EnumSet.of(Need.INPUT, Need.LABEL, Need.OUTPUT, Need.PREPARED, Need.BOUNDS);

  /** The folder of a table that is made. */
  private static final String TABLE = "table";

  @Parameters(
      index = "0",
      paramLabel = "<experiment>",
      description = "mnist, cifar3, flights, zoo, ica, mrf, or a file like those in experiments/.")
  private String name = "";

  @Option(
      names = "--data",
      paramLabel = "<folder>",
      description = "The folder of the experiments' tables; ica and mrf make their own.")
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
    Path folder = output != null ? output : Path.of("runs", name.replaceAll(".*/|\\.ya?ml$", ""));
    requireFree(folder, ComparisonTable.MARKDOWN, "");
    if (name.equals(FieldExperiment.NAME)) {
      FieldExperiment.Tables tables = FieldExperiment.read(quick).tables();
      write(folder, "table", tables.markdown(), tables.csv());
      return ExitCode.OK;
    }
    Experiment experiment = Experiment.read(name, quick);
    List<Experiment.Row> rows = chosen(experiment);
    List<JobConfig> jobs = jobs(experiment, rows, folder);
    List<RowResult> results = new ArrayList<>();
    try (Session session = open();
        Progress progress = console.progress().get()) {
      Sampling sampling = new Sampling(steps, "reproduce");
      JobConfig first = jobs.get(0);
      UnmixingStudy study = study(experiment, folder, session, sampling, progress);
      sampling.phase(
          "prepare", progress, () -> steps.prepare(session.spark(), first, true, progress::note));
      sampling.phase(
          "precompute",
          progress,
          () -> steps.precompute(session.spark(), first, true, progress::note));
      for (int i = 0; i < rows.size(); i++) {
        progress.note(rows.get(i).name());
        results.add(row(sampling, session, rows.get(i), jobs.get(i), progress, study));
      }
      if (study != null) {
        progress.note("risk, and designs of the test");
        write(folder, "risk", study.risk().markdown(), study.risk().csv());
        DesignTable designs = study.designs();
        write(folder, "designs", designs.markdown(), designs.csv());
      }
    }
    ComparisonTable table = new ComparisonTable(experiment.title(), results);
    write(folder, "table", table.markdown(), table.csv());
    return ExitCode.OK;
  }

  /** Makes the table, if the experiment makes its own. */
  private @Nullable UnmixingStudy study(
      Experiment experiment, Path folder, Session session, Sampling sampling, Progress progress) {
    Signals signals = experiment.signals();
    if (signals == null) {
      return null;
    }
    UnmixingStudy study = new UnmixingStudy(session.spark(), signals);
    sampling.phase("generate", progress, () -> study.write(folder.resolve(TABLE).toString()));
    return study;
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
  private List<JobConfig> jobs(Experiment experiment, List<Experiment.Row> rows, Path folder)
      throws IOException {
    ConfigReader reader = new ConfigReader();
    Path file = Files.createTempFile("lampyris-", ".yaml");
    try {
      Files.writeString(file, experiment.yaml(), StandardCharsets.UTF_8);
      List<JobConfig> jobs = new ArrayList<>();
      for (Experiment.Row row : rows) {
        List<SetOption> set = new ArrayList<>();
        set.add(SetOption.flag("--data", input(experiment, folder), "data", "input"));
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

  private RowResult row(
      Sampling sampling,
      Session session,
      Experiment.Row row,
      JobConfig job,
      Progress progress,
      @Nullable UnmixingStudy study)
      throws IOException {
    try (RunWriter writer = RunWriter.reserve(session.hadoop(), job.outputFolder(), true)) {
      SampledRun sampled = steps.sample(session.spark(), job, progress);
      if (study != null) {
        study.add(row.name(), sampled);
      }
      return RowResult.of(row, sampled, sampling.write(sampled, job, writer, progress));
    }
  }

  private String input(Experiment experiment, Path folder) {
    if (experiment.signals() != null) {
      return folder.resolve(TABLE).toString();
    }
    if (data == null) {
      throw UserException.usage(
          "reproduce %s needs --data <folder>, the folder of the experiments' tables."
              .formatted(name));
    }
    return data + "/" + experiment.file();
  }

  private void write(Path folder, String file, String markdown, String csv) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(file + ".csv"), csv);
    Files.writeString(folder.resolve(file + ".md"), markdown);
    show(
        markdown,
        "This is %s.md in %s, and %s.csv with every digit.".formatted(file, folder, file));
  }
}
