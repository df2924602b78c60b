package org.lampyris.samplers.program.run;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.rowstate.RowCollector;

/**
 * How many rows each place has of each label.
 *
 * @param places the first block of each place, ascending
 * @param counts of each place, by label; no longer than it has labels
 */
record LabelCounts(long[] places, long[][] counts) implements Serializable {
  /** Returns the rows that store a label. */
  ClusterRows of(Node label, int stored) {
    long[] before = new long[places.length];
    long rows = 0;
    for (int i = 0; i < places.length; i++) {
      before[i] = rows;
      rows += stored < counts[i].length ? counts[i][stored] : 0;
    }
    return new ClusterRows(label, stored, rows, places, before);
  }

  /** Counts where the rows are. */
  record Counting(int width, int slot)
      implements RowCollector<PlainBlock, LocalState, LabelCounts> {
    @Override
    public LabelCounts of(Place<PlainBlock> place, LocalState state) {
      return new LabelCounts(
          new long[] {place.from()}, new long[][] {state.index(width, slot).counts()});
    }

    @Override
    public LabelCounts join(List<LabelCounts> all) {
      return new LabelCounts(
          all.stream().flatMapToLong(of -> Arrays.stream(of.places)).toArray(),
          all.stream().flatMap(of -> Arrays.stream(of.counts)).toArray(long[][]::new));
    }
  }
}
