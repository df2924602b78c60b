package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.predict.LooJob;
import org.lampyris.driver.predict.LooReport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a job for several values of one key, and compares the runs by leave-one-out. */
@Command(
    name = "tune",
    description =
        "Run a job for several values of one key, into subfolders of its output. Report which value"
            + " predicts rows that are left out best (elpd_loo). All runs share the first one's table"
            + " if the key concerns a prior, the sampler or precompute.",
    footer = {
      "",
      "Example. Which scale of the prior predicts best:",
      "  lampyris tune --config clicks.yaml --key model.prior --values normal(0,0.1),normal(0,1)"
    })
final class TuneCommand extends SparkCommand {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Option(names = "--key", required = true, paramLabel = "<key>", description = "The key to vary.")
  private String key = "";

  @Option(
      names = "--values",
      required = true,
      paramLabel = "<values>",
      description = "Its values between commas. Commas in parentheses are part of a value.")
  private String values = "";

  @Option(
      names = "--rows",
      paramLabel = "<count>",
      description = "How many rows to draw for elpd_loo (default: 1000).")
  private int rows = LooCommand.ROWS;

  private final Steps steps;

  TuneCommand(Steps steps, Console console) {
    super("tune", console);
    this.steps = steps;
  }

  @Override
  public Integer call() throws IOException {
    JobConfig job = config.read(name, EnumSet.of(NeededKey.OUTPUT, NeededKey.INPUT));
    String base = job.outputFolder();
    Map<String, String> folders = folders(base);
    if (rows < 2 || folders.size() < 2) {
      throw UserException.usage(
          rows < 2
              ? "--rows is " + rows + ". Set it to 2 or more."
              : "--values has fewer than two different values. Name at least two.");
    }
    // The runs use this session and leave it open.
    try (Session session = Session.open(name, super.run.verbose())) {
      return tuned(session, base, folders);
    }
  }

  private int tuned(Session session, String base, Map<String, String> folders) throws IOException {
    String table = null;
    int worst = ExitCode.OK;
    for (Map.Entry<String, String> one : folders.entrySet()) {
      console.out().println(key + ": " + one.getValue());
      int code = run(one.getKey(), one.getValue(), table);
      if (code != ExitCode.OK && code != ExitCode.NOT_CONVERGED) {
        return code;
      }
      worst = Math.max(worst, code);
      if (table == null && key.matches("(model\\.prior|sampler\\.|precompute\\.).*")) {
        table = one.getKey() + "/prepared";
      }
    }
    compare(session, base, List.copyOf(folders.keySet()));
    return worst;
  }

  /** Returns each run's folder with its value. */
  private Map<String, String> folders(String base) {
    Map<String, String> folders = new LinkedHashMap<>();
    for (String value : values.split(",(?![^(]*\\))", -1)) {
      String plain = value.strip().replaceAll("[^A-Za-z0-9.-]+", "_").replaceAll("_$", "");
      if (plain.isEmpty() || folders.put(base + "/" + plain, value.strip()) != null) {
        throw UserException.usage(
            "--values has \"%s\", which is empty or names the same folder as another value. Remove it."
                .formatted(value));
      }
    }
    return folders;
  }

  /**
   * Runs the job with a value.
   *
   * @param table the prepared table of an earlier value; null for its own
   */
  private int run(String folder, String value, @Nullable String table) throws IOException {
    List<String> args = new ArrayList<>(config.arguments());
    args.addAll(List.of("--set", key + "=" + value, "--set", "output=" + folder));
    args.addAll(List.of("--set", "bounds=" + folder + "/bounds"));
    args.addAll(List.of("--set", "prepared=" + (table == null ? folder + "/prepared" : table)));
    if (overwrite.overwrite()) {
      args.add("--overwrite");
    }
    String[] all = args.toArray(String[]::new);
    if (table == null) {
      SamplingCommand.Run run = new SamplingCommand.Run(steps, console);
      new CommandLine(run).parseArgs(all);
      return run.call();
    }
    JobCommand.Precompute precompute = new JobCommand.Precompute(steps, console);
    new CommandLine(precompute).parseArgs(all);
    precompute.call();
    SamplingCommand.Sample sample = new SamplingCommand.Sample(steps, console);
    new CommandLine(sample).parseArgs(all);
    return sample.call();
  }

  private void compare(Session session, String base, List<String> folders) throws IOException {
    LooReport report;
    try (OutputFolder target =
        OutputFolder.reserve(session.hadoop(), base, LooReport.ITEMS, overwrite.overwrite())) {
      report = LooJob.run(session.spark(), folders, rows);
      report.write(target);
    }
    List<String> lines = new ArrayList<>(report.lines());
    List<String> undecided = report.undecided();
    lines.add(
        undecided.isEmpty()
            ? "All other values predict worse by more than two standard errors."
            : "Not decided, within two standard errors of the best: "
                + String.join(", ", undecided));
    print(lines, base, "loo.json and loo.csv", report.doubts());
  }
}
