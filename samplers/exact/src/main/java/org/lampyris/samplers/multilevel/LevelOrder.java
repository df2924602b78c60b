package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.TreeFold;
import org.lampyris.samplers.rows.Place;

/**
 * In which order the sums of a grouping's levels are added up within a place: along the tree of
 * {@link TreeFold} over the blocks, of which most have no row of most levels. The order is the same
 * for all questions, so it is found once: the sums of a block go where those of the same level are
 * next to each other, block by block, and are added up there.
 *
 * <p>Merging sparse vectors pair by pair along the tree, as {@link LevelSums#plus} can, was most of
 * the time of an evaluation at 300,000 levels of 17 rows.
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

    /** The levels that have rows here, ascending, and where their entries begin. */
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

  /** Where the entries of each block's levels are in its run. */
  private final int[][] positions;

  private final int[] runOf;

  /** Finds the order of a grouping of so many levels. */
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

  /** Adds up the sums of the blocks of a place, of so many numbers a level. */
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

    /** Returns what has been added up. */
    List<TreeFold.Node<LevelSums>> nodes() {
      List<TreeFold.Node<LevelSums>> nodes = new ArrayList<>();
      for (int r = 0; r < entries.length; r++) {
        Run run = runs.get(r);
        double[] sums = new double[run.stored.length * step];
        int[] between = new int[Long.SIZE + 1];
        for (int k = 0; k < run.stored.length; k++) {
          fold(run.common, entries[r], run.starts[k], run.starts[k + 1], between);
          System.arraycopy(entries[r], run.starts[k] * step, sums, k * step, step);
        }
        LevelSums of = LevelSums.of(levels, run.stored, sums);
        nodes.add(new TreeFold.Node<>(run.first, run.level, of));
      }
      return nodes;
    }

    /**
     * Adds entries up along the tree, into the first of them: what is on the stack lies at its
     * bottom.
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
}
