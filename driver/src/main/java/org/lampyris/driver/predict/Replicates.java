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
 *
 * <p>Statistics that depend on what the model expects use a draw of θ: for a replicated table its
 * own, for the observed table each, of which the mean is taken. About the posterior mean, the
 * observed table would look too good, because its rows have been fitted: with an effect for a few
 * rows, by half. Draws from the prior have not seen the table, and all tables are compared with the
 * mean over draws.
 *
 * <p>Source: Gelman, Meng and Stern (1996), "Posterior predictive assessment of model fitness via
 * realized discrepancies".
 */
final class Replicates {
  /** Number of parts in which rows are summed. */
  private static final int PARTS = 8;

  /**
   * Rows with the fitted model and its predictor.
   *
   * @param mean of each row's response over draws
   * @param variance of the same: given θ, and of all draws from the prior
   * @param prior whether the draws are from the prior
   */
  record Of(
      CheckedRows rows,
      PredictiveCheck.Fitted fitted,
      PosteriorPredictor predictor,
      List<Grouping> by,
      Cells cells,
      double[] mean,
      double[] variance,
      boolean prior) {
    LabelKind kind() {
      return fitted.schema().label().kind();
    }
  }

  private final Of of;
  private final int perDraw;
  private final int tables;
  private final Streams streams;

  /** Σ w y, by groupings, groups and tables. */
  private final double[][][] means;

  /** Σ w of zeros, by groupings, named groups and tables; none unless labels are counts. */
  final double[][][] zeros;

  /** The largest label, by groupings, named groups and tables; none of classes. */
  final double[][][] tops;

  /** Σ w (y − E[y])²/v, by tables. */
  final double[] scatter;

  /** Σ w, by cells and tables. */
  final double[][] counts;

  final double[][] density;
  final double[] smallest;
  final double[] largest;

  /**
   * Expected T_g = Σ w y / Σ w over the rows of each group, by groupings and groups: Σ w E[y | θ]
   * of each draw, Σ w² Var(y | θ) of each, and Σ w of each. Then the means over draws of sums: of
   * observed values, of the grouping's values, and of rows.
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
            .map(grouping -> new double[grouping.groups()][3 * of.fitted.draws().length + 3])
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
    all.merge();
    return all;
  }

  /**
   * Adds groups that have no rows by some draw to their neighbours, so that every row counts by
   * every draw: few rows do not stay in their tenths.
   */
  private void merge() {
    for (int p = 0; p < moments.length; p++) {
      int last = moments[p].length - 1;
      for (int g = 0; g < last && moves(of.by.get(p)); g++) {
        merge(p, g, g + 1);
      }
      for (int g = last; g > 0 && moves(of.by.get(p)); g--) {
        merge(p, g, g - 1);
      }
    }
  }

  /** Adds a group to another one if it has no rows by some draw. */
  private void merge(int p, int from, int to) {
    if (!has(p, from)) {
      add(new double[][] {moments[p][from]}, new double[][] {moments[p][to]});
      add(new double[][] {means[p][from]}, new double[][] {means[p][to]});
      Arrays.fill(moments[p][from], 0);
      Arrays.fill(means[p][from], 0);
    }
  }

