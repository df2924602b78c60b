package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.TreeFold;
import org.lampyris.samplers.rows.Place;

/**
 * Order in which the sums of a grouping's levels are added up within a place: along the tree of
 * {@link TreeFold} over the blocks, most of which have no row of most levels. The order is the same
 * for all questions, so it is found once: the sums of a block are stored next to those of the same
 * level, block by block, and are added up there.
 *
 * <p>Merging sparse vectors pair by pair along the tree, as {@link Sums#plus} can, was most of the
 * time of an evaluation at 300,000 levels of 17 rows.
 *
 * <p>Cost: 5 bytes a level and block that has rows of it, and some nanoseconds a question.
 */
final class LevelOrder {
  /** A run of blocks that the tree adds up within the place. */
  private static final class Run {
    private final long first;
    private final int level;

    /** The blocks, as indices in the place. */
    private final int from;

    private int to;

    /** The levels with rows here, ascending, and the starts of their entries. */
    private int[] stored = {};

    private int[] starts = {};

    /** log₂ of the aligned range of blocks that holds an entry's block and that before it. */
    private byte[] common = {};

    Run(long first, int level, int from) {
      this.first = first;
      this.level = level;
      this.from = from;
      this.to = from;
    }
  }

  private final int levels;
  private final List<Run> runs = new ArrayList<>();

  /** Positions of the entries of each block's levels in its run. */
  private final int[][] positions;

  private final int[] runOf;

  /** Finds the order of a grouping, given the number of levels. */
  LevelOrder(Place<GroupedBlock> place, int grouping, int levels) {
    this.levels = levels;
    List<GroupedBlock> blocks = place.blocks();
    positions = new int[blocks.size()][];
    runOf = new int[blocks.size()];
    Run last = null;
    for (int b = 0; b < positions.length; b++) {
      long id = blocks.get(b).id();
      if (last == null || id >>> last.level != last.first >>> last.level) {
        last = new Run(id, widest(place, id), b);
        runs.add(last);
      }
      last.to = b + 1;
      runOf[b] = runs.size() - 1;
    }
    int[] count = new int[levels + 1];
    int[] before = new int[levels];
    for (Run run : runs) {
      order(run, blocks, grouping, count, before);
    }
  }

  /** Returns the level of the widest aligned range about a block that lies within a place. */
  private static int widest(Place<?> place, long id) {
    int level = 0;
    while (level < Long.SIZE - 2) {
      long first = id >>> (level + 1) << (level + 1);
      if (first < place.from() || (place.to() - first) >>> (level + 1) == 0) {
        return level;
      }
      level++;
    }
    return level;
  }

  private void order(Run run, List<GroupedBlock> blocks, int grouping, int[] count, int[] before) {
    Arrays.fill(count, 0);
    for (int b = run.from; b < run.to; b++) {
      for (int level : blocks.get(b).places(grouping)) {
        count[level + 1]++;
      }
    }
    int some = 0;
    for (int level = 0; level < levels; level++) {
      some += count[level + 1] > 0 ? 1 : 0;
    }
    run.stored = new int[some];
    run.starts = new int[some + 1];
    int k = 0;
    for (int level = 0; level < levels; level++) {
      if (count[level + 1] > 0) {
        run.stored[k] = level;
        run.starts[k++] = count[level];
      }
      count[level + 1] += count[level];
    }
    run.starts[some] = count[levels];
    run.common = new byte[count[levels]];
    // From here on, where the next entry of each level goes, and which block the last one was of.
    Arrays.fill(before, -1);
    for (int b = run.from; b < run.to; b++) {
      int[] places = blocks.get(b).places(grouping);
      positions[b] = new int[places.length];
      for (int i = 0; i < places.length; i++) {
        int level = places[i];
        int at = count[level]++;
        positions[b][i] = at;
        if (before[level] >= 0) {
          long apart = blocks.get(b).id() ^ blocks.get(before[level]).id();
          run.common[at] = (byte) (Long.SIZE - Long.numberOfLeadingZeros(apart));
        }
        before[level] = b;
      }
    }
  }

  /** Adds up the sums of the blocks of a place, given their number for each level. */
  final class Adding {
    private final int step;
    private final double[][] entries = new double[runs.size()][];

