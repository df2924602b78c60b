package org.lampyris.driver.cli;

import java.io.PrintWriter;
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
  private static final Logger LOG = LoggerFactory.getLogger(CommandLineInterface.class);
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
   */
  public CommandLineInterface(
      Steps steps, PrintWriter out, PrintWriter err, Supplier<Progress> progress) {
    console = new Console(out, err, progress, interruption);
    CommandLine config = new CommandLine(new ConfigCommand(console));
    // Looked for when help is asked for, so that a jar that is at fault does not spoil the rest.
    config
        .getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER, h -> ConfigCommand.choices());
    commands =
        new CommandLine(new Top())
            .addSubcommand(new SamplingCommand.Run(steps, console))
            .addSubcommand(new UpdateCommand(steps, console))
            .addSubcommand(new CommandLine(new GenerateCommand(steps, console)))
            .addSubcommand(new JobCommand.Prepare(steps, console))
            .addSubcommand(new JobCommand.Precompute(steps, console))
            .addSubcommand(new SamplingCommand.Sample(steps, console))
            .addSubcommand(new SamplingCommand.Combine(steps, console))
            .addSubcommand(new SummarizeCommand(steps, console))
            .addSubcommand(new HypothesisCommand(console))
            .addSubcommand(new EffectsCommand(console))
            .addSubcommand(new ReportCommand(console))
            .addSubcommand(
                new CommandLine(new ExportCommand(console))
                    .setCaseInsensitiveEnumValuesAllowed(true))
            .addSubcommand(new PredictCommand(console))
            .addSubcommand(new LooCommand(console))
            .addSubcommand(new CompareCommand(console))
            .addSubcommand(config)
            .addSubcommand(new AutoComplete.GenerateCompletion());
    for (CommandSource source : ServiceLoader.load(CommandSource.class)) {
      source.commands(steps, console).forEach(commands::addSubcommand);
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
    if (failure.isInternal()) {
      LOG.error("The command failed", thrown);
    } else {
      LOG.debug("The command failed", thrown);
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
