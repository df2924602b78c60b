package org.lampyris.samplers.multilevel;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.TreeFold;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.Place;

/**
 * Answer of a place's rows: sums over all rows, and over the rows of each level of the groupings
 * whose groups do not lie together. A plain class and not a record, for Kryo's sake.
 */
public final class EffectsShare implements Serializable {
  private final TreeSum.Node[] sums;
  private final TreeFold.Node<LevelOrder.Sums>[][] levels;

  private EffectsShare(TreeSum.Node[] sums, TreeFold.Node<LevelOrder.Sums>[][] levels) {
    this.sums = sums;
    this.levels = levels;
  }

  /** Returns the classes of a share's parts. */
  public static List<Class<?>> classes() {
    return List.of(
        EffectsShare.class,
        LevelOrder.Sums.class,
        LevelShape.class,
        TreeFold.Node.class,
        TreeFold.Node[].class,
        TreeFold.Node[][].class);
  }

  /**
   * Answer of a block.
   *
   * @param sums over all of its rows
   * @param levels by grouping, of each of the block's levels; null where nothing is asked
   */
  record OfBlock(double[] sums, double[][] levels) {}

  /** Adds the answers of a place's blocks up. */
  static final class Adding {
    private final TreeSum sums;
    private final LevelOrder.Adding[] levels;

    /** Starts with the numbers of sums for each level of each grouping. */
    Adding(Place<GroupedBlock> place, LevelOrder[] orders, int[] steps) {
      sums = new TreeSum(place.from(), place.to());
      levels = new LevelOrder.Adding[orders.length];
      Arrays.setAll(levels, g -> steps[g] == 0 ? null : orders[g].new Adding(steps[g]));
    }

    /** Adds a block's answer; its sums are kept. */
    void add(int index, GroupedBlock block, OfBlock answer) {
      sums.add(block.id(), answer.sums);
      for (int g = 0; g < levels.length; g++) {
        LevelOrder.Adding of = levels[g];
        if (of != null) {
          of.add(index, answer.levels[g]);
        }
      }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // as arrays of generic types are made
    EffectsShare share() {
      TreeFold.Node<LevelOrder.Sums>[][] all = new TreeFold.Node[levels.length][];
      for (int g = 0; g < all.length; g++) {
        LevelOrder.Adding of = levels[g];
        List<TreeFold.Node<LevelOrder.Sums>> nodes = of == null ? List.of() : of.nodes();
        all[g] = nodes.toArray(new TreeFold.Node[0]);
      }
      return new EffectsShare(sums.nodes().toArray(new TreeSum.Node[0]), all);
    }
  }

  /**
   * Writes the sums of all places.
   *
   * @param length how many sums are over all rows; they come first
   * @param at where the sums of each grouping's levels begin
   * @param out zeros. Modified.
   */
  static void join(List<EffectsShare> shares, int length, int[] at, double[] out) {
    double[] sums =
        TreeSum.total(shares.stream().flatMap(of -> Arrays.stream(of.sums)).toList(), length);
    System.arraycopy(sums, 0, out, 0, length);
    for (int k = 0; k < at.length; k++) {
      int g = k;
      List<TreeFold.Node<LevelOrder.Sums>> nodes =
          shares.stream().flatMap(of -> Arrays.stream(of.levels[g])).toList();
      TreeFold.total(nodes, LevelOrder.Sums::plus).ifPresent(of -> of.writeTo(out, at[g]));
    }
  }
}