    Adding(int step) {
      this.step = step;
      Arrays.setAll(entries, r -> new double[runs.get(r).common.length * step]);
    }

    /** Takes the sums of each of a block's levels. */
    void add(int block, double[] sums) {
      double[] to = entries[runOf[block]];
      int[] of = positions[block];
      for (int i = 0; i < of.length; i++) {
        System.arraycopy(sums, i * step, to, of[i] * step, step);
      }
    }

    /** Returns the sums so far. */
    List<TreeFold.Node<Sums>> nodes() {
      List<TreeFold.Node<Sums>> nodes = new ArrayList<>();
      for (int r = 0; r < entries.length; r++) {
        Run run = runs.get(r);
        double[] sums = new double[run.stored.length * step];
        int[] between = new int[Long.SIZE + 1];
        for (int k = 0; k < run.stored.length; k++) {
          fold(run.common, entries[r], run.starts[k], run.starts[k + 1], between);
          System.arraycopy(entries[r], run.starts[k] * step, sums, k * step, step);
        }
        Sums of = Sums.of(levels, run.stored, sums);
        nodes.add(new TreeFold.Node<>(run.first, run.level, of));
      }
      return nodes;
    }

    /**
     * Adds up entries along the tree, into the first of them, which serves as the bottom of the
     * stack.
     *
     * @param between log₂ of the range that holds an element of the stack and that below it;
     *     overwritten
     */
    private void fold(byte[] common, double[] entries, int from, int to, int[] between) {
      int top = from;
      for (int e = from + 1; e < to; e++) {
        while (top > from && between[top - from] < common[e]) {
          plus(entries, --top);
        }
        top++;
        between[top - from] = common[e];
        if (top != e) {
          System.arraycopy(entries, e * step, entries, top * step, step);
        }
      }
      while (top > from) {
        plus(entries, --top);
      }
    }

    /** Adds an entry and the next one. */
    private void plus(double[] entries, int at) {
      for (int i = at * step; i < (at + 1) * step; i++) {
        entries[i] += entries[i + step];
      }
    }
  }

  /**
   * Sums over some rows of a few numbers for each level of a grouping. If levels are many, most
   * have no rows in a block. Only those with rows are stored, until all of them take less room.
   * Missing entries are 0, and adding 0 changes no bit, so both forms give the same sums.
   *
   * <p>A plain class and not a record, for Kryo's sake.
   */
  static final class Sums implements Serializable {
    private final int levels;
    private final int step;

    /** The levels that are stored, ascending; null for all. */
    private final int @Nullable [] stored;

    private final double[] values;

    /** Whether the values are unshared, so that they may be added to. */
    private final transient boolean own;

    private Sums(int levels, int step, int @Nullable [] stored, double[] values) {
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
    static Sums of(int levels, int[] stored, double[] values) {
      int step = stored.length == 0 ? 1 : values.length / stored.length;
      Sums some = new Sums(levels, step, stored, values);
      return isDense(levels, stored.length, step) ? some.dense() : some;
    }

    /** Returns whether all levels take no more room than the stored ones with their numbers. */
    private static boolean isDense(int levels, int stored, int step) {
      return stored * (2L * step + 1) >= levels * 2L * step;
    }

    private Sums dense() {
      double[] all = new double[levels * step];
      writeTo(all, 0);
      return new Sums(levels, step, null, all);
    }

    /** Returns left + right; either may be modified if it is unshared. */
    static Sums plus(Sums left, Sums right) {
      if (left.stored == null) {
        return left.added(right);
      }
      // a + b = b + a to the bit.
      return right.stored == null ? right.added(left) : merged(left, right);
    }

    private Sums added(Sums other) {
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
      return new Sums(levels, step, null, sum);
    }

    private static Sums merged(Sums left, Sums right) {
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
      return new Sums(left.levels, step, all, sum);
    }

    private static int[] stored(Sums of) {
      if (of.stored == null) {
        throw new IllegalArgumentException("all levels are stored");
      }
      return of.stored;
    }

    /** Writes the union of two ascending lists, and returns its size. */
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

    /** Writes the sums of all levels, from {@code at} on, into zeros. */
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
}
