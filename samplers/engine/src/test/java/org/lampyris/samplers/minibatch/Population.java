package org.lampyris.samplers.minibatch;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.random.Streams;

/**
 * Values v_n in the place of rows, in a given order: what a test decides can be held against its
 * rule written down anew.
 */
public final class Population {
  private Population() {}

  /** Returns a trial of a proposal whose rows change by the values, seen in their order. */
  public static Trial trial(double rest, double... values) {
    return trial(0, rest, values);
  }

  /** Returns a trial whose first batch begins at a position. */
  public static Trial trial(long offset, double rest, double... values) {
    BatchRows rows =
        BatchRows.of(
            values.length,
            (iteration, low, high, term) -> {
              double[] sums = new double[2];
              for (int i = (int) low; i < high; i++) {
                sums[0] += values[i];
                sums[1] += values[i] * values[i];
              }
              return sums;
            });
    Remainders any = Remainders.whole(new LinearModel(new GaussianFamily.GaussianLikelihood(1), 1));
    return new Trial(rows, 1, offset, any, new double[1], new double[1], rest);
  }

  /** Returns the rows of a block, in another order in each iteration. */
  public static BatchRows rows(DataBlock block, long seed) {
    return BatchRows.of(
        block.rows(),
        (iteration, low, high, term) -> {
          RowPermutation order = new RowPermutation(seed, 1, iteration, block.rows());
          int[] batch = new int[(int) (high - low)];
          Arrays.setAll(batch, i -> (int) order.numberAt(low + i));
          double[] out = new double[term.length()];
          term.addTo(block, batch, out);
          return out;
        });
  }

  /** A trial that tells how many rows have been looked at. */
  public record Counting(Trial trial) {
    /** Returns how many. */
    public int looked() {
      return (int) trial.looked();
    }
  }

  /** Returns a trial that counts. */
  public static Counting counting(double rest, double... values) {
    return new Counting(trial(rest, values));
  }

  /** Returns a source whose next uniform numbers are given. */
  public static UniformRandomProvider uniforms(double... numbers) {
    int[] next = new int[1];
    return new UniformRandomProvider() {
      @Override
      public long nextLong() {
        throw new IllegalStateException("only uniform numbers are given");
      }

      @Override
      public double nextDouble() {
        return numbers[next[0]++];
      }
    };
  }

  /** Returns a source whose next whole numbers are given. */
  public static UniformRandomProvider whole(long... numbers) {
    int[] next = new int[1];
    return new UniformRandomProvider() {
      @Override
      public long nextLong() {
        throw new IllegalStateException("only whole numbers below a limit are given");
      }

      @Override
      public long nextLong(long limit) {
        return numbers[next[0]++];
      }
    };
  }

  /** Returns values in a random order. */
  public static double[] shuffled(double[] values, long seed) {
    double[] order = values.clone();
    UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    for (int i = order.length - 1; i > 0; i--) {
      int j = rng.nextInt(i + 1);
      double value = order[i];
      order[i] = order[j];
      order[j] = value;
    }
    return order;
  }
}
