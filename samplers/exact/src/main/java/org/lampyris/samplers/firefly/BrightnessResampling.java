package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;

/**
 * Work space of a z-step of one chain in one place: the bright rows, with log L̃_n at the θ of the
 * z-step, and the changes so far.
 */
public final class BrightnessResampling {
  private final Rows<BoundBlock> rows;
  private final LowerBound bound;
  private final double[] theta;
  private final Brightness bright;
  private final long[] before;
  private final double[] logRatios;
  private final boolean[] darkened;
  private int evaluations;
  private int darkenedCount;
  private long[] newRows = new long[8];
  private double[] newLogRatios = new double[8];
  private int newCount;
  private int cursor;

  /**
   * Starts with the present brightness.
   *
   * @param logRatios log L̃_n(θ) of the bright rows, NaN where it has to be evaluated. Modified.
   */
  BrightnessResampling(
      Rows<BoundBlock> rows,
      LowerBound bound,
      double[] theta,
      Brightness bright,
      double[] logRatios) {
    this.rows = rows;
    this.bound = bound;
    this.theta = theta;
    this.bright = bright;
    this.before = bright.rows();
    this.logRatios = logRatios;
    this.darkened = new boolean[before.length];
  }

  int brightCount() {
    return before.length;
  }

  long brightRow(int i) {
    return before[i];
  }

  /** Returns log L̃_n(θ) of the i-th row that was bright, evaluated only if it is not cached. */
  double logRatioOfBright(int i) {
    if (Double.isNaN(logRatios[i])) {
      logRatios[i] = evaluate(before[i]);
    }
    return logRatios[i];
  }

  /** Returns which of the rows that were bright this is, or a negative number. */
  int indexOfBright(long key) {
    return Arrays.binarySearch(before, key);
  }

  /** Returns whether a row was bright. Fast where rows are asked about in ascending order. */
  boolean wasBright(long key) {
    if (cursor > 0 && before[cursor - 1] >= key) {
      cursor = 0;
    }
    while (cursor < before.length && before[cursor] < key) {
      cursor++;
    }
    return cursor < before.length && before[cursor] == key;
  }

  /** Returns log q_n of the i-th row that was bright. */
  double logRateOfBright(int i) {
    return rows.blockOf(before[i]).rates().logRate(bright.located(rows)[i]);
  }

  /** Evaluates log L̃_n(θ), and counts it. */
  double evaluate(long id) {
    evaluations++;
    int index = rows.indexOf(RowId.block(id));
    BoundBlock block = rows.blocks().get(index);
    int[] row = {rows.rowIn(index, RowId.row(id))};
    double[] value = new double[1];
    block.logRatios(bound, row, 0, 1, theta, value, null);
    return value[0];
  }

  /**
   * Evaluates log L̃_n(θ) of the first {@code count} rows, ascending, and counts them.
   *
   * @param values log L̃_n of each. Modified.
   * @param logRates log q_n of each. Modified.
   */
  void evaluate(long[] ids, int count, double[] values, double[] logRates) {
    int[] places = Brightness.locate(rows, ids, count);
    for (int from = 0; from < count; ) {
      int to = RowId.endOfBlock(ids, from, count);
      BoundBlock block = rows.blockOf(ids[from]);
      block.logRatios(bound, places, from, to, theta, values, null);
      for (int i = from; i < to; i++) {
        logRates[i] = block.rates().logRate(places[i]);
      }
      from = to;
    }
    evaluations += count;
  }

  void darken(int i) {
    darkened[i] = true;
    darkenedCount++;
  }

  /** Turns a row bright that was dark. Rows come in ascending order. */
  void brighten(long key, double logRatio) {
    if (newCount == newRows.length) {
      newRows = Arrays.copyOf(newRows, 2 * newCount);
      newLogRatios = Arrays.copyOf(newLogRatios, 2 * newCount);
    }
    newRows[newCount] = key;
    newLogRatios[newCount++] = logRatio;
  }

