package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Printed summary: aligned, at most a screen wide and long. */
public final class SummaryTable {
  private static final int LONGEST_NAME = 28;
  private static final int MOST_ROWS = 40;
  private static final int FIRST_ROWS = 15;
  private static final int WORST_ROWS = 15;
  private static final String GAP = "  ";
  private static final String CUT = "Intercept[";

  private SummaryTable() {}

  /**
   * Returns the table.
   *
   * @param all one row a coefficient
   * @param truth the true values by coefficient, shown in the table; empty for none
   * @param rest where all rows are found, for tables too long to show
   * @param convergence the criteria that rows are marked by; no R-hat and ESS are shown if draws
   *     are independent
   */
  public static String render(
      List<VariableSummary> all, Map<String, Double> truth, String rest, Convergence convergence) {
    List<VariableSummary> summary = cutsTogether(all);
    List<VariableSummary> shown = shown(summary, convergence);
    List<String[]> lines = new ArrayList<>();
    boolean chosen = summary.stream().anyMatch(row -> row.inclusion().isChosen());
    int mixing = convergence.independent() ? (truth.isEmpty() ? 3 : 2) : 0;
    lines.add(withInclusion(chosen, without(mixing, header(!truth.isEmpty())), "included"));
    double common = commonSd(shown);
    for (VariableSummary row : shown) {
      String mark = convergence.fallsShort(row) ? "!" : "";
      String[] cells = without(mixing, cells(row, truth, common > 0 ? common : row.sd(), mark));
      lines.add(withInclusion(chosen, cells, Text.of("%.3f", row.inclusion().probability())));
    }
    StringBuilder text = new StringBuilder(aligned(lines));
    if (shown.size() < summary.size()) {
      text.append(
          Text.of(
              "The first %d and the %d most doubtful of %d coefficients;" + " all are in %s.\n",
              FIRST_ROWS, WORST_ROWS, summary.size(), rest));
    }
    if (!truth.isEmpty()) {
      text.append(coverage(summary, truth));
    }
    return text.toString();
  }

  /**
   * Returns the rows with the cut points of an ordinal regression one after the other. θ begins
   * with the first of them and ends with the others.
   */
  public static List<VariableSummary> cutsTogether(List<VariableSummary> rows) {
    List<VariableSummary> cuts =
        rows.stream().filter(row -> row.variable().startsWith(CUT)).toList();
    List<VariableSummary> together = new ArrayList<>();
    for (VariableSummary row : rows) {
      if (!row.variable().startsWith(CUT)) {
        together.add(row);
      } else if (row.variable().equals(cuts.get(0).variable())) {
        together.addAll(cuts);
      }
    }
    return together;
  }

