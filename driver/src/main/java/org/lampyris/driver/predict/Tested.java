package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.driver.predict.TestStatistic.Kind;

/** Statistics of the observed table and of replicated ones, and the doubts that they raise. */
final class Tested {
  /** Relative excess of scatter that is too small to matter. */
  private static final double LITTLE = 0.05;

  /** Number of replicated tables that are drawn as lines. */
  static final int LINES = 50;

  /** A statistic of all tables, the observed one first; of all rows, or of a group. */
  private record Series(
      Kind kind, String name, boolean whole, double[] values, double[] deviations) {}

  /**
   * The statistic of a kind that deviates most.
   *
   * @param limit the largest deviation of a statistic of the kind in a replicated table
   * @param p the share of tables with a statistic that deviates as much
   */
  private record Most(Series series, double limit, double p) {}

  private final Replicates.Of of;
  private final List<Panel> panels = new ArrayList<>();
  private final Replicates tables;
  private final String label;
  private final List<Series> all = new ArrayList<>();
  private final Map<Kind, Most> most = new EnumMap<>(Kind.class);
  private final IdentityHashMap<Panel.Group, Series> ofGroups = new IdentityHashMap<>();

  /** Compares the observed table with replicates, if there are any. */
  Tested(Replicates.Of of, Replicates tables) {
    this.of = of;
    this.tables = tables;
    label = of.fitted().schema().label().column();
    boolean drawn = tables.tables() > 1;
    if (drawn && !of.kind().isClass()) {
      scatter();
      cells();
      extremes();
    }
    for (int p = 0; p < of.by().size(); p++) {
      panels.add(panel(p, drawn));
    }
    for (Kind kind : Kind.values()) {
      List<Series> ofKind = all.stream().filter(series -> series.kind == kind).toList();
      if (!ofKind.isEmpty()) {
        most.put(kind, most(ofKind));
      }
    }
  }

  /** Returns the groups of a grouping that have rows, whose means are statistics. */
  private Panel panel(int grouping, boolean drawn) {
    Grouping by = of.by().get(grouping);
    List<Panel.Group> groups = new ArrayList<>();
    for (int g = 0; g < by.groups(); g++) {
      if (tables.has(grouping, g)) {
        double[] mean = tables.means(grouping, g);
        double[] ends = drawn ? quantiles(mean) : new double[] {Double.NaN, Double.NaN};
        double[][] zeros = tables.zeros[grouping];
        double[][] tops = tables.tops[grouping];
        double rows = rows(by, g);
        double[] none =
            zeros.length == 0 ? null : Arrays.stream(zeros[g]).map(sum -> sum / rows).toArray();
        double[] top = tops.length == 0 ? null : tops[g];
        Panel.Group group =
            tables.group(
                grouping,
                g,
                ends,
                drawn && none != null ? figure(none) : null,
                drawn && top != null ? figure(top) : null);
        if (drawn) {
          boolean whole = by.kind() == Panel.Kind.CLASSES;
          Series series = add(Kind.MEANS, place(by, group), whole, mean, root());
          if (series != null) {
            ofGroups.put(group, series);
          }
          String where = Text.of(" over rows with %s = %s", by.what(), group.name());
          if (none != null) {
            add(
                Kind.DISTRIBUTION,
                "share of rows with " + of.cells().words(0, label) + where,
                false,
                none,
                Math::sqrt);
          }
          if (top != null) {
            add(Kind.EXTREMES, "largest " + what() + where, false, top, tail());
          }
        }
        groups.add(group);
      }
    }
    return new Panel(by.what(), by.kind(), groups);
  }

  private static Panel.Figure figure(double[] values) {
    double[] ends = quantiles(values);
    return new Panel.Figure(values[0], new Panel.Replicated(ends[0], ends[1]));
  }

  /** Returns how many rows a group has, or all rows if there is none: Σ w, and each trials once. */
  private double rows(@Nullable Grouping by, int group) {
    double rows = 0;
    for (int i = 0; i < of.rows().size(); i++) {
      if (by == null || by.of()[i] == group) {
        rows += of.rows().copies(i) * (of.kind() == LabelKind.SUCCESSES ? 1 : of.rows().weight(i));
      }
    }
    return rows;
  }

  private String place(Grouping by, Panel.Group group) {
    if (by.kind() == Panel.Kind.CLASSES) {
      return Text.of("share of rows with %s = %s", label, group.name());
    }
    String rows =
        group.name().isEmpty()
            ? Text.of("%s about %s", by.what(), Text.brief(group.at()))
            : Text.of("%s = %s", by.what(), group.name());
    return Text.of("mean of %s over rows with %s", label, rows);
  }

  /** Returns a scale that reduces the skew of means of non-negative values. */
  private DoubleUnaryOperator root() {
    return of.kind() == LabelKind.REAL ? x -> x : Math::sqrt;
  }