  public int evaluations() {
    return evaluations;
  }

  /** Returns the bright rows after the z-step, with cached values; those at its own θ come last. */
  public Brightness after(Brightness earlier) {
    int remembered = earlier.thetas().length;
    int count = before.length - darkenedCount + newCount;
    long[] rows = new long[count];
    double[][] values = new double[remembered + 1][];
    for (int r = 0; r <= remembered; r++) {
      values[r] = new double[count];
    }
    int i = 0;
    int j = 0;
    for (int k = 0; k < count; ) {
      if (j < newCount && (i >= before.length || newRows[j] < before[i])) {
        rows[k] = newRows[j];
        for (int r = 0; r < remembered; r++) {
          values[r][k] = Double.NaN;
        }
        values[remembered][k] = newLogRatios[j];
        j++;
        k++;
      } else {
        if (!darkened[i]) {
          rows[k] = before[i];
          for (int r = 0; r < remembered; r++) {
            values[r][k] = earlier.logRatios()[r][i];
          }
          values[remembered][k] = logRatios[i];
          k++;
        }
        i++;
      }
    }
    double[][] thetas = Arrays.copyOf(earlier.thetas(), remembered + 1);
    thetas[remembered] = theta;
    return new Brightness(thetas, rows, values);
  }

  /**
   * The random decisions of a z-step. An interface so that a test can take every way that the
   * decisions can fall, and add up the exact transition matrix of the very code that runs.
   */
  interface Chance {
    /** Enters a block, by its id: decisions about its rows follow, until the next block. */
    void enter(long block);

    /** Returns true with a probability in [0, 1]. */
    boolean flip(double probability);

    /**
     * Lists the candidates of a z-step in ascending order by their {@linkplain
     * org.lampyris.samplers.rows.RowId global ids}: in an implicit update each row independently
     * with probability q_n, in an explicit one the selected rows.
     */
    void candidates(BrightnessKernel.Update update, LongConsumer candidate);

    /**
     * Decides, with a probability in [0, 1], about a candidate of an implicit update by its number
     * in the last list, from 0; at most once for each, in ascending order.
     */
    boolean flip(int candidate, double probability);
  }

  /**
   * Decides with the random streams of a run: with the number drawn together with a candidate, if
   * any, otherwise with the iteration's stream for each entered block.
   */
  static final class Streamed implements Chance {
    private static final long NO_BLOCK = -1;

    private final Streams streams;
    private final int chain;
    private final long iteration;
    private final RowEvents candidates;
    private long entered = NO_BLOCK;
    private @Nullable UniformRandomProvider rng;
    private double[] numbers = new double[64];
    private int named;

    Streamed(Streams streams, int chain, long iteration, RowEvents candidates) {
      this.streams = streams;
      this.chain = chain;
      this.iteration = iteration;
      this.candidates = candidates;
    }

    @Override
    public void enter(long block) {
      if (block != entered) {
        entered = block;
        rng = null;
      }
    }

    @Override
    public boolean flip(double probability) {
      if (rng == null) {
        if (entered == NO_BLOCK) {
          throw new IllegalStateException("a decision without a block");
        }
        rng = streams.stream(Streams.Purpose.BRIGHTNESS, chain, iteration, entered);
      }
      return rng.nextDouble() < probability;
    }

    @Override
    public void candidates(BrightnessKernel.Update update, LongConsumer candidate) {
      named = 0;
      candidates.visit(
          update.iteration(),
          Double.POSITIVE_INFINITY,
          (row, number) -> {
            if (named == numbers.length) {
              numbers = Arrays.copyOf(numbers, 2 * named);
            }
            numbers[named++] = number;
            candidate.accept(row);
            return true;
          });
    }

    @Override
    public boolean flip(int candidate, double probability) {
      if (candidate >= named) {
        throw new IllegalStateException("a decision without a candidate");
      }
      return numbers[candidate] < probability;
    }
  }
}
