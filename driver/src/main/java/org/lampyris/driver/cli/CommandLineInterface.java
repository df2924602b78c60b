package org.lampyris.driver.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Parser of the command line, which runs the command and reports failures in one sentence. */
public final class CommandLineInterface {
  private static final int WIDTH = 100;

  /** Commands of the experiments' jar, for a hint if it is missing. */
  private static final Set<String> EXPERIMENTS = Set.of("bench", "programs", "reproduce", "tables");

  private final CommandLine commands;
  private final Console console;
  private final Interruption interruption = new Interruption();

  /**
   * Returns the command line.
   *
   * @param progress opens what shows how far a command is
   * @param args what {@link #execute} will be given, if that is known: other commands than the one
   *     they name are left out
   */
  public CommandLineInterface(
      Steps steps, PrintWriter out, PrintWriter err, Supplier<Progress> progress, String... args) {
    console = new Console(out, err, progress, interruption);
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("run", () -> new SamplingCommand.Run(steps, console));
    all.put("update", () -> new UpdateCommand(steps, console));
    all.put("generate", () -> new CommandLine(new GenerateCommand(steps, console)));
    all.put("prepare", () -> new JobCommand.Prepare(steps, console));
    all.put("precompute", () -> new JobCommand.Precompute(steps, console));
    all.put("sample", () -> new SamplingCommand.Sample(steps, console));
    all.put("combine", () -> new SamplingCommand.Combine(steps, console));
    all.put("summarize", () -> new SummarizeCommand(steps, console));
    all.put("hypothesis", () -> new HypothesisCommand(console));
    all.put("effects", () -> new EffectsCommand(console));
    all.put("report", () -> new ReportCommand(console));
    all.put(
        "export",
        () ->
            new CommandLine(new ExportCommand(console)).setCaseInsensitiveEnumValuesAllowed(true));
    all.put("predict", () -> new PredictCommand(console));
    all.put("loo", () -> new LooCommand(console));
    all.put("compare", () -> new CompareCommand(console));
    all.put("tune", () -> new TuneCommand(steps, console));
    all.put("config", () -> config(console));
    commands = new CommandLine(new Top());
    // picocli takes 10 ms to look at a command: not at others than the one that is named
    if (args.length > 0 && all.containsKey(args[0])) {
      commands.addSubcommand(args[0], all.get(args[0]).get());
    } else {
      all.forEach((name, command) -> commands.addSubcommand(name, command.get()));
      commands.addSubcommand(new AutoComplete.GenerateCompletion());
      for (CommandSource source : ServiceLoader.load(CommandSource.class)) {
        source.commands(steps, console).forEach(commands::addSubcommand);
      }
    }
    // What is set here is set for the subcommands, too.
    commands
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(WIDTH)
        .setParameterExceptionHandler(CommandLineInterface::misused)
        // An argument that begins with @ is what it says, not a file of further arguments.
        .setExpandAtFiles(false)
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, console.err()));
    for (CommandLine subcommand : commands.getSubcommands().values()) {
      subcommand.getCommandSpec().mixinStandardHelpOptions(true).versionProvider(new Version());
    }
  }

  private static CommandLine config(Console console) {
    CommandLine config = new CommandLine(new ConfigCommand(console));
    // Looked for when help is asked for, so that a jar that is at fault does not spoil the rest.
    config
        .getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER, h -> ConfigCommand.choices());
    return config;
  }

  /** Returns the commands. */
  CommandLine commands() {
    return commands;
  }

  /** Runs a command and returns the exit code. */
  public int execute(String... args) {
    Interruption.Watch watch = interruption.watch(console.err());
    try {
      return commands.execute(args);
    } catch (Error e) {
      // picocli hands on exceptions only; a lack of memory deserves a sentence, too.
      return failed(e, console.err());
    } finally {
      commands.getOut().flush();
      commands.getErr().flush();
      watch.end();
    }
  }

  private static int misused(CommandLine.ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    if (args.length > 0
        && EXPERIMENTS.contains(args[0])
        && !command.getSubcommands().containsKey(args[0])
        && e instanceof CommandLine.UnmatchedArgumentException) {
      err.println(
          "lampyris: \""
              + args[0]
              + "\" is in the experiments' jar, experiments/target/lampyris-experiments.jar, which"
              + " is not on the class path. In a checkout, submit-scripts/lampyris builds and adds"
              + " it. With spark-submit, add it to --jars.");
      return ExitCode.USAGE;
    }
    err.println("lampyris: " + Text.visible(String.valueOf(e.getMessage())));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try \"" + command.getCommandSpec().qualifiedName() + " --help\".");
    return ExitCode.USAGE;
  }

  private static int failed(Throwable thrown, PrintWriter err) {
    if (Interruption.isUnderWay()) {
      return ExitCode.INTERRUPTED;
    }
    if (thrown instanceof LazySession.WithoutSpark) {
      return ExitCode.NEEDS_SPARK;
    }
    Failure failure = Failure.of(thrown);
    Logger log = LoggerFactory.getLogger(CommandLineInterface.class); // late: it takes 0.2 s
    if (failure.isInternal() && !log.isErrorEnabled()) { // as the launcher has it without Spark
      thrown.printStackTrace(err);
    } else if (failure.isInternal()) {
      log.error("The command failed", thrown);
    } else {
      log.debug("The command failed", thrown);
    }
    err.println("lampyris: " + failure.message());
    return failure.exitCode();
  }

  /** The root command, with the text above the list of commands. */
  @Command(
      name = "lampyris",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "<command>",
      description = "Draws from the posterior of a regression on a table too tall to read often.",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:success",
        "1:an internal error; the log holds the stack trace",
        "2:the command line or the configuration is wrong",
        "3:the table, or a file made from it, is wrong",
        "4:sampled, but R-hat > 1.01 or an effective sample size < 400; the draws are kept",
        "130, 143:interrupted, by Ctrl-C or by SIGTERM"
      },
      footer = {
        "",
        "Options of spark-submit, such as --master, --conf and --driver-memory, may stand anywhere"
            + " on the launcher's command line.",
        "",
        "Example. Sample the posterior of a logistic regression on the columns of clicks.csv:",
        "  lampyris run --set data.input=clicks.csv --set data.label=clicked --set"
            + " output=runs/clicks"
      })
  static final class Top implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
      throw new CommandLine.ParameterException(spec.commandLine(), "A command is missing");
    }
  }
}
