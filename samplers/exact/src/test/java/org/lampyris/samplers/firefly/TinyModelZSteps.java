package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.samplers.rows.RowId;

/**
 * The transition probabilities of every z-kernel on the {@link TinyModel} at some θ, added up from
 * the code that samples over all ways that its decisions can fall.
 */
public final class TinyModelZSteps {
  private static final int ROWS = Integer.numberOfTrailingZeros(TinyModel.SETS);
  private static final int SCHEDULE = 3;

  /** The rows' bound. */
  public static final JaakkolaJordanBound BOUND = new JaakkolaJordanBound(1);

  private TinyModelZSteps() {}

  /**
   * Returns the transition matrices given θ, by the kernel's name: element {@code [from][to]} is
   * the probability that the bright rows become {@code to}, both as bits.
   *
   * @param theta θ, which the z-step leaves as it is
   */
  public static Map<String, double[][]> matrices(double theta) {
    Map<String, double[][]> all = new LinkedHashMap<>();
    BrightnessKernel implicit = new ImplicitBrightness();
    for (double q : new double[] {0.05, 0.5, 1}) {
      all.put("implicit, q = " + q, matrix(theta, implicit, 0, new BlockRates.Uniform(q, ROWS)));
    }
    BlockRates perRow = GivenRates.of(0.02, 0.3, 0.9, 1);
    all.put("implicit, per-row rates", matrix(theta, implicit, 0, perRow));
    all.put("explicit, two without replacement", mean(theta, set -> size(set) == 2 ? 1.0 / 6 : 0));
    // Of the 4³ ways to draw three rows of four, 4, 36 and 24 have 1, 2 and 3 different ones.
    double[] ofSize = {0, 4 / 64.0 / 4, 36 / 64.0 / 6, 24 / 64.0 / 4, 0};
    all.put("explicit, three with replacement", mean(theta, set -> ofSize[size(set)]));
    BrightnessKernel scheduled = new ExplicitBrightness(new RowSelection.Scheduled(SCHEDULE, ROWS));
    for (int turn = 1; turn <= SCHEDULE; turn++) {
      all.put("explicit, scheduled, turn " + turn, matrix(theta, scheduled, turn, null));
    }
    all.put(
        "explicit, all rows",
        matrix(theta, new ExplicitBrightness(new RowSelection.All()), 0, null));
    return all;
  }

  private static int size(int set) {
    return Integer.bitCount(set);
  }

  /** Returns the mean of the explicit updates of all selections, with their probabilities. */
  private static double[][] mean(double theta, IntToDoubleFunction probability) {
    double[][] mean = new double[TinyModel.SETS][TinyModel.SETS];
    for (int selected = 0; selected < TinyModel.SETS; selected++) {
      double weight = probability.applyAsDouble(selected);
      if (weight > 0) {
        double[][] one = matrix(theta, new ExplicitBrightness(new Subset(selected)), 0, null);
        for (int from = 0; from < TinyModel.SETS; from++) {
          for (int to = 0; to < TinyModel.SETS; to++) {
            mean[from][to] += weight * one[from][to];
          }
        }
      }
    }
    return mean;
  }

  /** Returns the transition matrix of one z-kernel. */
  public static double[][] matrix(
      double theta, BrightnessKernel kernel, long iteration, @Nullable BlockRates rates) {
    double[][] matrix = new double[TinyModel.SETS][TinyModel.SETS];
    for (int from = 0; from < TinyModel.SETS; from++) {
      double[] row = matrix[from];
      long[] bright = TinyModel.ids(TinyModel.rows(from));
      EnumeratedChance.forEach(
          List.of(TinyModel.block(rates)),
          chance -> {
            BrightnessKernel.Update update =
                new BrightnessKernel.Update(kernel, new double[] {theta}, iteration, 0);
            int to = set(chance.resample(BOUND, update, bright));
            row[to] += chance.probability();
          });
    }
    return matrix;
  }

  /** Returns rows as bits. */
  public static int set(long[] ids) {
    return Arrays.stream(ids).mapToInt(id -> 1 << RowId.row(id)).sum();
  }

  /** Selects a fixed set of rows. */
  private record Subset(int set) implements RowSelection {
    @Override
    public void select(
        List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected) {
      Arrays.stream(TinyModel.ids(TinyModel.rows(set))).forEach(selected);
    }
  }
}
