package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.rows.PermutedRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowNumbers;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Parts of rows in the order of a step's keyed permutation of all of them. Each row has as many
 * parts, and the parts at the positions {@code low … high − 1} are selected. All parts, without the
 * permutation, where that is all of them.
 *
 * @param parts how many parts a row has
 */
public record Selected(long step, long low, long high, int parts) implements Serializable {
  /** Density from which numbers are sorted by marking: a word holds as many marks. */
  private static final int MARKS = Long.SIZE;

  /** Receives parts, ascending, block by block. */
  @FunctionalInterface
  public interface Visitor {
    /** Takes a block's index in its place, a row of the block, and a part of the row. */
    void part(int block, int row, int part);
  }

  /** Returns all parts. */
  public static Selected all(int parts) {
    return new Selected(0, 0, Long.MAX_VALUE, parts);
  }

  /** Returns whether all parts are selected, for a number of rows. */
  boolean isAll(long rows) {
    return low == 0 && high >= rows * parts;
  }

  /** Visits the selected parts in a place. */
  public void visit(Place<PlainBlock> place, RowTask.Setting setting, Visitor visitor) {
    List<PlainBlock> blocks = place.blocks();
    if (blocks.isEmpty()) {
      return;
    }
    if (isAll(setting.table().rows())) {
      for (int b = 0; b < blocks.size(); b++) {
        int rows = blocks.get(b).data().rows();
        for (int row = 0; row < rows; row++) {
          for (int part = 0; part < parts; part++) {
            visitor.part(b, row, part);
          }
        }
      }
      return;
    }
    int blockRows = setting.table().blockRows();
    RowNumbers numbers = new RowNumbers(blocks, blockRows);
    long blockParts = (long) blockRows * parts;
    int block = 0;
    long begun = 0;
    for (long found : among(setting.table().rows(), numbers.first(), numbers.end(), setting)) {
      while (found >= begun + blockParts) {
        block++;
        begun += blockParts;
      }
      int within = (int) (found - begun);
      visitor.part(block, parts == 1 ? within : within / parts, parts == 1 ? 0 : within % parts);
    }
  }

  /**
   * Returns the selected parts of the rows {@code first … end − 1}: their numbers from the first
   * one on, ascending.
   */
  long[] among(long rows, long first, long end, RowTask.Setting setting) {
    long total = rows * parts;
    long from = first * parts;
    long length = (end - first) * parts;
    long to = Math.min(high, total);
    long[] found = new long[(int) Math.min(to - low, length)];
    int[] count = new int[1];
    PermutedRows.find(
        new RowPermutation(setting.streams().seed(), setting.chain(), step, total),
        low,
        to,
        from,
        from + length,
        (number, position) -> found[count[0]++] = number - from);
    ascending(found, count[0], length);
    return count[0] == found.length ? found : Arrays.copyOf(found, count[0]);
  }

  /** Sorts different numbers below {@code end}; by marks if they are many. Modified. */
  private static void ascending(long[] numbers, int count, long end) {
    if (count < end / MARKS) {
      Arrays.sort(numbers, 0, count);
      return;
    }
    BitSet marks = new BitSet((int) end);
    for (int i = 0; i < count; i++) {
      marks.set((int) numbers[i]);
    }
    int next = 0;
    for (int i = marks.nextSetBit(0); i >= 0; i = marks.nextSetBit(i + 1)) {
      numbers[next++] = i;
    }
  }
}
