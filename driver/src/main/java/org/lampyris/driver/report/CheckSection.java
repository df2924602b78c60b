package org.lampyris.driver.report;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.driver.chart.Chart;
import org.lampyris.driver.chart.Curve;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predict.KeptEffects;
import org.lampyris.driver.predict.KnownShifts;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.driver.predictive.Panel;
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
 */
record CheckSection(String markup, List<String> doubts) {
  private static final int ROWS = 10_000;
  private static final int DRAWS = 200;
  private static final int FEWEST_DRAWS = 40;

  /** Multiplications that take some seconds. */
  private static final double WORK = 4e9;

  /** Normal quantile of 97.5 %. */
  private static final double WIDE = 1.96;

  /** Checks the model of a run, as far as its table is there. */
  static CheckSection of(SparkSession spark, RunFolder run) throws IOException {
    Html html = new Html().section("checks", "Does the model fit?");
    try {
      return checked(spark, run, html);
    } catch (UserException e) {
      return without(html, "Not checked: " + e.getMessage());
    }
  }

  private static CheckSection without(Html html, String why) {
    return new CheckSection(html.classed("p", "faint", why).close("section").toString(), List.of());
  }

  private static CheckSection checked(SparkSession spark, RunFolder run, Html html)
      throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    RunModel opened = RunModel.of(conf, run.folder(), run.manifest());
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
            new PredictiveCheck.Fitted(schema, expectation, thinned, model.predictors(), shifts),
            sample);
    return shown(html, check, schema, sample, thinned.length);
  }

  private static CheckSection shown(
      Html html, PredictiveCheck check, TableSchema schema, RowSample sample, int draws) {
    String label = schema.label().column();
    List<String> doubts = check.doubts(label);
    html.classed(
        "p",
        "faint",
        Text.of(
            "Means of %s over groups of %,d of %,d rows, as they are (points) and as the model expects"
                + " them (bars: 95 %%, of parameters and responses), by %d draws. The rows are those"
                + " that the model was fitted to.",
            label, sample.rows(), sample.of(), draws));
    if (doubts.isEmpty()) {
      html.words("p", "Nothing stands out: what is off is no more than chance makes of it.");
    } else {
      doubts.forEach(doubt -> html.words("p", doubt));
    }
    if (!Double.isNaN(check.spread())) {
      html.classed(
          "p",
          "faint",
          Text.of(
              "Squared residuals are %.3f times what the model expects (standard error %.3f).",
              check.spread(), check.spreadError()));
    }
    double least = schema.label().kind() == LabelKind.REAL ? Double.NEGATIVE_INFINITY : 0;
    html.open("div", "grid");
    check.panels().stream()
        .filter(panel -> panel.kind() != Panel.Kind.LEVELS)
        .forEach(panel -> html.markup(chart(panel, least)));
    html.close("div");
    check.panels().stream()
        .filter(panel -> panel.kind() == Panel.Kind.LEVELS)
        .forEach(panel -> levels(html, panel, least));
    return new CheckSection(html.close("section").toString(), doubts);
  }

  private static String chart(Panel panel, double least) {
    double[] at = panel.groups().stream().mapToDouble(Panel.Group::at).toArray();
    double[] seen = panel.groups().stream().mapToDouble(Panel.Group::observed).toArray();
    double[] low = new double[at.length];
    double[] high = new double[at.length];
    for (int g = 0; g < at.length; g++) {
      Panel.Group group = panel.groups().get(g);
      low[g] = Math.max(least, group.mean() - WIDE * group.sd());
      high[g] = group.mean() + WIDE * group.sd();
    }
    boolean fitted = panel.kind() == Panel.Kind.FITTED;
    Chart chart =
        Chart.of(fitted ? "Calibration: " + panel.what() : "By " + panel.what())
            .axes(panel.what() + ", in tenths of the rows", "mean");
    chart.bars(new Curve("expected, 95 %", at, low), high);
    return chart.points(new Curve("observed", at, seen)).svg();
  }

  private static void levels(Html html, Panel panel, double least) {
    html.words("h3", "By " + panel.what());
    html.open("div", "wide").open("table", "levels").markup("<thead><tr>");
    for (String head : List.of(panel.what(), "rows", "observed", "expected", "95 %", "off by")) {
      html.words("th", head);
    }
    html.markup("</tr></thead><tbody>");
    for (Panel.Group group : panel.groups()) {
      double wide = WIDE * group.sd();
      html.markup("<tr>").words("th", group.name()).words("td", Text.of("%,d", group.rows()));
      html.words("td", SummaryTable.number(group.observed(), group.sd()));
      html.words("td", SummaryTable.number(group.mean(), group.sd()));
      html.words(
          "td",
          SummaryTable.number(Math.max(least, group.mean() - wide), group.sd())
              + " to "
              + SummaryTable.number(group.mean() + wide, group.sd()));
      html.classed("td", Math.abs(group.z()) > WIDE ? "short" : "", Text.of("%.1f sd", group.z()));
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
  }
}
