package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Rows for checking a model, on the scale of the input.
 *
 * <p>Whole weights are counts: a row of weight w is w equal rows, each with a response of its own
 * in a replicated table. If any weight is not whole, a row is one row, and its response counts w
 * times in every sum. Weights of successes are trials.
 */
final class CheckedRows {
  /** More copies than these are thinned to about as many. */
  private static final double MOST_COPIES = 10_000;

  private final PredictiveCheck.Fitted fitted;
  private final ColumnCenters centers;
  private final LabelKind kind;
  private final List<RowSample.Place> places;

  /** Number of copies before each row, and of all. */
  private final int[] first;

  private final double[] weight;

  /**
   * Describes rows.
   *
   * @throws UserException (data) if the number of trials of a row cannot be known
   */
  CheckedRows(PredictiveCheck.Fitted fitted, RowSample sample, Streams streams) {
    this.fitted = fitted;
    centers = fitted.schema().centers();
    kind = fitted.schema().label().kind();
    places = sample.places();
    int[] copies = new int[places.size()];
    Arrays.fill(copies, 1);
    weight = new double[places.size()];
    Arrays.setAll(weight, i -> places.get(i).block().weight(places.get(i).row()));
    boolean whole = Arrays.stream(weight).allMatch(w -> w == Math.rint(w));
    if (kind == LabelKind.SUCCESSES && !whole) {
      throw UserException.data(
          "the table stores trials times data.weight, and some products are not whole, so the"
              + " trials of each row are not known. To check the model, remove data.weight.");
    }
    if (kind != LabelKind.SUCCESSES && whole) {
      copy(copies, streams);
    }
    first = new int[copies.length + 1];
    for (int i = 0; i < copies.length; i++) {
      first[i + 1] = first[i] + copies[i];
    }
  }

  private void copy(int[] copies, Streams streams) {
    double share = Math.min(1, Math.max(MOST_COPIES, size()) / Arrays.stream(weight).sum());
    for (int i = 0; i < copies.length; i++) {
      copies[i] =
          share == 1
              ? (int) weight[i]
              : thinned(weight[i], share, streams.stream(Streams.Purpose.REPLICATES, 1, 0, i));
      weight[i] = 1;
    }
  }

  /** Returns how many of some copies remain if each does with a probability. */
  static int thinned(double copies, double share, UniformRandomProvider rng) {
    return copies > Integer.MAX_VALUE
        ? PoissonSampler.of(rng, copies * share).sample()
        : BinomialDistribution.of((int) copies, share).createSampler(rng).sample();
  }

  int size() {
    return weight.length;
  }

  /** Returns how many independent responses a row stands for. */
  int copies(int i) {
    return first[i + 1] - first[i];
  }

  /** Returns how many responses the rows before a row stand for. */
  int first(int i) {
    return first[i];
  }

  /** Returns the weight of each copy in a sum; trials count as their number. */
  double weight(int i) {
    return weight[i];
  }

  double trials(int i) {
    return kind == LabelKind.SUCCESSES ? weight[i] : 1;
  }

  /** Returns the response: 0 or 1 of two classes, the index of several, a share of trials. */
  double response(int i) {
    double y = places.get(i).block().response(places.get(i).row());
    return kind == LabelKind.BINARY ? (y > 0 ? 1 : 0) : y;
  }

  /** Returns a column of a row on the input's scale. */
  double input(int i, int column) {
    return centers.input(places.get(i).block(), places.get(i).row(), column);
  }

  /** Returns E[y | x, θ_s] by outputs and draws, valid until the next call. */
  double[][] expected(PosteriorPredictor.Row room, int i) {
    RowSample.Place at = places.get(i);
    double[] x = new double[centers.dimension()];
    centers.input(at.block(), at.row(), x);
    double[] shift = fitted.shifts() == null ? null : fitted.shifts().of(at.block(), at.row());
    return room.expected(x, at.block().offset(at.row()), shift);
  }

  /** Returns the level of a row. */
  String level(int i, PredictiveCheck.Factor of) {
    return of.level(places.get(i).block(), places.get(i).row());
  }

  TableSchema schema() {
    return fitted.schema();
  }
}
