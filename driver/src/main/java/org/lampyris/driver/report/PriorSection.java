package org.lampyris.driver.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predict.PriorSample;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Report section on what the rows add to the prior: each parameter's 90 % interval before and
 * after, and the shrinkage 1 − (posterior width/prior width)².
 */
final class PriorSection {
  private static final int SHOWN = 40;

  /** Fewest draws from the prior of all parameters, and most draws of numbers. */
  private static final int FEWEST = 2_000;

  private static final int MOST = 400_000;

  private PriorSection() {}

  /**
   * Parameter before and after.
   *
   * @param low the 5 % quantile of its prior
   * @param high the 95 % quantile
   */
  record Line(VariableSummary posterior, double low, double high) {
    double shrinkage() {
      VariableSummary.Quantiles after = posterior.quantiles();
      double ratio = (after.q95() - after.q5()) / (high - low);
      return 1 - ratio * ratio;
    }
  }

  /**
   * Returns the section; nothing without the run's table, or without a proper prior to draw from.
   */
  static String of(RunFolder run) throws IOException {
    if (run.isPriorOnly()) {
      return "";
    }
    List<Line> lines;
    try {
      lines = lines(run.summary(), run.model());
    } catch (UserException e) {
      return ""; // The section on checks says if the table is gone.
    }
    if (lines.isEmpty()) {
      return "";
    }
    Html html = new Html().section("shrinkage", "Prior and posterior");
    html.table("levels", List.of("variable", "prior, 90 %", "posterior, 90 %", "shrinkage"));
    for (Line line : lines.subList(0, Math.min(SHOWN, lines.size()))) {
      VariableSummary.Quantiles after = line.posterior().quantiles();
      double sd = line.posterior().sd();
      html.markup("<tr>").words("th", line.posterior().variable());
      html.words("td", Text.brief(line.low()) + " to " + Text.brief(line.high()));
      html.words(
          "td",
          SummaryTable.number(after.q5(), sd) + " to " + SummaryTable.number(after.q95(), sd));
      html.classed("td", line.shrinkage() < 0 ? "short" : "", Text.of("%.3f", line.shrinkage()));
      html.markup("</tr>\n");
    }
    html.endTable();
    html.faint(
        "Shrinkage is 1 - (posterior width/prior width)\u00b2 of the 90 % intervals. Near 1 the"
            + " rows determine the parameter. Near 0 the prior does, and below 0 the posterior is"
            + " wider than the prior."
            + (lines.size() > SHOWN
                ? Text.of(" The first %d of %,d are shown.", SHOWN, lines.size())
                : ""));
    return html.close("section").toString();
  }

  /** Returns the parameters that have proper priors of their own. */
  static List<Line> lines(List<VariableSummary> summary, RunOutput.Fitted fitted) {
    int count = Math.max(FEWEST, MOST / Math.max(1, summary.size()));
    Draws draws = PriorSample.of(fitted, count).draws();
    Set<String> shared = new HashSet<>();
    fitted.schema().sharedScales().forEach(one -> shared.addAll(one.columns()));
    List<Line> lines = new ArrayList<>();
    for (VariableSummary row : summary) {
      int j = draws.variables().indexOf(row.variable());
      if (j >= 0 && !shared.contains(row.variable())) {
        double[] sorted = draws.values()[j][0].clone();
        Arrays.sort(sorted);
        double low = sorted[sorted.length / 20];
        double high = sorted[sorted.length - 1 - sorted.length / 20];
        if (Double.isFinite(low) && Double.isFinite(high) && high > low) {
          lines.add(new Line(row, low, high));
        }
      }
    }
    return lines;
  }
}
