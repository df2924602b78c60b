package org.lampyris.driver.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.command.ExitCode;
import org.lampyris.driver.config.EffectiveConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the configuration. */
@Command(
    name = "config",
    description = "Check the configuration and print it with all defaults filled in.")
final class ConfigCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  private final Console console;

  ConfigCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().print(EffectiveConfig.asYaml(config.read("config", List.of())));
    return ExitCode.OK;
  }
}
