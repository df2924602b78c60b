package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.driver.predict.TestStatistic.Kind;

/** Statistics of the observed table and of replicated ones, and the doubts that they raise. */
final class Tested {
  /** Relative excess of scatter that is too small to matter. */
  private static final double LITTLE = 0.05;

  /** A statistic of all tables, the observed one first. */
  private record Series(Kind kind, String name, double[] values, double[] deviations) {}

  /** The statistic of a kind that deviates most, and the share of tables that deviate as much. */
  private record Most(Series series, double p) {}

  private final Replicates.Of of;
  private final List<Panel> panels = new ArrayList<>();
  private final Replicates tables;
  private final String label;
  private final List<Series> all = new ArrayList<>();
  private final Map<Kind, Most> most = new EnumMap<>(Kind.class);

  /** Compares the observed table with replicates, if there are any. */
  Tested(Replicates.Of of, Replicates tables) {
    this.of = of;
    this.tables = tables;
    label = of.fitted().schema().label().column();
    boolean drawn = tables.tables() > 1;
    for (int p = 0; p < of.by().size(); p++) {
      panels.add(panel(p, drawn));
    }
    if (drawn && !of.kind().isClass()) {
      scatter();
      cells();
      extremes();
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
      double weight = tables.weight(grouping, g);
      if (weight > 0) {
        double[] mean = Arrays.stream(tables.means[grouping][g]).map(sum -> sum / weight).toArray();
        double[] ends = drawn ? Quantiles.of(mean) : new double[] {Double.NaN, Double.NaN};
        Panel.Group group = tables.group(grouping, g, ends);
        groups.add(group);
        if (drawn) {
          add(Kind.MEANS, place(by, group), mean, root());
        }
      }
    }
    return new Panel(by.what(), by.kind(), groups);
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
    double rows = 0;
    for (int i = 0; i < of.rows().size(); i++) {
      rows += of.rows().copies(i) * (of.kind() == LabelKind.SUCCESSES ? 1 : of.rows().weight(i));
    }
    double all = rows;
    double[] mean = Arrays.stream(tables.scatter).map(sum -> sum / all).toArray();
    add(Kind.SCATTER, "mean of squared standardised residuals", mean, Math::log);
  }

  private void cells() {
    double rows = Arrays.stream(tables.counts).mapToDouble(cell -> cell[0]).sum();
    for (int k = 0; k < tables.counts.length; k++) {
      double[] share = Arrays.stream(tables.counts[k]).map(count -> count / rows).toArray();
      String name = "share of rows with " + of.cells().words(k, label);
      add(Kind.DISTRIBUTION, name, share, Math::sqrt);
    }
  }

  private void extremes() {
    DoubleUnaryOperator scale =
        switch (of.kind()) {
          case POSITIVE -> Math::log;
          case SHARE -> y -> Math.log(y) - Math.log1p(-y);
          case REAL -> y -> y;
          default -> Math::log1p;
        };
    add(Kind.EXTREMES, "largest " + what(), tables.largest, scale);
    if (!of.cells().isCount()) {
      add(Kind.EXTREMES, "smallest " + what(), tables.smallest, scale);
    }
  }

  private String what() {
    return of.kind() == LabelKind.SUCCESSES ? "number of successes, " + label : label;
  }

  /** Adds a statistic, unless some table has none. */
  private void add(Kind kind, String name, double[] values, DoubleUnaryOperator scale) {
    double[] scaled = Arrays.stream(values).map(scale).toArray();
    double mean = Arrays.stream(scaled).average().orElse(0);
    double squares = Arrays.stream(scaled).map(x -> (x - mean) * (x - mean)).sum();
    double sd = Math.sqrt(squares / (scaled.length - 1));
    if (Double.isFinite(sd)) {
      double[] off = new double[scaled.length];
      Arrays.setAll(off, t -> sd > 0 ? Math.abs(scaled[t] - mean) / sd : 0);
      all.add(new Series(kind, name, values, off));
    }
  }

  private static Most most(List<Series> of) {
    int tables = of.get(0).values.length;
    double[] largest = new double[tables];
    Series at = of.get(0);
    for (Series series : of) {
      at = series.deviations[0] > at.deviations[0] ? series : at;
      for (int t = 0; t < tables; t++) {
        largest[t] = Math.max(largest[t], series.deviations[t]);
      }
    }
    double as = Arrays.stream(largest).filter(x -> x >= largest[0]).count();
    return new Most(at, as / tables);
  }

  /** Returns whether in some kind the observed table deviates more than every replicated one. */
  boolean isExtreme() {
    return most.values().stream().anyMatch(found -> isExtreme(found.p));
  }

  private boolean isExtreme(double p) {
    return p * tables.tables() < 1.5;
  }

  /** Returns the check's results. */
  PredictiveCheck check() {
    List<TestStatistic> statistics = new ArrayList<>();
    List<String> doubts = new ArrayList<>();
    most.forEach(
        (kind, found) -> {
          TestStatistic worst = statistic(found.series, found.p);
          statistics.addAll(shown(kind, found.series, worst));
          boolean matters =
              kind != Kind.SCATTER || Math.abs(worst.observed() / worst.mean() - 1) > LITTLE;
          if (isExtreme(found.p) && matters) {
            doubts.add(sentence(worst));
          }
        });
    boolean numbers = tables.tables() > 1 && !of.kind().isClass();
    boolean count = of.cells().isCount();
    return new PredictiveCheck(
        joined(),
        statistics,
        numbers && count ? histogram(of.cells().edges(), tables.counts) : null,
        numbers && !count ? histogram(of.cells().grid(), tables.density) : null,
        numbers && !count ? histogram(of.cells().edges(), tables.counts) : null,
        tables.tables() - 1,
        doubts);
  }

  /** Returns the statistics of a kind that are shown: all of a few, or the worst, and zeros. */
  private List<TestStatistic> shown(Kind kind, Series most, TestStatistic worst) {
    List<Series> ofKind = all.stream().filter(series -> series.kind == kind).toList();
    boolean few = kind == Kind.EXTREMES || ofKind.size() == 1;
    boolean zeros = kind == Kind.DISTRIBUTION && of.cells().isCount();
    List<TestStatistic> shown = new ArrayList<>(few ? List.of() : List.of(worst));
    for (Series series : few ? ofKind : ofKind.subList(0, zeros ? 1 : 0)) {
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
        classes.addAll(panel.groups());
      } else {
        joined.add(panel);
      }
    }
    if (!classes.isEmpty()) {
      joined.add(new Panel(label, Panel.Kind.CLASSES, classes));
    }
    return joined;
  }

  private static TestStatistic statistic(Series series, double p) {
    double[] ends = Quantiles.of(series.values);
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

  private static Histogram histogram(double[] edges, double[][] counts) {
    int cells = counts.length;
    double[][] of = new double[4][cells];
    for (int k = 0; k < cells; k++) {
      double[] ends = Quantiles.of(counts[k]);
      of[0][k] = counts[k][0];
      of[1][k] = Arrays.stream(counts[k]).skip(1).average().orElse(0);
      of[2][k] = ends[0];
      of[3][k] = ends[1];
    }
    return new Histogram(edges, of[0], of[1], of[2], of[3]);
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

  private static final class Quantiles {
    /** Returns 2.5 % and 97.5 % of all but the first. */
    static double[] of(double[] values) {
      double[] sorted = Arrays.copyOfRange(values, 1, values.length);
      Arrays.sort(sorted);
      int last = sorted.length - 1;
      return new double[] {sorted[(int) (0.025 * last)], sorted[(int) Math.ceil(0.975 * last)]};
    }
  }
}
