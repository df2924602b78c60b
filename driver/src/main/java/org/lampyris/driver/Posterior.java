package org.lampyris.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.Summary;
import org.lampyris.driver.predict.MarginalEffects;
import org.lampyris.driver.predict.Prediction;
import org.lampyris.driver.question.Answers;
import org.lampyris.driver.report.ReportJob;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Posterior draws, and the output folder that holds them: the result of a {@link Regression}, or of
 * the commands {@code run}, {@code sample} and {@code update}. Nothing is held in memory; what is
 * asked for is read from there. Immutable.
 */
public final class Posterior {
  private static final double INTERVAL = 0.9;

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
    return unchecked(
        () ->
            new Posterior(
                spark, RunOutput.open(spark.sparkContext().hadoopConfiguration(), folder)));
  }

  /** Returns the output folder, which holds all results. */
  public String folder() {
    return run.folder();
  }

  /** Returns the path of the HTML report, which says first whether to believe the draws. */
  public String report() {
    return new Path(run.folder(), ReportJob.FILE).toString();
  }

  /** Returns the complaints about the draws, as sentences; empty if they have converged. */
  public List<String> complaints() {
    return run.complaints().orElse(List.of());
  }

  /** Returns whether nothing speaks against the draws. */
  public boolean isConverged() {
    return complaints().isEmpty();
  }

  /**
   * Returns the draws, one row each: {@code .chain}, {@code .iteration} and {@code .draw}, from 1,
   * {@code lp__}, and one column for each coefficient on the input's scale.
   */
  public Dataset<Row> draws() {
    return spark.read().parquet(new Path(run.folder(), "draws").toString());
  }

  /**
   * Returns mean, standard deviation, quantiles, R̂ and effective sample sizes of coefficients. As
   * text it is the table that the commands print.
   */
  public Summary summary() {
    return unchecked(
        () -> {
          Draws draws = run.draws();
          List<VariableSummary> rows =
              draws.summary(new Steps().summarizer(draws.chains(), draws.perChain()), done -> {});
          boolean independent = run.independent().isPresent();
          return new Summary(
              rows, new Convergence(rows.size(), draws.chains(), independent), run.folder());
        });
  }

  /**
   * Returns the answers of the draws to hypotheses about the parameters, like the command {@code
   * hypothesis}, with central intervals of 90 %.
   *
   * @param hypotheses such as {@code "x1 > 0"}, {@code "dow[Sat] - dow[Fri]"} or {@code "x1 = 0"}
   * @throws UserException (usage) if one names an unknown parameter, or is no such text
   */
  public Answers hypothesis(String... hypotheses) {
    return unchecked(() -> Answers.of(run, List.of(hypotheses), INTERVAL));
  }

  /**
   * Returns effects of columns on the expected response, like the command {@code effects}. The
   * run's input is read again, if rows of it are averaged over.
   *
   * @throws UserException if a column is unknown, or the input is gone
   */
  public MarginalEffects.Result effects(MarginalEffects.How how) {
    return effects(
        how,
        fitted -> fitted.job().data().source(),
        fitted -> MarginalEffects.input(spark, fitted, null));
  }

  /**
   * Returns effects of columns on the expected response, averaged over given rows.
   *
   * @param rows with the columns that the run's table had
   * @throws UserException if a column is unknown
   */
  public MarginalEffects.Result effects(Dataset<Row> rows, MarginalEffects.How how) {
    return effects(how, fitted -> null, fitted -> Input.of(rows, Fit.TABLE));
  }

  private MarginalEffects.Result effects(
      MarginalEffects.How how,
      Function<RunOutput.Fitted, @Nullable Source> source,
      Function<RunOutput.Fitted, Input> table) {
    return unchecked(() -> MarginalEffects.of(() -> spark, run, how, source, table));
  }

  /**
   * Returns new rows with their expected responses: {@code .mean}, {@code .sd}, {@code .lower} and
   * {@code .upper}, from 200 draws, with a central interval of 90 %; see {@link #predict(Dataset,
   * Prediction.How)}.
   */
  public Dataset<Row> predict(Dataset<Row> rows) {
    return predict(rows, Prediction.How.DEFAULT);
  }

  /**
   * Returns new rows with their expected responses, in addition to their own columns. Rows are
   * predicted when a job asks for them, where they are.
   *
   * @throws UserException (data) if a feature is absent or of another type
   */
  public Dataset<Row> predict(Dataset<Row> rows, Prediction.How how) {
    return unchecked(
        () -> Prediction.of(spark, job, how, line -> {}).of(Input.of(rows, Fit.TABLE)));
  }

  /**
   * Returns the posterior of this run's rows and later ones, like the command {@code update}.
   * Columns, scales and priors stay. Only the later rows are prepared and read, unless they move
   * the mode far.
   *
   * @param later the later rows alone
   * @param to the folder of the results; this posterior's prepared table has to be kept
   * @throws UserException as {@link Regression#fit(Dataset, String)} does
   */
  public Posterior update(Dataset<Row> later, String to) {
    return unchecked(
        () -> {
          RunOutput.Earlier earlier = run.earlier();
          List<SetOption> settings = new ArrayList<>(earlier.settings());
          settings.add(SetOption.value(Fit.TABLE, List.of("data", "input")));
          settings.add(SetOption.value(to, List.of("output")));
          JobConfig next =
              new ConfigReader()
                  .readText(earlier.text(), earlier.source(), settings, "update", Fit.NEEDS);
          return Fit.of(spark, later, next, false);
        });
  }

  /** Work that reads or writes files. */
  @FunctionalInterface
  interface Work<T> {
    T result() throws IOException;
  }

  /** Does work whose failures to read or write files are unchecked. */
  static <T> T unchecked(Work<T> work) {
    try {
      return work.result();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
