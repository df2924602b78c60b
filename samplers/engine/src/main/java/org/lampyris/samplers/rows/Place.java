package org.lampyris.samplers.rows;

import java.util.List;

/**
 * Place that holds rows together: a run of blocks, such as a partition.
 *
 * @param from the first block's id
 * @param to the id after the last block's
 * @param blocks the blocks, ascending; access by index is fast
 */
public record Place<B>(long from, long to, List<B> blocks) {
  /** Returns the place of all rows, in memory. */
  public static <B> Place<B> whole(List<B> blocks) {
    return new Place<>(0, Long.MAX_VALUE, blocks);
  }
}
