package org.lampyris.driver.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.lampyris.driver.job.Steps;

/**
 * Commands from another jar. The command line finds sources by {@link java.util.ServiceLoader}: the
 * jar names its source in {@code META-INF/services/org.lampyris.driver.cli.CommandSource}.
 */
public interface CommandSource {
  /** Returns the commands, each named by picocli's {@code @Command}, valued at its exit code. */
  List<Callable<Integer>> commands(Steps steps, Console console);
}
