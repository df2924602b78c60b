package org.lampyris.driver;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.steps.Steps;

/** The main class, for spark-submit. */
public final class Lampyris {
  private Lampyris() {}

  /**
   * Runs one command. Ends the process itself only on failure: Yarn's application master takes an
   * exit of the main class's own for a failure, even with code 0.
   */
  public static void main(String[] args) {
    Charset charset = Charset.defaultCharset();
    CommandLineInterface commands =
        new CommandLineInterface(
            new Steps(),
            new PrintWriter(System.out, true, charset),
            new PrintWriter(System.err, true, charset),
            Progress::onStandardError);
    int exitCode = commands.execute(args);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }
}
