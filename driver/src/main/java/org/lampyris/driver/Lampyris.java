package org.lampyris.driver;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/**
 * Main class for spark-submit, and entry point of the Java API: {@code
 * Lampyris.logistic().label("clicked").fit(rows, folder)}.
 */
public final class Lampyris {
  private Lampyris() {}

  /** Returns a logistic regression: a response of two classes. */
  public static Regression logistic() {
    return family("logistic");
  }

  /** Returns a regression with normal noise, whose standard deviation is sampled. */
  public static Regression gaussian() {
    return family("gaussian");
  }

  /** Returns a regression of counts. */
  public static Regression poisson() {
    return family("poisson");
  }

  /**
   * Returns a regression of a family.
   *
   * @param name a value of {@code model.family}
   */
  public static Regression family(String name) {
    return Regression.of(name);
  }

  /** Opens the posterior in an output folder. */
  public static Posterior posterior(SparkSession spark, String folder) {
    return Posterior.load(spark, folder);
  }

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
            Progress::onStandardError,
            args);
    int exitCode = commands.execute(args);
    if (exitCode != 0 && isRepeatedInVain(exitCode)) {
      System.err.printf(
          "lampyris: exit code %d becomes 0: --supervise would repeat the command for ever, with the same result.%n",
          exitCode);
    } else if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /**
   * Returns whether a supervisor that knows no codes would repeat a command that needs a person: a
   * Master of Spark restarts a driver with {@code --supervise} until it ends with 0.
   */
  static boolean isRepeatedInVain(int exitCode) {
    return Boolean.getBoolean("spark.driver.supervise") && exitCode >= 2 && exitCode <= 4;
  }
}
