package org.lampyris.driver;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Input;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.EarlierRun;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.DrawsReader;
import org.lampyris.driver.output.Manifest;
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
  private final String folder;
  private final JobConfig job;
  private final List<String> complaints;

  private Posterior(SparkSession spark, String folder, JobConfig job, List<String> complaints) {
    this.spark = spark;
    this.folder = folder;
    this.job = job;
    this.complaints = List.copyOf(complaints);
  }

  /**
   * Opens the posterior in an output folder.
   *
   * @throws UserException (usage) if it holds no run that has ended
   */
  public static Posterior load(SparkSession spark, String folder) {
    try {
      JsonNode manifest = Manifest.read(conf(spark), folder);
      if (!manifest.path("configuration").isObject()) {
        throw UserException.usage(
            folder + " holds no run that has ended (no manifest.json); name the folder of one.");
      }
      JobConfig job =
          new ConfigReader()
              .readText(
                  manifest.path("configuration").toString(),
                  folder + "/manifest.json",
                  List.of(SetOption.value(folder, List.of("output"))),
                  "load",
                  List.of());
      List<String> complaints = new ArrayList<>();
      manifest.path("complaints").forEach(text -> complaints.add(text.asText()));
      return new Posterior(spark, folder, job, complaints);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Configuration conf(SparkSession spark) {
    return spark.sparkContext().hadoopConfiguration();
  }

  /** Returns the output folder, where all of it is kept. */
  public String folder() {
    return folder;
  }

  /** Returns where the report is, a page of HTML that says first whether to believe the draws. */
  public String report() {
    return new Path(folder, ReportJob.FILE).toString();
  }

  /** Returns what speaks against the draws, in sentences; none if they have converged. */
  public List<String> complaints() {
    return complaints;
  }

  /** Returns whether nothing speaks against the draws. */
  public boolean isConverged() {
    return complaints.isEmpty();
  }

  /**
   * Returns the draws: a row for each, with the columns {@code .chain}, {@code .iteration} and
   * {@code .draw}, from 1, {@code lp__}, and one for each coefficient on the input's scale.
   */
  public Dataset<Row> draws() {
    return spark.read().parquet(new Path(folder, "draws").toString());
  }

  /** Returns mean, standard deviation, quantiles, R̂ and effective sample sizes of coefficients. */
  public List<VariableSummary> summary() {
    try {
      Draws draws = DrawsReader.read(spark, folder);
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
      EarlierRun earlier = EarlierRun.read(conf(spark), folder);
      List<SetOption> settings = new ArrayList<>(earlier.settings());
      settings.add(SetOption.value(Fit.TABLE, List.of("data", "input")));
      settings.add(SetOption.value(to, List.of("output")));
      JobConfig next =
          new ConfigReader()
              .readText(earlier.configuration(), earlier.source(), settings, "update", Fit.NEEDS);
      return Fit.of(spark, later, next, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