  private void scatter() {
    double all = rows(null, 0);
    double[] mean = Arrays.stream(tables.scatter).map(sum -> sum / all).toArray();
    add(Kind.SCATTER, "mean of squared standardised residuals", true, mean, Math::log);
  }

  private void cells() {
    double rows = Arrays.stream(tables.counts).mapToDouble(cell -> cell[0]).sum();
    for (int k = 0; k < tables.counts.length; k++) {
      double[] share = Arrays.stream(tables.counts[k]).map(count -> count / rows).toArray();
      String name = "share of rows with " + of.cells().words(k, label);
      add(Kind.DISTRIBUTION, name, true, share, Math::sqrt);
    }
  }

  private void extremes() {
    add(Kind.EXTREMES, "largest " + what(), true, tables.largest, tail());
    if (!of.cells().isCount()) {
      add(Kind.EXTREMES, "smallest " + what(), true, tables.smallest, tail());
    }
  }

  /** Returns a scale on which extremes are less skewed. */
  private DoubleUnaryOperator tail() {
    return switch (of.kind()) {
      case POSITIVE, TIME, INTERVAL -> Math::log;
      case SHARE -> y -> Math.log(y) - Math.log1p(-y);
      case REAL -> y -> y;
      default -> Math::log1p;
    };
  }

  private String what() {
    return of.kind() == LabelKind.SUCCESSES ? "number of successes, " + label : label;
  }

  /** Adds a statistic, unless some table has none; null then. */
  private @Nullable Series add(
      Kind kind, String name, boolean whole, double[] values, DoubleUnaryOperator scale) {
    double[] scaled = Arrays.stream(values).map(scale).toArray();
    double mean = Arrays.stream(scaled).average().orElse(0);
    double squares = Arrays.stream(scaled).map(x -> (x - mean) * (x - mean)).sum();
    double sd = Math.sqrt(squares / (scaled.length - 1));
    if (!Double.isFinite(sd)) {
      return null;
    }
    double[] off = new double[scaled.length];
    Arrays.setAll(off, t -> sd > 0 ? Math.abs(scaled[t] - mean) / sd : 0);
    Series series = new Series(kind, name, whole, values, off);
    all.add(series);
    return series;
  }

  /** Returns the worst statistic: one of all rows rather than of a group, if both are beyond. */
  private static Most most(List<Series> of) {
    int tables = of.get(0).values.length;
    double[] largest = new double[tables];
    for (Series series : of) {
      for (int t = 0; t < tables; t++) {
        largest[t] = Math.max(largest[t], series.deviations[t]);
      }
    }
    double limit = Arrays.stream(largest).skip(1).max().orElse(0);
    Series at =
        Collections.max(
            of,
            Comparator.<Series>comparingInt(one -> one.whole && one.deviations[0] > limit ? 1 : 0)
                .thenComparingDouble(one -> one.deviations[0]));
    double as = Arrays.stream(largest).filter(x -> x >= largest[0]).count();
    return new Most(at, limit, as / tables);
  }

  /** Returns whether in some kind the observed table deviates more than every replicated one. */
  boolean isExtreme() {
    return most.values().stream().anyMatch(found -> isExtreme(found.p));
  }

  private boolean isExtreme(double p) {
    return isExtreme(p, tables.tables());
  }

  /** Returns whether the observed table alone deviates as much, of so many. */
  static boolean isExtreme(double p, int tables) {
    return p * tables < 1.5;
  }

  /**
   * Returns the check's results.
   *
   * @param loo how responses that are left out are predicted; null if that is not known
   */
  PredictiveCheck check(@Nullable LooPit loo) {
    List<TestStatistic> statistics = new ArrayList<>();
    List<String> doubts = new ArrayList<>();
    Set<Kind> doubted = EnumSet.noneOf(Kind.class);
    most.forEach(
        (kind, found) -> {
          TestStatistic worst = statistic(found.series, found.p);
          statistics.addAll(shown(kind, found.series, worst));
          boolean matters =
              kind != Kind.SCATTER || Math.abs(worst.observed() / worst.mean() - 1) > LITTLE;
          if (isExtreme(found.p) && matters) {
            doubts.add(sentence(worst));
            doubted.add(kind);
          }
        });
    boolean numbers = tables.tables() > 1 && !of.kind().isClass();
    boolean count = of.cells().isCount();
    return new PredictiveCheck(
        joined(),
        statistics,
        numbers && count ? histogram(of.cells().edges(), tables.counts, false) : null,
        numbers && !count ? histogram(of.cells().grid(), tables.density, of.cells().log()) : null,
        numbers && !count ? histogram(of.cells().edges(), tables.counts, false) : null,
        loo,
        tables.tables() - 1,
        doubts,
        doubted);
  }

