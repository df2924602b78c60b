package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.samplers.random.Streams;

/**
 * Sums over the rows of many tables: table 0 is the observed one, the others are replicated, some
 * by each draw of θ. One stream a row: the same tables on any number of cores.
 */
final class Replicates {
  /** Number of parts in which rows are summed. */
  private static final int PARTS = 8;

  /** Rows with the fitted model and its predictor. */
  record Of(
      CheckedRows rows,
      PredictiveCheck.Fitted fitted,
      PosteriorPredictor predictor,
      List<Grouping> by,
      Cells cells,
      double[] mean,
      double[] variance) {
    LabelKind kind() {
      return fitted.schema().label().kind();
    }
  }

  private final Of of;
  private final int perDraw;
  private final int tables;
  private final Streams streams;

  /** Σ w y, by groupings, groups and tables. */
  final double[][][] means;

  /** Σ w of zeros, by groupings, named groups and tables; none unless labels are counts. */
  final double[][][] zeros;

  /** The largest label, by groupings, named groups and tables; none of classes. */
  final double[][][] tops;

  /** Σ w (y − m)²/v, by tables. */
  final double[] scatter;

  /** Σ w, by cells and tables. */
  final double[][] counts;

  final double[][] density;
  final double[] smallest;
  final double[] largest;

  /**
   * Expected T_g = Σ w y / Σ w over the rows of each group, by groupings and groups: Σ w E[y | θ]
   * of each draw and Σ w² Var(y | θ) of each. Then the sums without draws: Σ w, the sum of observed
   * values, the sum of the grouping's values, and the number of rows.
   */
  private final double[][][] moments;

  private Replicates(Of of, int perDraw, int tables, Streams streams) {
    this.of = of;
    this.perDraw = perDraw;
    this.tables = tables;
    this.streams = streams;
    means =
        of.by.stream()
            .map(grouping -> new double[grouping.groups()][tables])
            .toArray(double[][][]::new);
    zeros = named(grouping -> of.cells.isCount());
    tops = named(grouping -> !of.kind().isClass());
    for (double[][] groups : tops) {
      for (double[] top : groups) {
        Arrays.fill(top, Double.NEGATIVE_INFINITY);
      }
    }
    moments =
        of.by.stream()
            .map(grouping -> new double[grouping.groups()][2 * of.fitted.draws().length + 4])
            .toArray(double[][][]::new);
    scatter = new double[tables];
    counts = new double[of.cells.cells()][tables];
    density = new double[of.cells.drawn()][tables];
    smallest = new double[tables];
    largest = new double[tables];
    Arrays.fill(smallest, Double.POSITIVE_INFINITY);
    Arrays.fill(largest, Double.NEGATIVE_INFINITY);
  }

  private double[][][] named(Predicate<Grouping> which) {
    return of.by.stream()
        .map(
            by ->
                new double[by.kind() == Panel.Kind.LEVELS && which.test(by) ? by.groups() : 0]
                    [tables])
        .toArray(double[][][]::new);
  }

  /**
   * Replicates tables.
   *
   * @param perDraw how many by each draw of θ; 0 where only moments are known
   */
  static Replicates draw(Of of, int perDraw, Streams streams) {
    int tables = 1 + perDraw * of.fitted.draws().length;
    List<Replicates> parts =
        IntStream.range(0, PARTS)
            .parallel()
            .mapToObj(part -> new Replicates(of, perDraw, tables, streams).part(part))
            .toList();
    Replicates all = new Replicates(of, perDraw, tables, streams);
    parts.forEach(all::add);
    return all;
  }

  int tables() {
    return tables;
  }

