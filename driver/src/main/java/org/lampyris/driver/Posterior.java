package org.lampyris.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Input;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.Prediction;
import org.lampyris.driver.report.ReportJob;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Draws from a posterior, and what they are of: the output folder of a {@link Regression}, or of
 * the commands {@code run}, {@code sample} and {@code update}. Nothing is held in memory; what is
 * asked for is read from there. Immutable.
 */
public final class Posterior {
  private final SparkSession spark;
  private final RunOutput run;
  private final JobConfig job;

  private Posterior(SparkSession spark, RunOutput run) {
    this.spark = spark;
    this.run = run;
    this.job = run.job();
  }

  /**
   * Opens the posterior in an output folder.
   *
   * @throws UserException (usage) if it holds no run that has ended
   */
  public static Posterior load(SparkSession spark, String folder) {
    try {
      return new Posterior(
          spark, RunOutput.open(spark.sparkContext().hadoopConfiguration(), folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the output folder, where all of it is kept. */
  public String folder() {
    return run.folder();
  }

  /** Returns where the report is, a page of HTML that says first whether to believe the draws. */
  public String report() {
    return new Path(run.folder(), ReportJob.FILE).toString();
  }

  /** Returns what speaks against the draws, in sentences; none if they have converged. */
  public List<String> complaints() {
    return run.complaints().orElse(List.of());
  }

  /** Returns whether nothing speaks against the draws. */
  public boolean isConverged() {
    return complaints().isEmpty();
  }

  /**
   * Returns the draws: a row for each, with the columns {@code .chain}, {@code .iteration} and
   * {@code .draw}, from 1, {@code lp__}, and one for each coefficient on the input's scale.
   */
  public Dataset<Row> draws() {
    return spark.read().parquet(new Path(run.folder(), "draws").toString());
  }

  /** Returns mean, standard deviation, quantiles, R̂ and effective sample sizes of coefficients. */
  public List<VariableSummary> summary() {
    try {
      Draws draws = run.draws();
      return draws.summary(new Steps().summarizer(draws.chains(), draws.perChain()), done -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns new rows with what is expected of their responses: {@code .mean}, {@code .sd}, {@code
   * .lower} and {@code .upper}, by 200 draws, with a central interval of 90 %; see {@link
   * #predict(Dataset, Prediction.How)}.
   */
  public Dataset<Row> predict(Dataset<Row> rows) {
    return predict(rows, Prediction.How.DEFAULT);
  }

  /**
   * Returns new rows with what is expected of their responses, beside their own columns. Rows are
   * predicted when a job asks for them, where they are.
   *
   * @throws UserException (data) if a feature is absent or of another type
   */
  public Dataset<Row> predict(Dataset<Row> rows, Prediction.How how) {
    try {
      return Prediction.of(spark, job, how, line -> {}).of(Input.of(rows, Fit.TABLE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the posterior of this one's rows and later ones, as the command {@code update} does:
   * columns, scales and priors stay, and only the later rows are prepared and passed over, unless
   * they move the mode far.
   *
   * @param later the later rows alone
   * @param to the folder of the results; this posterior's prepared table has to be kept
   * @throws UserException as {@link Regression#fit(Dataset, String)} does
   */
  public Posterior update(Dataset<Row> later, String to) {
    try {
      RunOutput.Earlier earlier = run.earlier();
      List<SetOption> settings = new ArrayList<>(earlier.settings());
      settings.add(SetOption.value(Fit.TABLE, List.of("data", "input")));
      settings.add(SetOption.value(to, List.of("output")));
      JobConfig next =
          new ConfigReader()
              .readText(earlier.text(), earlier.source(), settings, "update", Fit.NEEDS);
      return Fit.of(spark, later, next, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
