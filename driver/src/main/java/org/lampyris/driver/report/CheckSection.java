package org.lampyris.driver.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
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
import org.lampyris.driver.predict.QuantileCoverage;
import org.lampyris.driver.predict.RowReader;
import org.lampyris.driver.predict.RowSample;
import org.lampyris.driver.predict.SurvivalCurves;
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
      RunOutput.Fitted opened = run.model();
      implied = DrawnPrior.implied(opened.model(), opened.schema().centers());
      modes = ModelSection.modes(opened.model(), opened.job().sampler().run().init());
      doubts = checked(reader, run, opened, html);
    } catch (UserException e) {
      html.faint("Not checked: " + e.getMessage());
    }
    return new CheckSection(html.close("section").toString(), doubts, implied, modes);
  }

  private static List<String> checked(
      RowReader reader, RunFolder run, RunOutput.Fitted opened, Html html) throws IOException {
    TableSchema schema = opened.schema();
    ModelOfTable model = opened.model();
    Expectation expectation = model.expectation().orElse(null);
    if (expectation == null) {
      html.faint("Not checked: the family defines no expectation().");
      return List.of();
    }
    reader.require(opened);
    RowSample sample = reader.draw(opened, RowSample.CHECKED);
    double work = 2.0 * sample.rows() * model.predictors().coefficients();
    int draws = (int) Math.max(FEWEST_DRAWS, Math.min(DRAWS, WORK / Math.max(1, work)));
    KnownShifts shifts = reader.shifts(opened, draws, sample.blocks());
    double[][] thinned =
        shifts == null
            ? PosteriorPredictor.thinned(run.draws(), model.coefficients(), draws)
            : shifts.thetas();
    PredictiveCheck.Fitted fitted =
        new PredictiveCheck.Fitted(
            schema,
            expectation,
            thinned,
            model.predictors(),
            shifts == null ? null : shifts::of,
            shifts == null ? List.of() : shifts.factors());
    String events = schema.roles().trials();
    if (schema.label().kind().isTime() && events != null) {
      survival(html, fitted, sample, events);
      return List.of();
    }
    PredictiveCheck check = PredictiveCheck.of(fitted, sample, run.isPriorOnly());
    if (!run.isPriorOnly()) {
      List<Panel> coverage = QuantileCoverage.of(fitted, sample);
      return shown(html, check, coverage, schema, sample, thinned.length);
    }
    html.faint(
        Text.of(
            "Prior predictive checks of %s on %,d of the %,d stored rows. The table is compared"
                + " with %,d tables, replicated from %d draws from the prior. Bars and bands"
                + " contain 95 %% of them. The prior all but excludes what lies outside.",
            schema.label().column(),
            sample.rows(),
            sample.of(),
            check.replicates(),
            thinned.length));
    pictures(html, check, List.of(), schema, true);
    return List.of();
  }

  /** Times of which some are censored: replicated times are not, so only survival is compared. */
  private static void survival(
      Html html, PredictiveCheck.Fitted fitted, RowSample sample, String events) {
    Optional<SurvivalCurves> curves = SurvivalCurves.of(fitted, sample);
    html.faint(
        Text.of(
            "No predictive checks: times where %s is not 1 are censored, and replicated times are"
                + " not.%s Compare families of times by lampyris loo.",
            events,
            curves.isPresent()
                ? ""
                : " Kaplan and Meier's estimate needs events, the codes 0 and 1 alone, and finite"
                    + " mean times."));
    if (curves.isPresent()) {
      String label = fitted.schema().label().column();
      html.open("div", "grid").open("div", "").markup(CheckCharts.survival(label, curves.get()));
      html.faint(CheckReading.survival(curves.get())).close("div").close("div");
    }
  }

  private static List<String> shown(
      Html html,
      PredictiveCheck check,
      List<Panel> coverage,
      TableSchema schema,
      RowSample sample,
      int draws) {
    String label = schema.label().column();
    html.faint(
        Text.of(
            "Posterior predictive checks of %s on %,d of the %,d stored rows that the model was"
                + " fitted to. The table is compared with %,d tables, replicated from %d posterior"
                + " draws. Bars and bands contain 95 %% of them. A table that deviates more than"
                + " all of the first 400 is compared with %,d. The model is doubted if the table"
                + " deviates more than all of those. For right models this happens in at most one"
                + " report in 1,000.",
            label, sample.rows(), sample.of(), check.replicates(), draws, PredictiveCheck.ALL));
    if (schema.roles().weight() != null && schema.label().kind() != LabelKind.SUCCESSES) {
      html.faint(
          "Weights: if all weights are whole numbers, a row of weight w counts as w equal rows."
              + " Otherwise each row is one row that counts w times in every sum.");
    }
    if (check.replicates() == 0) {
      html.words("p", "The family cannot replicate responses, so only means are checked.");
    } else if (check.doubts().isEmpty()) {
      html.words("p", "Nothing stands out: the observed table looks like the replicated ones.");
    }
    check.doubts().forEach(doubt -> html.words("p", doubt));
    pictures(html, check, coverage, schema, false);
    return check.doubts();
  }

  private static void pictures(
      Html html, PredictiveCheck check, List<Panel> coverage, TableSchema schema, boolean isPrior) {
    String label = schema.label().column();
    boolean isRead = !isPrior && check.replicates() > 0;
    statistics(html, check.statistics(), isPrior ? "prior" : "posterior");
    html.open("div", "grid");
    BiConsumer<String, String> picture =
        (chart, reading) -> {
          html.open("div", "").markup(chart);
          if (isRead) {
            html.faint(reading);
          }
          html.close("div");
        };
    Histogram counts = check.rootogram();
    if (counts != null) {
      picture.accept(
          CheckCharts.rootogram(label, counts), CheckReading.cells("bars", counts, check));
      picture.accept(
          CheckCharts.distribution(label, counts), CheckReading.lines(counts, true, check));
    }
    Histogram density = check.density();
    if (density != null) {
      picture.accept(
          CheckCharts.density(label, density), CheckReading.lines(density, false, check));
    }
    Histogram transform = check.transform();
    if (transform != null) {
      picture.accept(
          CheckCharts.transform(transform),
          CheckReading.cells("numbers of rows", transform, check));
    }
    if (check.loo() != null && isRead) {
      picture.accept(CheckCharts.leftOut(check.loo()), CheckReading.leftOut(check.loo()));
    }
    for (Panel panel : check.panels()) {
      if ((panel.kind() == Kind.FITTED && !isPrior) || panel.kind() == Kind.NUMERIC) {
        picture.accept(CheckCharts.means(panel), CheckReading.means(panel));
      }
    }
    coverage.forEach(
        panel -> picture.accept(CheckCharts.coverage(panel), CheckReading.coverage(panel)));
    html.close("div");
    for (Panel panel : check.panels()) {
      if (panel.kind() == Kind.CLASSES) {
        table(html, "Proportions of the classes of " + panel.what(), panel, check, isRead);
      } else if (panel.kind() == Kind.LEVELS) {
        table(html, "By " + panel.what(), panel, check, isRead);
      }
    }
  }

  /** Adds the table of test statistics. */
  private static void statistics(Html html, List<TestStatistic> statistics, String from) {
    if (statistics.isEmpty()) {
      return;
    }
    html.words("h3", "Test statistics");
    html.table(
        "levels stats", List.of("statistic", "observed", "replicated mean", "95 %", "p-value"));
    for (TestStatistic found : statistics) {
      html.markup("<tr>").words("th", found.name());
      html.words("td", Text.brief(found.observed())).words("td", Text.brief(found.mean()));
      html.words("td", Text.brief(found.low()) + " to " + Text.brief(found.high()));
      boolean low = found.p() < BEYOND;
      html.classed("td", low ? "short" : "", low ? "< 0.001" : Text.of("%.3f", found.p()));
      html.markup("</tr>\n");
    }
    html.endTable();
    html.faint(
        "p-values are "
            + from
            + " predictive. Only the group mean and the share of rows that deviate"
            + " most are shown. Their p-value is for the largest deviation among all of them.");
  }

  /** Adds the table of a panel whose groups have names. */
  private static void table(
      Html html, String title, Panel panel, PredictiveCheck check, boolean isRead) {
    boolean zeros = panel.groups().stream().anyMatch(group -> group.zeros() != null);
    boolean largest = panel.groups().stream().anyMatch(group -> group.largest() != null);
    List<String> heads =
        new ArrayList<>(List.of(panel.what(), "rows", "observed", "expected", "95 %", "off by"));
    heads.addAll(zeros ? List.of("zeros", "95 %") : List.of());
    heads.addAll(largest ? List.of("largest", "95 %") : List.of());
    html.words("h3", title).table("levels", heads);
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
      Stream.of(group.zeros(), group.largest())
          .filter(Objects::nonNull)
          .forEach(figure -> figure(html, figure));
      html.markup("</tr>\n");
    }
    html.endTable();
    if (isRead) {
      html.faint(CheckReading.means(panel));
    }
    if (zeros && isRead) {
      html.faint(CheckReading.zeros(panel, check));
    }
    if (largest && isRead) {
      html.faint(CheckReading.largest(panel, check));
    }
  }

  private static void figure(Html html, Panel.Figure figure) {
    String style = figure.isOutside() ? "short" : "";
    html.classed("td", style, Text.brief(figure.observed()));
    html.words(
        "td",
        Text.brief(figure.replicated().low()) + " to " + Text.brief(figure.replicated().high()));
  }
}
