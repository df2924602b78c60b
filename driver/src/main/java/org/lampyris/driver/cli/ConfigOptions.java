package org.lampyris.driver.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;
import picocli.CommandLine.Option;

/** The options that say which configuration. */
final class ConfigOptions {
  @Option(
      names = "--config",
      paramLabel = "<file>",
      description =
          "The configuration, a YAML file: a path, or where Hadoop finds it (hdfs://…, s3a://…).")
  private @Nullable String file;

  @Option(
      names = "--set",
      paramLabel = "<key=value>",
      description = "Set one key over the file, for instance sampler.draws=2000. May be repeated.")
  private List<String> settings = new ArrayList<>();

  /**
   * Reads the configuration.
   *
   * @param flags what further options set, over {@code --set}
   */
  JobConfig read(String command, Collection<NeededKey> needs, SetOption... flags) {
    return new ConfigReader().readFrom(file, overrides(flags), command, needs);
  }

  /**
   * Reads the configuration, where a file is named, and else begins with that of an earlier run.
   *
   * @param source what that is of, for messages
   * @param text it, as YAML
   */
  JobConfig readOver(
      String source, String text, String command, Collection<NeededKey> needs, SetOption... flags) {
    return file == null
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
