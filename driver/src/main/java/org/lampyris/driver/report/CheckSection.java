package org.lampyris.driver.report;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predict.Histogram;
import org.lampyris.driver.predict.KnownShifts;
import org.lampyris.driver.predict.Panel;
import org.lampyris.driver.predict.Panel.Kind;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.driver.predict.PredictiveCheck;
import org.lampyris.driver.predict.RowReader;
import org.lampyris.driver.predict.RowSample;
import org.lampyris.driver.predict.TestStatistic;
import org.lampyris.executors.table.TableSchema;

/**
 * Report section on predictive checks, with other facts that need the table's schema.
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

  /** Normal quantile of 97.5 %. */
  private static final double WIDE = 1.96;

  /** The p-value of a table beyond all replicated ones is below. */
  private static final double BEYOND = 1e-3;

  /** Checks the model of a run, if its table is available. */
  static CheckSection of(RowReader reader, RunFolder run) throws IOException {
    Html html =
        new Html()
            .section(
                "checks",
                run.isPriorOnly() ? "What the prior says of the response" : "Does the model fit?");
    List<String> doubts = List.of();
    Map<String, DrawnPrior> implied = Map.of();
    String modes = "";
    try {
      RunOutput.Fitted opened = run.output().model();
      implied = DrawnPrior.implied(opened.model(), opened.schema().centers());
      modes = ModelSection.modes(opened.model(), opened.job().sampler().run().init());
      doubts = checked(reader, run, opened, html);
    } catch (UserException e) {
      html.classed("p", "faint", "Not checked: " + e.getMessage());
    }
    return new CheckSection(html.close("section").toString(), doubts, implied, modes);
  }

  private static List<String> checked(
      RowReader reader, RunFolder run, RunOutput.Fitted opened, Html html) throws IOException {
    TableSchema schema = opened.schema();
    ModelOfTable model = opened.model();
    Expectation expectation = model.expectation().orElse(null);
    if (expectation == null) {
      html.classed("p", "faint", "Not checked: the family defines no expectation().");
      return List.of();
    }
    reader.require(opened);
    RowSample sample = reader.draw(opened, ROWS);
    double work = 2.0 * sample.rows() * model.predictors() * schema.columns().size();
    int draws = (int) Math.max(FEWEST_DRAWS, Math.min(DRAWS, WORK / Math.max(1, work)));
    KnownShifts shifts = reader.shifts(opened, draws, sample.blocks());
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
    if (!run.isPriorOnly()) {
      return shown(html, check, schema, sample, thinned.length);
    }
    html.classed(
        "p",
        "faint",
        Text.of(
            "Prior predictive checks of %s on %,d of the %,d stored rows. The table is compared"
                + " with %,d tables, replicated from %d draws from the prior. Bars and bands"
                + " contain 95 %% of them. The prior all but excludes what lies outside.",
            schema.label().column(),
            sample.rows(),
            sample.of(),
            check.replicates(),
            thinned.length));
    pictures(html, check, schema);
    return List.of();
  }

  private static List<String> shown(
      Html html, PredictiveCheck check, TableSchema schema, RowSample sample, int draws) {
    String label = schema.label().column();
    html.classed(
        "p",
        "faint",
        Text.of(
            "Posterior predictive checks of %s on %,d of the %,d stored rows that the model was"
                + " fitted to. The table is compared with %,d tables, replicated from %d posterior"
                + " draws. Bars and bands contain 95 %% of them. A table that deviates more than"
                + " all of the first 400 is compared with %,d. The model is doubted if the table"
                + " deviates more than all of those. For right models this happens in at most one"
                + " report in 1,000.",
            label, sample.rows(), sample.of(), check.replicates(), draws, PredictiveCheck.ALL));
    if (schema.roles().weight() != null && schema.label().kind() != LabelKind.SUCCESSES) {
      html.classed(
          "p",
          "faint",
          "Weights: if all weights are whole numbers, a row of weight w counts as w equal rows."
              + " Otherwise each row is one row that counts w times in every sum.");
    }
    if (check.replicates() == 0) {
      html.words("p", "The family cannot replicate responses, so only means are checked.");
    } else if (check.doubts().isEmpty()) {
      html.words("p", "Nothing stands out: the observed table looks like the replicated ones.");
    }
    check.doubts().forEach(doubt -> html.words("p", doubt));
    pictures(html, check, schema);
    return check.doubts();
  }

  private static void pictures(Html html, PredictiveCheck check, TableSchema schema) {
    String label = schema.label().column();
    statistics(html, check.statistics());
    html.open("div", "grid");
    if (check.rootogram() != null) {
      html.markup(rootogram(label, check.rootogram()));
    }
    if (check.density() != null) {
      html.markup(density(label, check.density()));
    }
    if (check.transform() != null) {
      html.markup(transform(check.transform()));
    }
    check.panels().stream()
        .filter(panel -> panel.kind() == Kind.FITTED || panel.kind() == Kind.NUMERIC)
        .forEach(panel -> html.markup(means(panel)));
    html.close("div");
    for (Panel panel : check.panels()) {
      if (panel.kind() == Kind.CLASSES) {
        table(html, "Proportions of the classes of " + panel.what(), panel);
      } else if (panel.kind() == Kind.LEVELS) {
        table(html, "By " + panel.what(), panel);
      }
    }
  }

  /** Adds the table of test statistics. */
  private static void statistics(Html html, List<TestStatistic> statistics) {
    if (statistics.isEmpty()) {
      return;
    }
    html.words("h3", "Test statistics").open("div", "wide").open("table", "levels stats");
    heads(html, "statistic", "observed", "replicated mean", "95 %", "p-value");
    for (TestStatistic found : statistics) {
      html.markup("<tr>").words("th", found.name());
      html.words("td", Text.brief(found.observed())).words("td", Text.brief(found.mean()));
      html.words("td", Text.brief(found.low()) + " to " + Text.brief(found.high()));
      boolean low = found.p() < BEYOND;
      html.classed("td", low ? "short" : "", low ? "< 0.001" : Text.of("%.3f", found.p()));
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
    html.classed(
        "p",
        "faint",
        "p-values are posterior predictive. Only the group mean and the share of rows that deviate"
            + " most are shown. Their p-value is for the largest deviation among all of them.");
  }

  /** Returns a hanging rootogram: bars hang from the curve, and should end near 0. */
  private static String rootogram(String label, Histogram counts) {
    int cells = counts.observed().length;
    double[] at = new double[cells];
    double[] top = new double[cells];
    double[] foot = new double[cells];
    double[] low = new double[cells];
    double[] high = new double[cells];
    for (int k = 0; k < cells; k++) {
      at[k] = 0.5 * (counts.edges()[k] + counts.edges()[k + 1] - 1);
      top[k] = Math.sqrt(counts.mean()[k]);
      foot[k] = top[k] - Math.sqrt(counts.observed()[k]);
      low[k] = top[k] - Math.sqrt(counts.high()[k]);
      high[k] = top[k] - Math.sqrt(counts.low()[k]);
    }
    return Chart.of("Rootogram of " + label)
        .axes(label + " (the last bar includes all larger values)", "√ number of rows")
        .bars(new Curve("observed, hanging", at, foot), top)
        .line(new Curve("expected", at, top))
        .band(new Curve("ends of bars, 95 %", at, low), high)
        .markY("", 0)
        .svg();
  }

  /** Returns the density of the response, observed and replicated. */
  private static String density(String label, Histogram counts) {
    double[] at = middles(counts.edges());
    double all = Arrays.stream(counts.mean()).sum() * (at.length > 1 ? at[1] - at[0] : 1);
    return Chart.of("Density of " + label)
        .axes(label, "density")
        .upTo(0, 0)
        .band(new Curve("replicated, 95 %", at, over(counts.low(), all)), over(counts.high(), all))
        .line(new Curve("observed", at, over(counts.observed(), all)))
        .svg();
  }

  /** Returns the histogram of the probability integral transform, level for a right model. */
  private static String transform(Histogram counts) {
    double[] at = middles(counts.edges());
    double[] most = counts.high();
    return Chart.of("Probability integral transform")
        .axes("quantile of the row's predictive distribution", "rows")
        .fromTo(0, 1)
        .upTo(0, Arrays.stream(most).max().orElse(1))
        .bars(new Curve("replicated, 95 %", at, counts.low()), most)
        .points(new Curve("observed", at, counts.observed()))
        .svg();
  }

  private static double[] middles(double[] edges) {
    double[] at = new double[edges.length - 1];
    Arrays.setAll(at, k -> 0.5 * (edges[k] + edges[k + 1]));
    return at;
  }

  private static double[] over(double[] counts, double all) {
    return Arrays.stream(counts).map(count -> count / all).toArray();
  }

  /** Returns the means over the groups of a panel. */
  private static String means(Panel panel) {
    double[] at = panel.groups().stream().mapToDouble(Panel.Group::at).toArray();
    double[] seen = panel.groups().stream().mapToDouble(Panel.Group::observed).toArray();
    double[] low = panel.groups().stream().mapToDouble(group -> group.replicated().low()).toArray();
    double[] high =
        panel.groups().stream().mapToDouble(group -> group.replicated().high()).toArray();
    boolean fitted = panel.kind() == Panel.Kind.FITTED;
    Chart chart =
        Chart.of(fitted ? "Calibration: " + panel.what() : "By " + panel.what())
            .axes(panel.what() + ", in tenths of the rows", "mean");
    chart.bars(new Curve("replicated, 95 %", at, low), high);
    if (fitted && Arrays.stream(low).allMatch(v -> v > 0) && spreadsOverDecades(seen)) {
      chart.logX().logY();
    }
    return chart.points(new Curve("observed", at, seen)).svg();
  }

  /** Returns whether all numbers are above 0, and the largest is a hundred times the smallest. */
  private static boolean spreadsOverDecades(double[] values) {
    double least = Arrays.stream(values).min().orElse(0);
    return least > 0 && Arrays.stream(values).max().orElse(0) > 100 * least;
  }

  /** Adds the table of a panel whose groups have names. */
  private static void table(Html html, String title, Panel panel) {
    html.words("h3", title).open("div", "wide").open("table", "levels");
    heads(html, panel.what(), "rows", "observed", "expected", "95 %", "off by");
    for (Panel.Group group : panel.groups()) {
      html.markup("<tr>").words("th", group.name()).words("td", Text.of("%,d", group.rows()));
      html.words("td", SummaryTable.number(group.observed(), group.sd()));
      html.words("td", SummaryTable.number(group.mean(), group.sd()));
      html.words(
          "td",
          SummaryTable.number(group.replicated().low(), group.sd())
              + " to "
              + SummaryTable.number(group.replicated().high(), group.sd()));
      double z = Math.round(10 * group.z()) / 10.0; // 0, not −0
      html.classed("td", Math.abs(z) > WIDE ? "short" : "", Text.of("%.1f sd", z));
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
  }

  private static void heads(Html html, String... heads) {
    html.markup("<thead><tr>");
    for (String head : heads) {
      html.words("th", head);
    }
    html.markup("</tr></thead><tbody>");
  }
}
