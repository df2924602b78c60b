package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.Response;
import org.lampyris.samplers.random.Streams;

/**
 * Sums over the rows of many tables: table 0 is the observed one, the others are replicated, some
 * by each draw of θ. One stream a row: the same tables on any number of cores.
 */
final class Replicates {
  /** Rows are summed in so many parts. */
  private static final int PARTS = 8;

  /** Rows, and what their responses are held against. */
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

  /** Σ w (y − m)²/v, by tables. */
  final double[] scatter;

  /** Σ w, by cells and tables. */
  final double[][] counts;

  final double[][] density;
  final double[] smallest;
  final double[] largest;

  private Replicates(Of of, int perDraw, int tables, Streams streams) {
    this.of = of;
    this.perDraw = perDraw;
    this.tables = tables;
    this.streams = streams;
    means =
        of.by.stream()
            .map(grouping -> new double[grouping.groups()][tables])
            .toArray(double[][][]::new);
    scatter = new double[tables];
    counts = new double[of.cells.cells()][tables];
    density = new double[of.cells.drawn()][tables];
    smallest = new double[tables];
    largest = new double[tables];
    Arrays.fill(smallest, Double.POSITIVE_INFINITY);
    Arrays.fill(largest, Double.NEGATIVE_INFINITY);
  }

  /**
   * Replicates tables.
   *
   * @param perDraw how many by each draw of θ
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
      for (int copy = 0; copy < of.rows.copies(i); copy++) {
        values[0] = of.rows.response(i);
        responses(of.fitted, expected, of.rows.trials(i), rng, perDraw, values);
        add(i, values, sorted);
      }
    }
    return this;
  }

  /** Draws responses of a row, some by each draw of θ, from the second place on. */
  static void responses(
      PredictiveCheck.Fitted fitted,
      double[][] expected,
      double trials,
      UniformRandomProvider rng,
      int perDraw,
      double[] values) {
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
          Responses.sampler(response(fitted, mean, fitted.draws()[s]).orElseThrow(), trials, rng);
      for (int k = 0; k < perDraw; k++) {
        values[at++] = sampler.getAsDouble() / trials;
      }
    }
  }

  /** Returns the distribution of a response: normal where the variance alone is known. */
  static Optional<Response> response(PredictiveCheck.Fitted fitted, double mean, double[] theta) {
    Optional<Response> known = fitted.expectation().response(mean, theta);
    double variance = fitted.expectation().variance(mean, theta);
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
    of.cells.add(values, rows, sorted, counts, density);
  }

  private void add(Replicates part) {
    for (int p = 0; p < means.length; p++) {
      add(part.means[p], means[p]);
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
