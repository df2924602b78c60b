package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Block with the group numbers of its rows, and, for groups that do not lie together, their places
 * among the sorted keys of all groups.
 */
public final class GroupedBlock implements RowBlock<GroupedBlock> {
  private final DataBlock data;
  private final int[][] levels;
  private final int[][] places;
  private final int @Nullable [] starts;

  private GroupedBlock(DataBlock data, int[][] levels, int[][] places, int @Nullable [] starts) {
    this.data = data;
    this.levels = levels;
    this.places = places;
    this.starts = starts;
  }

  /**
   * Creates the indices.
   *
   * @param keys the sorted keys of each grouping's groups; ignored where they lie together
   * @throws IllegalStateException if a row's group is not among the keys
   */
  public static GroupedBlock of(DataBlock data, List<TableEffects> groupings, long[][] keys) {
    int[][] levels = new int[groupings.size()][data.rows()];
    int[][] places = new int[groupings.size()][0];
    int[] starts = null;
    for (int g = 0; g < levels.length; g++) {
      TableEffects of = groupings.get(g);
      if (of.together()) {
        starts = runs(data, of.grouping(), levels[g]);
      } else {
        places[g] = places(data, of.grouping(), keys[g], levels[g]);
      }
    }
    return new GroupedBlock(data, levels, places, starts);
  }

  private static int[] places(DataBlock data, int grouping, long[] keys, int[] level) {
    for (int row = 0; row < level.length; row++) {
      level[row] = Arrays.binarySearch(keys, data.group(grouping, row));
      if (level[row] < 0) {
        throw new IllegalStateException("row " + row + " of block " + data.id());
      }
    }
    int[] places = Arrays.stream(level).sorted().distinct().toArray();
    for (int row = 0; row < level.length; row++) {
      level[row] = Arrays.binarySearch(places, level[row]);
    }
    return places;
  }

  private static int[] runs(DataBlock data, int grouping, int[] level) {
    int[] starts = new int[data.rows() + 1];
    int count = 0;
    for (int row = 0; row < level.length; row++) {
      if (row == 0 || data.group(grouping, row) != data.group(grouping, row - 1)) {
        starts[count++] = row;
      }
      level[row] = count - 1;
    }
    starts[count] = level.length;
    return Arrays.copyOf(starts, count + 1);
  }

  @Override
  public DataBlock data() {
    return data;
  }

  /** Returns the number in this block of each row's group in a grouping; not to be modified. */
  int[] levels(int grouping) {
    return levels[grouping];
  }

  /**
   * Returns the places, among all groups of a grouping, of the groups with rows in this block,
   * ascending, by their numbers in it; empty if groups lie together. Not to be modified.
   */
  int[] places(int grouping) {
    return places[grouping];
  }

  /** Returns this block's groups' part of an array with numbers for each group of a grouping. */
  double[] own(int grouping, double[] all, int step) {
    int[] of = places[grouping];
    double[] own = new double[of.length * step];
    for (int k = 0; k < of.length; k++) {
      System.arraycopy(all, of[k] * step, own, k * step, step);
    }
    return own;
  }

  /** Returns the same of floats. */
  float[] own(int grouping, float[] all, int step) {
    int[] of = places[grouping];
    float[] own = new float[of.length * step];
    for (int k = 0; k < of.length; k++) {
      System.arraycopy(all, of[k] * step, own, k * step, step);
    }
    return own;
  }

  /** Returns how many groups lie together in this block. */
  public int groups() {
    return starts == null ? 0 : starts.length - 1;
  }

  /**
   * Returns the first row of a group that lies together; for the number of groups the rows' end.
   */
  public int start(int group) {
    return starts == null ? 0 : starts[group];
  }

  @Override
  public GroupedBlock select(int[] rows) {
    throw new IllegalStateException("groups cannot be split");
  }

  @Override
  public GroupedBlock append(GroupedBlock other) {
    throw new IllegalStateException("groups cannot be joined");
  }

  @Override
  public long packedBytes() {
    long places = Arrays.stream(this.places).mapToLong(of -> of.length).sum();
    return data.packedBytes() + 4 * ((long) levels.length * data.rows() + places);
  }
}
