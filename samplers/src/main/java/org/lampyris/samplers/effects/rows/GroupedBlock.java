package org.lampyris.samplers.effects.rows;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.samplers.pool.RowBlock;

/**
 * A block with the groups of its rows as indices: of groups that lie together, the number in the
 * block; of others, the place among the sorted keys of all groups.
 */
public final class GroupedBlock implements RowBlock<GroupedBlock> {
  private final DataBlock data;
  private final int[][] levels;
  private final int @Nullable [] starts;

  private GroupedBlock(DataBlock data, int[][] levels, int @Nullable [] starts) {
    this.data = data;
    this.levels = levels;
    this.starts = starts;
  }

  /**
   * Makes the indices.
   *
   * @param keys the sorted keys of each grouping's groups; ignored where they lie together
   * @throws IllegalStateException if a row is of a group that is not among the keys
   */
  public static GroupedBlock of(DataBlock data, List<TableEffects> groupings, long[][] keys) {
    int[][] levels = new int[groupings.size()][data.rows()];
    int[] starts = null;
    for (int g = 0; g < levels.length; g++) {
      TableEffects of = groupings.get(g);
      if (of.together()) {
        starts = runs(data, of.grouping(), levels[g]);
      } else {
        for (int row = 0; row < levels[g].length; row++) {
          levels[g][row] = Arrays.binarySearch(keys[g], data.group(of.grouping(), row));
          if (levels[g][row] < 0) {
            throw new IllegalStateException("row " + row + " of block " + data.id());
          }
        }
      }
    }
    return new GroupedBlock(data, levels, starts);
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

  /** Returns the index of each row's group in a grouping; not to be modified. */
  int[] levels(int grouping) {
    return levels[grouping];
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
    throw new IllegalStateException("groups are not split");
  }

  @Override
  public GroupedBlock append(GroupedBlock other) {
    throw new IllegalStateException("groups are not joined");
  }

  @Override
  public long packedBytes() {
    return data.packedBytes() + 4L * levels.length * data.rows();
  }
}
