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
 * The section on predictive checks, and what else the table's schema tells of the model.
 *
 * @param markup the section
 * @param doubts what speaks against the model, in sentences
 * @param implied priors that the model implies for some parameters; none without the table
 * @param modes what is known about modes, in sentences; empty without the table
 */
record CheckSection(
    String markup, List<String> doubts, Map<String, DrawnPrior> implied, String modes) {
  private static final int ROWS = 10_000;
  private static final int DRAWS = 200;
  private static final int FEWEST_DRAWS = 40;

  /** Multiplications that take some seconds. */
  private static final double WORK = 4e9;

  /** Checks the model of a run, as far as its table is there. */
  static CheckSection of(SparkSession spark, RunFolder run) throws IOException {
    Html html = new Html().section("checks", "Does the model fit?");
    List<String> doubts = List.of();
    Map<String, DrawnPrior> implied = Map.of();
    String modes = "";
    try {
      Configuration conf = spark.sparkContext().hadoopConfiguration();
      RunModel opened = RunModel.of(conf, run.folder(), run.manifest());
      implied = DrawnPrior.implied(opened.model(), opened.schema().centers());
      modes = ModelSection.modes(opened.model(), opened.job().sampler().run().init());
      doubts = checked(spark, run, opened, html);
    } catch (UserException e) {
      html.classed("p", "faint", "Not checked: " + e.getMessage());
    }
    return new CheckSection(html.close("section").toString(), doubts, implied, modes);
  }

  private static List<String> checked(SparkSession spark, RunFolder run, RunModel opened, Html html)
      throws IOException {
    JobConfig job = opened.job();
    TableSchema schema = opened.schema();
    ModelOfTable model = opened.model();
    Expectation expectation = model.expectation().orElse(null);
    if (expectation == null) {
      html.classed("p", "faint", "Not checked: the family defines no expectation().");
      return List.of();
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
            "Posterior predictive checks of %s by %,d of %,d stored rows, which the model was fitted"
                + " to. The table is compared with %,d tables that are replicated from %d posterior"
                + " draws; bars and bands hold 95 %% of them. A table that deviates more than all of"
                + " the first 400 is compared with %,d. The model is doubted if it deviates more than"
                + " all of those: at most once in 1,000 reports of right models.",
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
