package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Rows of the input that ArviZ's groups are about. A stored row that stands for several equal ones
 * is that many rows, thinned to about as many as are wanted: each row of the input is in with the
 * same probability.
 */
final class InferenceRows {
  private final TableSchema schema;
  private final ColumnCenters centers;
  private final LabelKind kind;
  private final RowLikelihoods likelihoods;
  private final List<RowSample.Place> places;

  /** Takes the rows of a sample. */
  InferenceRows(RunOutput.Fitted fitted, RowSample sample, int wanted) {
    schema = fitted.schema();
    centers = schema.centers();
    kind = schema.label().kind();
    boolean merged = schema.source().merged() != null;
    likelihoods = new RowLikelihoods(fitted.model().model(), merged);
    places =
        merged
            ? copied(sample.places(), wanted, new Streams(fitted.job().sampler().run().seed()))
            : sample.places();
  }

  private List<RowSample.Place> copied(List<RowSample.Place> stored, int wanted, Streams streams) {
    double[] copies =
        stored.stream().mapToDouble(at -> likelihoods.copies(at.block(), at.row())).toArray();
    double share = Math.min(1, wanted / Arrays.stream(copies).sum());
    List<RowSample.Place> all = new ArrayList<>();
    for (int i = 0; i < copies.length; i++) {
      int some =
          share == 1
              ? (int) copies[i]
              : CheckedRows.thinned(
                  copies[i], share, streams.stream(Streams.Purpose.REPLICATES, 1, 0, i));
      all.addAll(Collections.nCopies(some, stored.get(i)));
    }
    return all;
  }

  /**
   * Refuses rows whose responses cannot be known.
   *
   * @throws UserException (data) if the number of trials of a row is not whole
   */
  void requireResponses() {
    if (kind == LabelKind.SUCCESSES
        && places.stream()
            .mapToDouble(at -> at.block().weight(at.row()))
            .anyMatch(w -> w != Math.rint(w))) {
      throw UserException.data(
          "the table stores trials times data.weight, and some products are not whole, so the"
              + " trials of each row are not known. Set --groups to log_likelihood and prior"
              + " alone.");
    }
  }

  int size() {
    return places.size();
  }

  DataBlock block(int i) {
    return places.get(i).block();
  }

  int row(int i) {
    return places.get(i).row();
  }

  /** Writes the columns of a row on the input's scale to {@code x}, which is modified. */
  void input(int i, double[] x) {
    centers.input(block(i), row(i), x);
  }

  /**
   * Returns the columns of the model but the intercept, on the input's scale, with the offsets,
   * weights and trials as R's model frames name them. Weights that are stored as a product, with
   * trials or with a number of equal rows, are left out.
   */
  Map<String, double[]> columns() {
    Map<String, double[]> columns = new LinkedHashMap<>();
    List<String> names = schema.columnNames();
    double[][] x = new double[size()][names.size()];
    IntStream.range(0, size()).forEach(i -> input(i, x[i]));
    for (int j = schema.scaling().intercept() ? 1 : 0; j < names.size(); j++) {
      int column = j;
      columns.put(names.get(j), values(i -> x[i][column]));
    }
    if (IntStream.range(0, size()).anyMatch(i -> offset(i) != 0)) {
      columns.put("(offset)", values(this::offset));
    }
    boolean weighted = schema.roles().weight() != null;
    if (kind == LabelKind.SUCCESSES && !weighted) {
      columns.put("(trials)", values(this::trials));
    } else if (weighted && schema.source().merged() == null) {
      columns.put("(weights)", values(i -> block(i).weight(row(i))));
    }
    return columns;
  }

  private double[] values(IntToDoubleFunction of) {
    return IntStream.range(0, size()).mapToDouble(of).toArray();
  }

  /** Returns what is added to η; of an interval it is part of the response. */
  double offset(int i) {
    return kind == LabelKind.INTERVAL ? 0 : block(i).offset(row(i));
  }

  double trials(int i) {
    return kind == LabelKind.SUCCESSES ? block(i).weight(row(i)) : 1;
  }

  /**
   * Returns the response: 0 or 1, the number of a class from 0, a number of successes, a number.
   */
  double response(int i) {
    double y = block(i).response(row(i));
    return switch (kind) {
      case BINARY -> y > 0 ? 1 : 0;
      case SUCCESSES -> Math.rint(y * trials(i));
      case TIME, INTERVAL -> CensoredTime.time(y, block(i).offset(row(i)));
      default -> y;
    };
  }

  /** Returns whether responses are whole numbers. */
  boolean isWhole() {
    return kind.isClass() || kind == LabelKind.COUNT || kind == LabelKind.SUCCESSES;
  }

  /**
   * Returns log p(y | θ, b), natural log, with the binomial coefficient of trials without weights.
   *
   * @param theta in the model's coordinates. Not modified.
   * @param shift the contribution of effects of groups to η
   */
  double logLikelihood(int i, double[] theta, double shift) {
    double log = likelihoods.of(block(i), row(i), theta, shift);
    return kind == LabelKind.SUCCESSES && schema.roles().weight() == null
        ? log + ResponseDensity.coefficient(trials(i), response(i))
        : log;
  }
}
