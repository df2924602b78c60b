package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.Values;

/**
 * Random effects as coefficients: a column for each effect of each level, which holds z_ne in the
 * rows of the level and 0 elsewhere. So the linear predictor of a row is one product, η_n = x_nᵀβ +
 * z_nᵀb + o_n, and bounds collapse over β and b together. The columns come after those of the
 * table, by grouping factor, level and effect; a row stores as many of them as it has effects.
 */
public final class EffectColumns implements Serializable {
  private final int before;
  private final List<TableEffects> groupings;
  private final long[][] keys;
  private final List<String> names;

  /**
   * Describes the columns.
   *
   * @param before how many columns the table has itself
   * @param groupings the grouping factors
   * @param keys the sorted keys of the levels of each, as {@link DataBlock#group} has them; not
   *     copied
   * @param levels the levels as text, likewise
   */
  public EffectColumns(
      int before, List<TableEffects> groupings, long[][] keys, List<List<String>> levels) {
    this.before = before;
    this.groupings = List.copyOf(groupings);
    this.keys = keys;
    List<String> all = new ArrayList<>();
    for (int g = 0; g < keys.length; g++) {
      for (String level : levels.get(g)) {
        for (int e = 0; e < groupings.get(g).size(); e++) {
          all.add(groupings.get(g).effects().name(level, e));
        }
      }
    }
    this.names = List.copyOf(all);
  }

  /** Returns the names of the columns: those of the effects, {@code r_group[level,effect]}. */
  public List<String> names() {
    return names;
  }

  /** Returns the grouping factors. */
  public List<TableEffects> groupings() {
    return groupings;
  }

  /** Returns the sorted keys of the levels of a grouping factor, not a copy. */
  public long[] keys(int grouping) {
    return keys[grouping];
  }

  /** Returns the column of the first effect of the first level of a grouping factor. */
  public int first(int grouping) {
    int first = before;
    for (int g = 0; g < grouping; g++) {
      first += keys[g].length * groupings.get(g).size();
    }
    return first;
  }

  /**
   * Returns a block with these columns: sparse, with the responses, weights and offsets of the
   * block given, and without its groups.
   *
   * @throws IllegalArgumentException if a row has a level that is not among the keys
   */
  public DataBlock of(DataBlock block) {
    if (groupings.isEmpty()) {
      return block;
    }
    int effects = groupings.stream().mapToInt(TableEffects::size).sum();
    int rows = block.rows();
    int[] start = new int[rows + 1];
    int[] own = block instanceof SparseBlock sparse ? sparse.rowStart() : null;
    for (int row = 0; row < rows; row++) {
      start[row + 1] = start[row] + effects + (own == null ? before : own[row + 1] - own[row]);
    }
    int[] column = new int[start[rows]];
    double[] value = new double[start[rows]];
    for (int row = 0; row < rows; row++) {
      int at = start[row];
      if (block instanceof SparseBlock sparse) {
        for (int k = sparse.rowStart()[row]; k < sparse.rowStart()[row + 1]; k++) {
          column[at] = sparse.column()[k];
          value[at++] = sparse.values().get(k);
        }
      } else {
        for (int j = 0; j < before; j++) {
          column[at] = j;
          value[at++] = block.feature(row, j);
        }
      }
      int first = before;
      for (int g = 0; g < keys.length; g++) {
        TableEffects of = groupings.get(g);
        int level = Arrays.binarySearch(keys[g], block.group(of.grouping(), row));
        if (level < 0) {
          throw new IllegalArgumentException(
              "a level of '" + of.effects().group() + "' in block " + block.id() + " is not known");
        }
        for (int e = 0; e < of.size(); e++) {
          column[at] = first + level * of.size() + e;
          value[at++] = of.z(block, row, e);
        }
        first += keys[g].length * of.size();
      }
    }
    return new SparseBlock(
        block.id(),
        before + names.size(),
        start,
        column,
        Values.of(value),
        block.responses(),
        block.weights(),
        block.offsets());
  }
}
