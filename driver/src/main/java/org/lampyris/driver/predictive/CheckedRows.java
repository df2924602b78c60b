package org.lampyris.driver.predictive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.scale.ColumnCenters;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/** Rows that a model is held against, on the scale of the input, and what their weights mean. */
final class CheckedRows {
  /** More copies than these are thinned to about as many. */
  private static final double MOST_COPIES = 10_000;

  /** What a weight w means. */
  enum Reading {
    /** w equal rows: counts of a histogram, or {@code data.aggregate}. */
    COPIES,
    /** One row, which counts w times in every sum. */
    ONE_ROW
  }

  private record Place(DataBlock block, int row) {}

  private final PredictiveCheck.Fitted fitted;
  private final ColumnCenters centers;
  private final LabelKind kind;
  private final List<Place> places = new ArrayList<>();
  private final int[] copies;
  private final double[] weight;
  private final boolean plain;

  /**
   * Describes rows.
   *
   * @throws UserException (data) if the number of trials of a row cannot be known
   */
  CheckedRows(PredictiveCheck.Fitted fitted, RowSample sample, Reading reading, Streams streams) {
    this.fitted = fitted;
    centers = fitted.schema().centers();
    kind = fitted.schema().label().kind();
    for (DataBlock block : sample.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        places.add(new Place(block, row));
      }
    }
    copies = new int[places.size()];
    Arrays.fill(copies, 1);
    weight = new double[places.size()];
    Arrays.setAll(weight, this::stored);
    plain = kind == LabelKind.SUCCESSES || Arrays.stream(weight).allMatch(w -> w == 1);
    if (kind == LabelKind.SUCCESSES && fitted.schema().roles().weight() != null) {
      throw UserException.data(
          "the table has data.weight and model.trials, and stores their product, so the trials of a"
              + " row are not known; leave data.weight out to have the model checked.");
    }
    if (!plain && reading == Reading.COPIES) {
      copy(streams);
    }
  }

  private void copy(Streams streams) {
    double share = Math.min(1, MOST_COPIES / Arrays.stream(weight).sum());
    for (int i = 0; i < copies.length; i++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.REPLICATES, 1, 0, i);
      double whole = Math.floor(weight[i]);
      whole += rng.nextDouble() < weight[i] - whole ? 1 : 0;
      copies[i] = thinned(whole, share, rng);
      weight[i] = 1;
    }
  }

  private static int thinned(double whole, double share, UniformRandomProvider rng) {
    if (share == 1 || whole == 0) {
      return (int) whole;
    }
    return whole > Integer.MAX_VALUE
        ? PoissonSampler.of(rng, whole * share).sample()
        : BinomialDistribution.of((int) whole, share).createSampler(rng).sample();
  }

  /** Returns whether weights mean nothing but rows or trials, so that there is one reading. */
  boolean isPlain() {
    return plain || fitted.schema().source().merged() != null || isHistogram();
  }

  /** Returns whether rows share their features, but never their discrete response as well. */
  private boolean isHistogram() {
    Set<Long> features = new HashSet<>();
    Set<Long> all = new HashSet<>();
    double[] x = new double[centers.dimension()];
    for (int i = 0; i < places.size(); i++) {
      Place at = places.get(i);
      centers.input(at.block, at.row, x);
      long hash = Arrays.stream(x).mapToLong(Double::doubleToLongBits).reduce(1, CheckedRows::mixed);
      hash = mixed(hash, Double.doubleToLongBits(at.block.offset(at.row)));
      for (int g = 0; g < at.block.groupings(); g++) {
        hash = mixed(hash, at.block.group(g, at.row));
      }
      features.add(hash);
      all.add(mixed(hash, Double.doubleToLongBits(response(i))));
    }
    boolean discrete = kind.isClass() || kind == LabelKind.COUNT;
    return discrete && all.size() == places.size() && features.size() <= 0.9 * all.size();
  }

  /** Mixes a number into a hash: a step of FNV with the multiplier of Knuth's MMIX. */
  private static long mixed(long hash, long next) {
    return Long.rotateLeft(hash ^ next, 29) * 6364136223846793005L + 1;
  }

  int size() {
    return copies.length;
  }

  /** Returns how many independent responses a row stands for. */
  int copies(int i) {
    return copies[i];
  }

  /** Returns how often each of them counts in a sum: trials are so many. */
  double weight(int i) {
    return weight[i];
  }

  int trials(int i) {
    return kind == LabelKind.SUCCESSES ? (int) Math.rint(weight[i]) : 1;
  }

  private double stored(int i) {
    return places.get(i).block.weight(places.get(i).row);
  }

  /** Returns the response: 0 or 1 of two classes, the index of several, a share of trials. */
  double response(int i) {
    double y = places.get(i).block.response(places.get(i).row);
    return kind == LabelKind.BINARY ? (y > 0 ? 1 : 0) : y;
  }

  /** Returns a column of a row on the input's scale. */
  double input(int i, int column) {
    return centers.input(places.get(i).block, places.get(i).row, column);
  }

  /** Returns E[y | x, θ_s] by outputs and draws, until another row is asked for. */
  double[][] expected(PosteriorPredictor.Row room, int i) {
    Place at = places.get(i);
    double[] x = new double[centers.dimension()];
    centers.input(at.block, at.row, x);
    double[] shift = fitted.shifts() == null ? null : fitted.shifts().of(at.block, at.row);
    return room.expected(x, at.block.offset(at.row), shift);
  }

  TableSchema schema() {
    return fitted.schema();
  }
}
