package org.lampyris.driver.report;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.predict.KeptEffects;
import org.lampyris.driver.predict.KnownShifts;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.driver.predictive.Panel;
import org.lampyris.driver.predictive.Panel.Kind;
import org.lampyris.driver.predictive.PredictiveCheck;
import org.lampyris.driver.predictive.RowSample;
import org.lampyris.driver.predictive.RunModel;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;

/**
 * The section on predictive checks.
 *
 * @param markup the section
 * @param doubts what speaks against the model, in sentences
 * @param implied priors that the model implies for some parameters; none without the table
 */
record CheckSection(String markup, List<String> doubts, Map<String, DrawnPrior> implied) {
  private static final int ROWS = 10_000;
  private static final int DRAWS = 200;
  private static final int FEWEST_DRAWS = 40;

  /** Multiplications that take some seconds. */
  private static final double WORK = 4e9;

  /** Checks the model of a run, as far as its table is there. */
  static CheckSection of(SparkSession spark, RunFolder run) throws IOException {
    Html html = new Html().section("checks", "Does the model fit?");
    Map<String, DrawnPrior> implied = Map.of();
    try {
      Configuration conf = spark.sparkContext().hadoopConfiguration();
      RunModel opened = RunModel.of(conf, run.folder(), run.manifest());
      implied = DrawnPrior.implied(opened.model(), opened.schema().centers());
      List<String> doubts = checked(spark, run, opened, html);
      return new CheckSection(html.close("section").toString(), doubts, implied);
    } catch (UserException e) {
      without(html, "Not checked: " + e.getMessage());
      return new CheckSection(html.close("section").toString(), List.of(), implied);
    }
  }

  private static List<String> without(Html html, String why) {
    html.classed("p", "faint", why);
    return List.of();
  }

  private static List<String> checked(SparkSession spark, RunFolder run, RunModel opened, Html html)
      throws IOException {
    JobConfig job = opened.job();
    TableSchema schema = opened.schema();
    ModelOfTable model = opened.model();
    Expectation expectation = model.expectation().orElse(null);
    if (expectation == null) {
      return without(html, "Not checked: the family does not say what it expects of a response.");
    }
    KeptEffects effects = opened.effects();
    effects.require(spark);
    RowSample sample;
    try (BlockTable table = BlockTable.load(spark, job.preparedFolder(), job.data().partitions())) {
      sample = RowSample.drawSpread(table, ROWS, job.sampler().run().seed());
    }
    double work = 2.0 * sample.rows() * model.predictors() * schema.columns().size();
    int draws = (int) Math.max(FEWEST_DRAWS, Math.min(DRAWS, WORK / Math.max(1, work)));
    KnownShifts shifts = effects.any() ? effects.shifts(spark, draws, sample.blocks()) : null;
    double[][] thinned =
        shifts == null
            ? PosteriorPredictor.thinned(run.draws(), model.coefficients(), draws)
            : shifts.thetas();
    PredictiveCheck check =
        PredictiveCheck.of(
            new PredictiveCheck.Fitted(
                schema,
                expectation,
                thinned,
                model.predictors(),
                shifts == null ? null : shifts::of),
            sample);
    return shown(html, check, schema, sample, thinned.length);
  }

  private static List<String> shown(
      Html html, PredictiveCheck check, TableSchema schema, RowSample sample, int draws) {
    String label = schema.label().column();
    html.classed(
        "p",
        "faint",
        Text.of(
            "Posterior predictive checks of %s by %,d of %,d stored rows, which the model was fitted to:"
                + " the observed table beside %,d tables replicated from %d posterior draws. Bars and"
                + " bands hold 95 %% of the replicated tables. The model is doubted if the observed"
                + " table deviates more than every one of %,d replicated tables, which happens to a"
                + " right model at most once in 1,000 reports.",
            label, sample.rows(), sample.of(), check.replicates(), draws, PredictiveCheck.ALL));
    if (check.replicates() == 0) {
      html.words("p", "The family has no distribution to replicate responses from: means only.");
    } else if (check.doubts().isEmpty()) {
      html.words("p", "Nothing stands out: the observed table looks like the replicated ones.");
    }
    check.doubts().forEach(doubt -> html.words("p", doubt));
    CheckCharts.statistics(html, check.statistics());
    html.open("div", "grid");
    if (check.rootogram() != null) {
      html.markup(CheckCharts.rootogram(label, check.rootogram()));
    }
    if (check.density() != null) {
      html.markup(CheckCharts.density(label, check.density()));
    }
    if (check.transform() != null) {
      html.markup(CheckCharts.transform(check.transform()));
    }
    check.panels().stream()
        .filter(panel -> panel.kind() == Kind.FITTED || panel.kind() == Kind.NUMERIC)
        .forEach(panel -> html.markup(CheckCharts.means(panel)));
    html.close("div");
    for (Panel panel : check.panels()) {
      if (panel.kind() == Kind.CLASSES) {
        CheckCharts.table(html, "Proportions of the classes of " + panel.what(), panel);
      } else if (panel.kind() == Kind.LEVELS) {
        CheckCharts.table(html, "By " + panel.what(), panel);
      }
    }
    return check.doubts();
  }
}
