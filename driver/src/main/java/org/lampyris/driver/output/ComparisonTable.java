package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.diagnostics.GaussianDivergence;
import org.lampyris.samplers.diagnostics.MarginalDifference;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Printed table of a comparison, at most 100 characters wide for a few runs. */
public final class ComparisonTable {
  private static final int WIDTH = 100;
  private static final int LEAST_NAME = 12;
  private static final int MOST_ROWS = 20;
  private static final int WORST_ROWS = 10;
  private static final String[] HEADER =
      "variable|mean 1|mean %d|shift|error|sd 1|sd %d|log sd|error|distance|limit|"
          .split("\\|", -1);

  private final Comparison comparison;

  private ComparisonTable(Comparison comparison) {
    this.comparison = comparison;
  }

  /** Returns the table, with the verdict. */
  public static String render(Comparison comparison) {
    return new ComparisonTable(comparison).render();
  }

  private String render() {
    StringBuilder text = new StringBuilder(figures());
    comparison.others().forEach(found -> text.append('\n').append(against(found)));
    FalseAlarms chance = comparison.chance();
    text.append(
        Text.of(
            """

            shift: the difference of the means in sds of run 1; log sd: the logarithm of the ratio of
            the sds; each with its Monte-Carlo standard error. distance: sup |F - F1| of the
            distribution functions. Gaussian KL divergence: of normal distributions with the draws' means
            and covariances. ! marks what is beyond %.2f errors, or its limit: were all draws of one
            distribution, there would be a mark on any of the %d figures with a chance of %.0f %%.
            """,
            chance.sigmas(), chance.comparisons(), 100 * chance.rate()));
    comparison.verdict().forEach(line -> text.append(line).append('\n'));
    BayesFactors.lines(comparison.runs()).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Returns the figures of the runs side by side. */
  private String figures() {
    List<Map<String, Object>> all = comparison.runs().stream().map(ComparedRun::figures).toList();
    Set<String> names = new LinkedHashSet<>();
    all.forEach(run -> names.addAll(run.keySet()));
    List<String[]> lines = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    String[] header = cells("");
    for (int i = 0; i < all.size(); i++) {
      String folder = comparison.runs().get(i).folder();
      header[i + 1] = "run " + (i + 1);
      text.append(header[i + 1])
          .append(": ")
          .append(folder)
          .append(i == 0 ? " (reference)\n" : "\n");
    }
    lines.add(header);
    for (String name : names) {
      String[] cells = cells(name.replace('_', ' '));
      for (int i = 0; i < all.size(); i++) {
        cells[i + 1] = text(all.get(i).getOrDefault(name, ""));
      }
      lines.add(cells);
    }
    return text.append('\n').append(SummaryTable.aligned(lines)).toString();
  }

  /** Returns the cells of a line with its name: one a run, and no mark. */
  private String[] cells(String name) {
    String[] cells = new String[comparison.runs().size() + 2];
    cells[0] = name;
    cells[cells.length - 1] = "";
    return cells;
  }

  private static String text(Object figure) {
    if (figure instanceof Double number) {
      return Text.of(Math.abs(number) < 100 ? "%.3g" : "%,.0f", number);
    }
    return figure instanceof Long count ? Text.of("%,d", count) : figure.toString();
  }

  private String against(Comparison.Found found) {
    List<Integer> worst = comparison.worstFirst(found);
    int all = worst.size();
    List<Integer> shown =
        worst.stream().limit(all > MOST_ROWS ? WORST_ROWS : all).sorted().toList();
    List<String[]> lines = new ArrayList<>();
    lines.add(HEADER.clone());
    for (int i = 1; i < HEADER.length; i++) {
      lines.get(0)[i] = Text.of(HEADER[i], found.number());
    }
    shown.forEach(j -> lines.add(cells(found, j)));
    int others =
        SummaryTable.aligned(lines.stream().map(ComparisonTable::nameless).toList())
            .lines()
            .mapToInt(String::length)
            .max()
            .orElse(0);
    lines.forEach(
        line -> line[0] = SummaryTable.shortened(line[0], Math.max(LEAST_NAME, WIDTH - others)));
    String text = "Run " + found.number() + " against run 1:\n" + SummaryTable.aligned(lines);
    if (shown.size() < all) {
      text +=
          "The %d of %d variables that differ most, in Monte-Carlo errors.\n"
              .formatted(shown.size(), all);
    }
    GaussianDivergence joint = found.joint();
    return text
        + (Double.isNaN(joint.value())
            ? "Gaussian KL divergence: none, because variables are dependent or draws are too"
                + " few.\n"
            : Text.of(
                "Gaussian KL divergence: %.3g (by chance about %.2g, up to %.2g).\n",
                joint.value(), joint.expected(), joint.limit(comparison.chance())));
  }

  private static String[] nameless(String[] line) {
    String[] cells = line.clone();
    cells[0] = "";
    return cells;
  }

  private String[] cells(Comparison.Found found, int variable) {
    VariableSummary a = comparison.runs().get(0).marginals().get(variable).summary();
    VariableSummary b = found.run().marginals().get(variable).summary();
    MarginalDifference d = found.differences().get(variable);
    double scale = a.sd() / 3; // three digits of the sd, or four
    return new String[] {
      a.variable(),
      SummaryTable.number(a.mean(), scale),
      SummaryTable.number(b.mean(), scale),
      three(d.mean()),
      three(d.meanError()),
      SummaryTable.number(a.sd(), scale),
      SummaryTable.number(b.sd(), scale),
      three(d.logSd()),
      three(d.logSdError()),
      three(d.distance()),
      three(d.distanceLimit(comparison.chance())),
      d.largest(comparison.chance()) > 1 ? "!" : ""
    };
  }

  private static String three(double value) {
    return Text.of("%.3f", value);
  }
}
