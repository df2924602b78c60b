package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Sums over some rows of a few numbers for each level of a grouping. Of many levels, most have none
 * of the rows of a block: only those that have some are stored, until all of them take less room.
 * What is not stored is 0, and adding 0 changes no bit, so that sums are the same in both forms.
 *
 * <p>A plain class and not a record, for Kryo's sake.
 */
final class LevelSums implements Serializable {
  private final int levels;
  private final int step;

  /** The levels that are stored, ascending; null for all. */
  private final int @Nullable [] stored;

  private final double[] values;

  /** Whether nobody else has the values, so that they may be added to. */
  private final transient boolean own;

  private LevelSums(int levels, int step, int @Nullable [] stored, double[] values) {
    this.levels = levels;
    this.step = step;
    this.stored = stored;
    this.values = values;
    this.own = true;
  }

  /**
   * Takes the sums of some levels.
   *
   * @param levels how many levels there are in all
   * @param stored those that have a sum, ascending; not copied
   * @param values their sums, one level after the other; not copied
   */
  static LevelSums of(int levels, int[] stored, double[] values) {
    int step = stored.length == 0 ? 1 : values.length / stored.length;
    LevelSums some = new LevelSums(levels, step, stored, values);
    return isDense(levels, stored.length, step) ? some.dense() : some;
  }

  /** Returns whether all levels take no more room than so many with their numbers. */
  private static boolean isDense(int levels, int stored, int step) {
    return stored * (2L * step + 1) >= levels * 2L * step;
  }

  private LevelSums dense() {
    double[] all = new double[levels * step];
    writeTo(all, 0);
    return new LevelSums(levels, step, null, all);
  }

  /** Returns left + right, either of which may be modified if this has made it. */
  static LevelSums plus(LevelSums left, LevelSums right) {
    if (left.stored == null) {
      return left.added(right);
    }
    // a + b = b + a to the bit.
    return right.stored == null ? right.added(left) : merged(left, right);
  }

  private LevelSums added(LevelSums other) {
    double[] sum = own ? values : values.clone();
    if (other.stored == null) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += other.values[i];
      }
    } else {
      for (int k = 0; k < other.stored.length; k++) {
        int at = other.stored[k] * step;
        for (int i = 0; i < step; i++) {
          sum[at + i] += other.values[k * step + i];
        }
      }
    }
    return new LevelSums(levels, step, null, sum);
  }

  private static LevelSums merged(LevelSums left, LevelSums right) {
    int[] a = stored(left);
    int[] b = stored(right);
    int count = union(a, b, null);
    if (isDense(left.levels, count, left.step)) {
      return left.dense().added(right);
    }
    int step = left.step;
    int[] all = new int[count];
    union(a, b, all);
    double[] sum = new double[count * step];
    int i = 0;
    int j = 0;
    for (int k = 0; k < count; k++) {
      if (i < a.length && a[i] == all[k]) {
        System.arraycopy(left.values, step * i++, sum, step * k, step);
      }
      if (j < b.length && b[j] == all[k]) {
        for (int e = 0; e < step; e++) {
          sum[step * k + e] += right.values[step * j + e];
        }
        j++;
      }
    }
    return new LevelSums(left.levels, step, all, sum);
  }

  private static int[] stored(LevelSums of) {
    if (of.stored == null) {
      throw new IllegalArgumentException("all levels are stored");
    }
    return of.stored;
  }

  /** Writes what is in one of two ascending lists, and returns how many these are. */
  private static int union(int[] a, int[] b, int @Nullable [] out) {
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      int next = j == b.length || (i < a.length && a[i] <= b[j]) ? a[i] : b[j];
      i += i < a.length && a[i] == next ? 1 : 0;
      j += j < b.length && b[j] == next ? 1 : 0;
      if (out != null) {
        out[count] = next;
      }
      count++;
    }
    return count;
  }

  /** Writes the sums of all levels, from {@code at} on, where there are zeros. */
  void writeTo(double[] out, int at) {
    if (stored == null) {
      System.arraycopy(values, 0, out, at, values.length);
      return;
    }
    for (int k = 0; k < stored.length; k++) {
      System.arraycopy(values, step * k, out, at + stored[k] * step, step);
    }
  }
}
