package org.lampyris.driver.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that select the configuration. */
final class ConfigOptions {
  @Option(
      names = "--config",
      paramLabel = "<file>",
      description =
          "The configuration, a YAML file: a local path or a Hadoop URI (hdfs://…, s3a://…).")
  private @Nullable String option;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "<job file>",
      description = "The configuration, in place of --config.")
  private @Nullable String argument;

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description =
          "Override one key of the file, for instance sampler.draws=2000. May be repeated.")
  private List<String> settings = new ArrayList<>();

  /** Returns whether one of the options is given. */
  boolean areGiven() {
    return option != null || argument != null || !settings.isEmpty();
  }

  /** Returns the file that one of the two names; null for none. */
  private @Nullable String file() {
    if (option != null && argument != null) {
      throw UserException.usage(
          "Two job files are given: %s by --config, and %s. Remove one of the two."
              .formatted(option, argument));
    }
    return option == null ? argument : option;
  }

  /** Returns the options as arguments, for another command on the same configuration. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    String file = file();
    if (file != null) {
      arguments.addAll(List.of("--config", file));
    }
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    return arguments;
  }

  /**
   * Reads the configuration.
   *
   * @param flags what further options set, over {@code --set}
   */
  JobConfig read(String command, Collection<NeededKey> needs, SetOption... flags) {
    return new ConfigReader().readFrom(file(), overrides(flags), command, needs);
  }

  /**
   * Reads the configuration from a file, if one is named, and otherwise starts with an earlier
   * run's.
   *
   * @param source the origin of that configuration, for messages
   * @param text it, as YAML
   */
  JobConfig readOver(
      String source, String text, String command, Collection<NeededKey> needs, SetOption... flags) {
    return file() == null
        ? new ConfigReader().readText(text, source, overrides(flags), command, needs)
        : read(command, needs, flags);
  }

  private List<SetOption> overrides(SetOption... flags) {
    List<SetOption> overrides = new ArrayList<>();
    settings.forEach(setting -> overrides.add(SetOption.parse(setting)));
    overrides.addAll(List.of(flags));
    return overrides;
  }
}