  /** Returns lines of cells in columns: names at the left, numbers, and a mark. */
  public static String aligned(List<String[]> lines) {
    String format =
        IntStream.range(0, lines.get(0).length - 1)
            .map(i -> lines.stream().mapToInt(line -> line[i].length()).max().orElse(1))
            .mapToObj(width -> "%" + Math.max(1, width) + "s")
            .collect(Collectors.joining(GAP, "", " %s"))
            .replaceFirst("%", "%-"); // names stand at the left
    StringBuilder text = new StringBuilder();
    for (String[] line : lines) {
      text.append(Text.of(format, (Object[]) line).stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static List<VariableSummary> shown(
      List<VariableSummary> summary, Convergence convergence) {
    if (summary.size() <= MOST_ROWS) {
      return summary;
    }
    List<VariableSummary> shown = new ArrayList<>(summary.subList(0, FIRST_ROWS));
    List<VariableSummary> others = new ArrayList<>(summary.subList(FIRST_ROWS, summary.size()));
    others.sort(convergence.worstFirst());
    shown.addAll(
        others.stream()
            .limit(WORST_ROWS)
            .sorted(Comparator.comparingInt(summary::indexOf))
            .toList());
    return shown;
  }

  /** Returns cells without a number of them before the last. */
  private static String[] without(int left, String[] cells) {
    String[] rest = Arrays.copyOf(cells, cells.length - left);
    rest[rest.length - 1] = cells[cells.length - 1];
    return rest;
  }

  /** Returns cells with one more after the name, for variable selection. */
  private static String[] withInclusion(boolean chosen, String[] cells, String cell) {
    List<String> all = new ArrayList<>(List.of(cells));
    if (chosen) {
      all.add(1, cell);
    }
    return all.toArray(String[]::new);
  }

  private static String[] header(boolean withTruth) {
    return withTruth
        ? new String[] {"variable", "true", "mean", "sd", "z", "q5", "q95", "R-hat", "ESS", ""}
        : new String[] {
          "variable", "mean", "sd", "q5", "median", "q95", "R-hat", "ESS bulk", "ESS tail", ""
        };
  }

  /** Returns the sd that all rows take their digits from; 0 if they differ too much for that. */
  private static double commonSd(List<VariableSummary> rows) {
    DoubleSummaryStatistics sds =
        rows.stream().mapToDouble(VariableSummary::sd).filter(sd -> sd > 0).summaryStatistics();
    // Times three: the least sd then has two digits, or three if it begins with less than 3.4.
    return sds.getMax() <= 100 * sds.getMin() ? sds.getMin() * 3 : 0;
  }

  private static String[] cells(
      VariableSummary row, Map<String, Double> truth, double scale, String mark) {
    double sd = row.sd();
    String rhat = Convergence.rhat(row.mixing().rhat());
    if (truth.isEmpty()) {
      return new String[] {
        shortened(row.variable()),
        number(row.mean(), scale),
        number(sd, scale),
        number(row.quantiles().q5(), scale),
        number(row.quantiles().median(), scale),
        number(row.quantiles().q95(), scale),
        rhat,
        whole(row.mixing().essBulk()),
        whole(row.essTail()),
        mark
      };
    }
    Double value = truth.get(row.variable());
    return new String[] {
      shortened(row.variable()),
      value == null ? "" : number(value, scale),
      number(row.mean(), scale),
      number(sd, scale),
      value == null ? "" : sd > 0 ? Text.of("%.2f", (row.mean() - value) / sd) : "none",
      number(row.quantiles().q5(), scale),
      number(row.quantiles().q95(), scale),
      rhat,
      whole(Math.min(row.mixing().essBulk(), row.essTail())),
      mark
    };
  }

  /**
   * Returns the table of e^x for coefficients x: odds ratios under a logit link, ratios of means
   * under a log link. Quantiles of e^x are e to the power of the quantiles.
   *
   * @param summary of coefficients alone
   */
  public static String exponentials(List<VariableSummary> summary) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"exp(variable)", "median", "q5", "q95", ""});
    for (VariableSummary row : summary) {
      VariableSummary.Quantiles of = row.quantiles();
      double spread = 0.3 * (Math.exp(of.q95()) - Math.exp(of.q5())); // about the sd
      lines.add(
          new String[] {
            shortened("exp(" + row.variable() + ")"),
            number(Math.exp(of.median()), spread),
            number(Math.exp(of.q5()), spread),
            number(Math.exp(of.q95()), spread),
            ""
          });
    }
    return aligned(lines);
  }

  /** Reports how many true values lie in their intervals, with the expected number. */
  private static String coverage(List<VariableSummary> summary, Map<String, Double> truth) {
    int known = 0;
    int covered = 0;
    int spread = 0;
    double squares = 0;
    for (VariableSummary row : summary) {
      @Nullable Double value = truth.get(row.variable());
      if (value != null) {
        known++;
        covered += value >= row.quantiles().q5() && value <= row.quantiles().q95() ? 1 : 0;
        double z = (row.mean() - value) / row.sd();
        if (row.sd() > 0) {
          spread++;
          squares += z * z;
        }
      }
    }
    if (known == 0) {
      return "No true coefficient has the name of a column of the draws.\n";
    }
    return Text.of(
        "%d of %d true values lie in their 90 %% interval (expected %.0f); root mean square of z"
            + " %.2f (expected 1).\n",
        covered, known, 0.9 * known, Math.sqrt(squares / spread));
  }

  /** Writes a number with three digits of its standard deviation. */
  public static String number(double value, double sd) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    double scale = sd > 0 && Double.isFinite(sd) ? sd : Math.abs(value);
    int decimals = scale > 0 ? 2 - (int) Math.floor(Math.log10(scale)) : 2;
    if (decimals > 7 || Math.abs(value) >= 1e9) {
      return Text.of("%.3e", value);
    }
    return Text.of("%." + Math.max(0, decimals) + "f", value);
  }

  public static String whole(double value) {
    return Double.isFinite(value) ? Text.of("%.0f", value) : "none";
  }

  private static String shortened(String name) {
    return shortened(name, LONGEST_NAME);
  }

  /**
   * Returns a name, cut to a number of characters. A short level in brackets at its end is kept,
   * because it tells the columns of one term apart.
   */
  public static String shortened(String name, int longest) {
    if (name.codePointCount(0, name.length()) <= longest) {
      return name;
    }
    String level = name.endsWith("]") ? name.substring(name.lastIndexOf('[')) : "";
    int kept = level.codePointCount(0, level.length());
    String end = kept <= longest / 2 ? level : "";
    int head = longest - 1 - (end.isEmpty() ? 0 : kept);
    return name.substring(0, name.offsetByCodePoints(0, head)) + "…" + end;
  }
}