  private boolean moves(Grouping by) {
    return by.moves() && !of.prior;
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
      int[][] groups = new int[moments.length][];
      for (int p = 0; p < moments.length; p++) {
        groups[p] = groups(i, expected, of.by.get(p));
        addMoments(i, expected, room.ofRow(), of.by.get(p), groups[p], moments[p]);
      }
      for (int copy = 0; copy < of.rows.copies(i); copy++) {
        values[0] = of.rows.response(i);
        responses(of.fitted, expected, room.ofRow(), of.rows.trials(i), rng, perDraw, values);
        add(i, groups, values);
        if (!of.kind().isClass()) {
          addLabels(i, expected[0], room.ofRow(), rng, values, sorted);
        }
      }
    }
    return this;
  }

  /** Returns the group of a row by each draw. */
  private int[] groups(int i, double[][] expected, Grouping by) {
    int[] groups = new int[of.fitted.draws().length];
    boolean moves = moves(by);
    double[] mean = expected[by.output()];
    Arrays.setAll(groups, s -> moves ? by.tenth(mean[s]) : by.of()[i]);
    return groups;
  }

  private void addMoments(
      int i, double[][] expected, double[][] ofRow, Grouping by, int[] groups, double[][] sums) {
    int draws = of.fitted.draws().length;
    double w = of.rows.weight(i) * of.rows.copies(i);
    double squared = of.kind() == LabelKind.SUCCESSES ? w : of.rows.weight(i) * w;
    double[] mean = expected[by.output()];
    boolean moves = moves(by);
    double y = of.rows.response(i);
    double observed = of.kind() == LabelKind.CLASSES ? (y == by.output() ? 1 : 0) : y;
    for (int s = 0; s < draws; s++) {
      double[] sum = sums[groups[s]];
      sum[s] += w * mean[s];
      sum[draws + s] += squared * of.fitted.expectation().variance(mean[s], ofRow[s]);
      sum[2 * draws + s] += w;
      sum[3 * draws] += w * observed / draws;
      sum[3 * draws + 1] += w * (moves ? mean[s] : by.value()[i]) / draws;
      sum[3 * draws + 2] += (double) of.rows.copies(i) / draws;
    }
  }

  /** Returns the mean of a group by tables. */
  double[] means(int grouping, int g) {
    int draws = of.fitted.draws().length;
    double[] sum = moments[grouping][g];
    double[] mean = means[grouping][g].clone();
    mean[0] /= Arrays.stream(sum, 2 * draws, 3 * draws).average().orElseThrow();
    for (int t = 1; t < tables; t++) {
      mean[t] /= sum[2 * draws + draw(t)];
    }
    return mean;
  }

  /** Returns the draw of θ by which a table is replicated. */
  private int draw(int table) {
    return (table - 1) / perDraw;
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
    double all = Arrays.stream(sum, 2 * draws, 3 * draws).average().orElseThrow();
    double mean = Arrays.stream(sum, 0, draws).average().orElseThrow() / all;
    double within = 0;
    for (int s = 0; s < draws; s++) {
      double w = sum[2 * draws + s];
      within += sum[draws + s] / (w * w) / draws;
    }
    double between = 0;
    for (int s = 0; s < draws; s++) {
      double off = sum[s] / sum[2 * draws + s] - mean;
      between += off * off / Math.max(1, draws - 1);
    }
    List<String> names = of.by.get(grouping).names();
    return new Panel.Group(
        names.isEmpty() ? "" : names.get(g),
        sum[3 * draws + 1] / all,
        Math.round(sum[3 * draws + 2]),
        sum[3 * draws] / all,
        mean,
        Math.sqrt(within + between),
        new Panel.Replicated(ends[0], ends[1]),
        zeros,
        largest,
        false);
  }

  /** Returns whether a group has rows, by each draw. */
  boolean has(int grouping, int g) {
    int draws = of.fitted.draws().length;
    return Arrays.stream(moments[grouping][g], 2 * draws, 3 * draws).allMatch(w -> w > 0);
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

  /** Adds the labels of a row to the means of its groups. */
  private void add(int i, int[][] groups, double[] values) {
    double weight = of.rows.weight(i);
    boolean classes = of.kind() == LabelKind.CLASSES;
    for (int p = 0; p < means.length; p++) {
      int output = of.by.get(p).output();
      for (int g : groups[p]) {
        double y = classes ? (values[0] == output ? 1 : 0) : values[0];
        means[p][g][0] += weight * y / groups[p].length;
      }
      for (int t = 1; t < tables; t++) {
        double y = classes ? (values[t] == output ? 1 : 0) : values[t];
        means[p][groups[p][draw(t)]][t] += weight * y;
      }
    }
  }

  /**
   * Adds labels of a row to the scatter, cells and extremes of each table.
   *
   * @param expected what is expected, by draws
   */
  private void addLabels(
      int i,
      double[] expected,
      double[][] ofRow,
      UniformRandomProvider rng,
      double[] values,
      double[] sorted) {
    double trials = of.rows.trials(i);
    double rows = of.kind() == LabelKind.SUCCESSES ? 1 : of.rows.weight(i);
    double observed = values[0];
    for (double mean : of.prior ? new double[] {of.mean[i]} : expected) {
      double each = rows / (of.prior ? 1 : expected.length);
      scatter[0] += each * (observed - mean) * (observed - mean) / of.variance[i];
    }
    for (int t = 0; t < tables; t++) {
      if (t > 0) {
        double residual = values[t] - (of.prior ? of.mean[i] : expected[draw(t)]);
        scatter[t] += rows * residual * residual / of.variance[i];
      }
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
    if (of.cells.isCount()) {
      of.cells.addCounts(values, rows, counts);
    } else if (of.cells.cells() > 0) {
      of.cells.addDensity(values, rows, density);
      if (of.prior) {
        of.cells.addTenths(values, rows, sorted, counts);
      } else {
        addTenths(observed, expected, ofRow, rows, rng);
      }
    }
  }

  /** Adds P(Y ≤ y | θ), which is uniform of a replicated label. */
  private void addTenths(
      double observed,
      double[] expected,
      double[][] ofRow,
      double rows,
      UniformRandomProvider rng) {
    for (int s = 0; s < expected.length; s++) {
      Response by = response(of.fitted.expectation(), expected[s], ofRow[s]).orElseThrow();
      double below = ResponseDistribution.at(observed, by, 1).atMost();
      counts[Cells.tenth(below)][0] += rows / expected.length;
    }
    for (int t = 1; t < tables; t++) {
      counts[Cells.tenth(rng.nextDouble())][t] += rows;
    }
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