  /** Returns the statistics of a kind that are shown: all of a few, or the worst, and zeros. */
  private List<TestStatistic> shown(Kind kind, Series most, TestStatistic worst) {
    List<Series> ofKind = all.stream().filter(series -> series.kind == kind).toList();
    List<Series> wholes = ofKind.stream().filter(Series::whole).toList();
    boolean few = kind == Kind.EXTREMES || ofKind.size() == 1;
    boolean zeros = kind == Kind.DISTRIBUTION && of.cells().isCount();
    List<TestStatistic> shown = new ArrayList<>(few && most.whole ? List.of() : List.of(worst));
    for (Series series : few ? wholes : wholes.subList(0, zeros ? 1 : 0)) {
      if (few || !series.name.equals(most.name)) {
        shown.add(statistic(series, twoSided(series.values)));
      }
    }
    return shown;
  }

  /** Returns the panels, with those of single classes joined. */
  private List<Panel> joined() {
    List<Panel> joined = new ArrayList<>();
    List<Panel.Group> classes = new ArrayList<>();
    for (Panel panel : panels) {
      if (panel.kind() == Panel.Kind.CLASSES) {
        classes.addAll(judged(panel.groups()));
      } else {
        joined.add(new Panel(panel.what(), panel.kind(), judged(panel.groups())));
      }
    }
    if (!classes.isEmpty()) {
      joined.add(new Panel(label, Panel.Kind.CLASSES, classes));
    }
    return joined;
  }

  /** Returns groups with whether their means are beyond those of all replicated tables. */
  private List<Panel.Group> judged(List<Panel.Group> groups) {
    Most means = most.get(Kind.MEANS);
    return groups.stream()
        .map(
            group -> {
              Series series = ofGroups.get(group);
              return group.beyond(
                  means != null
                      && series != null
                      && isExtreme(means.p)
                      && series.deviations[0] > means.limit);
            })
        .toList();
  }

  private static TestStatistic statistic(Series series, double p) {
    double[] ends = quantiles(series.values);
    return new TestStatistic(
        series.kind,
        series.name,
        series.values[0],
        Arrays.stream(series.values).skip(1).average().orElse(Double.NaN),
        ends[0],
        ends[1],
        p);
  }

  private static double twoSided(double[] values) {
    double below = Arrays.stream(values).filter(x -> x <= values[0]).count();
    double above = Arrays.stream(values).filter(x -> x >= values[0]).count();
    return Math.min(1, 2 * Math.min(below, above) / values.length);
  }

  private static Histogram histogram(double[] edges, double[][] counts, boolean log) {
    int cells = counts.length;
    double[][] of = new double[4][cells];
    int tables = cells == 0 ? 0 : counts[0].length - 1;
    double[][] some = new double[Math.min(LINES, tables)][cells];
    for (int k = 0; k < cells; k++) {
      double[] ends = quantiles(counts[k]);
      of[0][k] = counts[k][0];
      of[1][k] = Arrays.stream(counts[k]).skip(1).average().orElse(0);
      of[2][k] = ends[0];
      of[3][k] = ends[1];
      for (int t = 0; t < some.length; t++) {
        some[t][k] = counts[k][1 + (int) ((long) t * tables / some.length)];
      }
    }
    return new Histogram(edges, of[0], of[1], of[2], of[3], some, log);
  }

  private String sentence(TestStatistic found) {
    boolean more = found.observed() > found.mean();
    String is =
        Text.of(
            "%s is %s. In 95 %% of %,d replicated tables it is from %s to %s, and in none is it as"
                + " far off.",
            found.name(),
            Text.brief(found.observed()),
            tables.tables() - 1,
            Text.brief(found.low()),
            Text.brief(found.high()));
    return "Predictive checks: "
        + switch (found.kind()) {
          case MEANS ->
              Text.of(
                  "the %s The model misses a pattern there, such as a curve or an interaction.",
                  is);
          case SCATTER ->
              Text.of(
                  "%s scatters %s than the model expects: the %s Intervals are too %s. Try a family"
                      + " with a dispersion parameter.",
                  label, more ? "more" : "less", is, more ? "narrow" : "wide");
          case DISTRIBUTION ->
              Text.of("the %s The distribution has another shape. Try another family.", is);
          case EXTREMES ->
              Text.of(
                  "the %s Look for a wrong value, or try a family with %s tails.",
                  is, more == found.name().startsWith("largest") ? "heavier" : "lighter");
        };
  }

  /** Returns 2.5 % and 97.5 % quantiles of all but the first. */
  static double[] quantiles(double[] values) {
    double[] sorted = Arrays.copyOfRange(values, 1, values.length);
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    return new double[] {sorted[(int) (0.025 * last)], sorted[(int) Math.ceil(0.975 * last)]};
  }
}
