package org.lampyris.driver.output;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
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
    Columns columns =
        new Columns(
            summary.stream().anyMatch(row -> row.inclusion().isChosen()),
            !truth.isEmpty(),
            !convergence.independent());
    List<String[]> lines = new ArrayList<>();
    lines.add(columns.header());
    double common = commonSd(shown);
    for (VariableSummary row : shown) {
      String mark = convergence.fallsShort(row) ? "!" : "";
      double scale = common > 0 ? common : row.sd();
      lines.add(columns.cells(row, truth.get(row.variable()), scale, mark));
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

  /**
   * Columns that are shown.
   *
   * @param chosen whether there are inclusion probabilities, for variable selection
   * @param truth whether there are true values, whose z then stands for the median
   * @param mixing whether there are R-hat and ESS
   */
  private record Columns(boolean chosen, boolean truth, boolean mixing) {
    String[] header() {
      List<String> names = new ArrayList<>(List.of("variable"));
      add(names, chosen, "included");
      add(names, truth, "true", "mean", "sd", "z", "q5", "q95");
      add(names, !truth, "mean", "sd", "q5", "median", "q95");
      add(names, mixing, "R-hat");
      add(names, mixing && truth, "ESS");
      add(names, mixing && !truth, "ESS bulk", "ESS tail");
      names.add("");
      return names.toArray(String[]::new);
    }

    /**
     * Returns a line.
     *
     * @param value the true value; null if it is not known
     * @param scale the sd that numbers take their digits from
     */
    String[] cells(VariableSummary row, @Nullable Double value, double scale, String mark) {
      VariableSummary.Quantiles of = row.quantiles();
      double bulk = row.mixing().essBulk();
      double z = value == null ? Double.NaN : (row.mean() - value) / row.sd();
      List<String> cells = new ArrayList<>(List.of(shortened(row.variable())));
      add(cells, chosen, Text.of("%.3f", row.inclusion().probability()));
      add(cells, truth, value == null ? "" : number(value, scale));
      add(cells, true, number(row.mean(), scale), number(row.sd(), scale));
      add(cells, truth, value == null ? "" : row.sd() > 0 ? Text.of("%.2f", z) : "none");
      add(cells, true, number(of.q5(), scale));
      add(cells, !truth, number(of.median(), scale));
      add(cells, true, number(of.q95(), scale));
      add(cells, mixing, Convergence.rhat(row.mixing().rhat()));
      add(cells, mixing && truth, whole(Math.min(bulk, row.essTail())));
      add(cells, mixing && !truth, whole(bulk), whole(row.essTail()));
      cells.add(mark);
      return cells.toArray(String[]::new);
    }

    private static void add(List<String> to, boolean shown, String... cells) {
      if (shown) {
        to.addAll(List.of(cells));
      }
    }
  }

  /** Returns the sd that all rows take their digits from; 0 if they differ too much for that. */
  private static double commonSd(List<VariableSummary> rows) {
    DoubleSummaryStatistics sds =
        rows.stream().mapToDouble(VariableSummary::sd).filter(sd -> sd > 0).summaryStatistics();
    // Times three: the least sd then has two digits, or three if it begins with less than 3.4.
    return sds.getMax() <= 100 * sds.getMin() ? sds.getMin() * 3 : 0;
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
      lines.add(quantiles("exp(" + row.variable() + ")", row, Math::exp));
    }
    return aligned(lines);
  }

  /**
   * Returns the table of coefficients times the standard deviation of their column: what the linear
   * predictor changes by when the column does by one standard deviation. The intercept is left out.
   *
   * @param summary of coefficients alone
   * @param sds of the prepared table's columns, by their names
   */
  public static String standardized(List<VariableSummary> summary, Map<String, Double> sds) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"variable, by sd of its column", "median", "q5", "q95", ""});
    for (VariableSummary row : summary) {
      String name = row.variable();
      Double own = sds.get(name);
      // Models of classes have a coefficient of a column for each class: x[b].
      Double sd = own == null ? sds.get(name.replaceFirst("\\[[^\\[]*\\]$", "")) : own;
      if (sd != null) {
        lines.add(quantiles(name, row, x -> x * sd));
      }
    }
    return aligned(lines);
  }

  /** Returns a line with the quantiles of an increasing function of a coefficient. */
  private static String[] quantiles(String name, VariableSummary row, DoubleUnaryOperator f) {
    double low = f.applyAsDouble(row.quantiles().q5());
    double high = f.applyAsDouble(row.quantiles().q95());
    double spread = 0.3 * (high - low); // about the sd
    return new String[] {
      shortened(name),
      number(f.applyAsDouble(row.quantiles().median()), spread),
      number(low, spread),
      number(high, spread),
      ""
    };
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
    return Text.of("%." + Math.max(0, decimals) + "f", value).replaceFirst("^-(?=[0.]*$)", "");
  }

  public static String whole(double value) {
    return Double.isFinite(value) ? Text.of("%.0f", value) : "none";
  }

  private static String shortened(String name) {
    return shortened(name, LONGEST_NAME);
  }

  /**
   * Returns a name in one line, cut to a number of characters. Its end is kept, which tells columns
   * of one term and correlations apart: a short level in brackets, and a third of the characters.
   */
  public static String shortened(String whole, int longest) {
    String name = whole.replace("\n", "\\n");
    int all = name.codePointCount(0, name.length());
    if (all <= longest) {
      return name;
    }
    int level =
        name.endsWith("]") ? name.codePointCount(name.lastIndexOf('['), name.length()) : all;
    int kept = level <= longest / 2 ? Math.max(level, longest / 3) : longest / 3;
    return name.substring(0, name.offsetByCodePoints(0, longest - 1 - kept))
        + "…"
        + name.substring(name.offsetByCodePoints(name.length(), -kept));
  }
}