  private Replicates part(int part) {
    int size = of.rows.size();
    PosteriorPredictor.Row room = of.predictor.row();
    double[] values = new double[tables];
    double[] sorted = new double[tables];
    int to = (int) ((part + 1L) * size / PARTS);
    for (int i = (int) ((long) part * size / PARTS); i < to; i++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.REPLICATES, 0, perDraw, i);
      double[][] expected = of.rows.expected(room, i);
      for (int p = 0; p < moments.length; p++) {
        addMoments(i, expected, room.ofRow(), of.by.get(p), moments[p][of.by.get(p).of()[i]]);
      }
      for (int copy = 0; copy < of.rows.copies(i); copy++) {
        values[0] = of.rows.response(i);
        responses(of.fitted, expected, room.ofRow(), of.rows.trials(i), rng, perDraw, values);
        add(i, values, sorted);
      }
    }
    return this;
  }

  private void addMoments(int i, double[][] expected, double[][] ofRow, Grouping by, double[] sum) {
    int draws = of.fitted.draws().length;
    double w = of.rows.weight(i) * of.rows.copies(i);
    double squared = of.kind() == LabelKind.SUCCESSES ? w : of.rows.weight(i) * w;
    double[] mean = expected[by.output()];
    for (int s = 0; s < draws; s++) {
      sum[s] += w * mean[s];
      sum[draws + s] += squared * of.fitted.expectation().variance(mean[s], ofRow[s]);
    }
    double y = of.rows.response(i);
    sum[2 * draws] += w;
    sum[2 * draws + 1] += w * (of.kind() == LabelKind.CLASSES ? (y == by.output() ? 1 : 0) : y);
    sum[2 * draws + 2] += w * by.value()[i];
    sum[2 * draws + 3] += of.rows.copies(i);
  }

  /**
   * Returns a group. Its mean is the mean over draws of Σ w E[y | θ] / Σ w. Its variance is the
   * variance of the same over draws, plus the mean over draws of Σ w² Var(y | θ) / (Σ w)².
   *
   * @param ends 2.5 % and 97.5 % of its replicated means
   * @param zeros the share of zeros; null if it is not tested
   * @param largest the largest number; null likewise
   */
  Panel.Group group(
      int grouping,
      int g,
      double[] ends,
      Panel.@Nullable Figure zeros,
      Panel.@Nullable Figure largest) {
    double[] sum = moments[grouping][g];
    int draws = of.fitted.draws().length;
    double w = sum[2 * draws];
    double mean = 0;
    double within = 0;
    for (int s = 0; s < draws; s++) {
      mean += sum[s] / w / draws;
      within += sum[draws + s] / (w * w) / draws;
    }
    double between = 0;
    for (int s = 0; s < draws; s++) {
      between += (sum[s] / w - mean) * (sum[s] / w - mean) / Math.max(1, draws - 1);
    }
    List<String> names = of.by.get(grouping).names();
    return new Panel.Group(
        names.isEmpty() ? "" : names.get(g),
        sum[2 * draws + 2] / w,
        Math.round(sum[2 * draws + 3]),
        sum[2 * draws + 1] / w,
        mean,
        Math.sqrt(within + between),
        new Panel.Replicated(ends[0], ends[1]),
        zeros,
        largest,
        false);
  }

  /** Returns Σ w of a group. */
  double weight(int grouping, int g) {
    return moments[grouping][g][2 * of.fitted.draws().length];
  }

  /** Draws responses of a row, some by each draw of θ, from the second place on. */
  private static void responses(
      PredictiveCheck.Fitted fitted,
      double[][] expected,
      double[][] ofRow,
      double trials,
      UniformRandomProvider rng,
      int perDraw,
      double[] values) {
    if (perDraw == 0) {
      return;
    }
    boolean classes = fitted.schema().label().kind() == LabelKind.CLASSES;
    int at = 1;
    for (int s = 0; s < fitted.draws().length; s++) {
      if (classes) {
        for (int k = 0; k < perDraw; k++) {
          values[at++] = Responses.draw(expected, s, rng);
        }
        continue;
      }
      double mean = expected[0][s];
      DoubleSupplier sampler =
          Responses.sampler(
              response(fitted.expectation(), mean, ofRow[s]).orElseThrow(), trials, rng);
      for (int k = 0; k < perDraw; k++) {
        values[at++] = sampler.getAsDouble() / trials;
      }
    }
  }

  /** Returns the distribution of a response: normal if only the variance is known. */
  static Optional<Response> response(Expectation expectation, double mean, double[] ofRow) {
    Optional<Response> known = expectation.response(mean, ofRow);
    double variance = expectation.variance(mean, ofRow);
    return known.isEmpty() && variance > 0 && variance < Double.POSITIVE_INFINITY
        ? Optional.of(new Response.Normal(mean, Math.sqrt(variance)))
        : known;
  }

  private void add(int i, double[] values, double[] sorted) {
    double weight = of.rows.weight(i);
    boolean classes = of.kind() == LabelKind.CLASSES;
    for (int p = 0; p < means.length; p++) {
      Grouping by = of.by.get(p);
      double[] sum = means[p][by.of()[i]];
      for (int t = 0; t < tables; t++) {
        double y = classes ? (values[t] == by.output() ? 1 : 0) : values[t];
        sum[t] += weight * y;
      }
    }
    if (of.kind().isClass()) {
      return;
    }
    double trials = of.rows.trials(i);
    double rows = of.kind() == LabelKind.SUCCESSES ? 1 : weight;
    for (int t = 0; t < tables; t++) {
      double residual = values[t] - of.mean[i];
      scatter[t] += rows * residual * residual / of.variance[i];
      values[t] = trials == 1 ? values[t] : Math.rint(values[t] * trials);
      smallest[t] = Math.min(smallest[t], values[t]);
      largest[t] = Math.max(largest[t], values[t]);
    }
    for (int p = 0; p < tops.length; p++) {
      int g = of.by.get(p).of()[i];
      for (int t = 0; tops[p].length > 0 && t < tables; t++) {
        tops[p][g][t] = Math.max(tops[p][g][t], values[t]);
      }
      for (int t = 0; zeros[p].length > 0 && t < tables; t++) {
        zeros[p][g][t] += values[t] == 0 ? rows : 0;
      }
    }
    of.cells.add(values, rows, sorted, counts, density);
  }

  private void add(Replicates part) {
    for (int p = 0; p < means.length; p++) {
      add(part.means[p], means[p]);
      add(part.moments[p], moments[p]);
      add(part.zeros[p], zeros[p]);
      for (int g = 0; g < tops[p].length; g++) {
        double[] top = tops[p][g];
        double[] other = part.tops[p][g];
        Arrays.setAll(top, t -> Math.max(top[t], other[t]));
      }
    }
    add(new double[][] {part.scatter}, new double[][] {scatter});
    add(part.counts, counts);
    add(part.density, density);
    for (int t = 0; t < tables; t++) {
      smallest[t] = Math.min(smallest[t], part.smallest[t]);
      largest[t] = Math.max(largest[t], part.largest[t]);
    }
  }

  private static void add(double[][] from, double[][] to) {
    for (int k = 0; k < to.length; k++) {
      for (int t = 0; t < to[k].length; t++) {
        to[k][t] += from[k][t];
      }
    }
  }
}
