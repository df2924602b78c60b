package org.lampyris.driver.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.command.ExitCode;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.steps.Steps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the configuration. */
@Command(
    name = "config",
    description = "Check the configuration and print it with all defaults filled in.")
final class ConfigCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  private final Steps steps;
  private final Console console;

  ConfigCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().print(EffectiveConfig.asYaml(config.read(steps, "config", List.of())));
    return ExitCode.OK;
  }
}
