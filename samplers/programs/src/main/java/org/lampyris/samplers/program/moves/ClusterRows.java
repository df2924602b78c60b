package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Rows of a cluster, numbered in the order of the table. A place finds its rows in a permutation of
 * the cluster's rows, once it knows how many are in the places before.
 *
 * @param label names a row's cluster
 * @param stored the label that the cluster's rows store
 * @param rows how many there are
 * @param places the first block of each place
 * @param before how many of the rows are in the places before each
 */
record ClusterRows(Node label, int stored, long rows, long[] places, long[] before)
    implements Serializable {
  /** Visits the selected rows of the cluster in a place. */
  void visit(
      Selected selected,
      Place<PlainBlock> place,
      RowTask.Setting setting,
      LocalState state,
      Selected.Visitor visitor) {
    LabelIndex index = state.index(setting.trace().latents(), label.slot());
    if (selected.isAll(rows)) {
      index.visit(stored, selected.parts(), visitor);
      return;
    }
    long first = before[Arrays.binarySearch(places, place.from())];
    long[] numbers = selected.among(rows, first, first + index.count(stored), setting);
    index.visit(stored, selected.parts(), numbers, visitor);
  }

  /**
   * Number of rows with each label in each place.
   *
   * @param places the first block of each place, ascending
   * @param counts of each place, by label; no longer than it has labels
   */
  record Counts(long[] places, long[][] counts) implements Serializable {
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

    /** Counts in the places that hold the rows. */
    record Counting(int width, int slot)
        implements RowStates.Collector<PlainBlock, LocalState, Counts> {
      @Override
      public Counts add(Place<PlainBlock> place, LocalState state) {
        return new Counts(
            new long[] {place.from()}, new long[][] {state.index(width, slot).counts()});
      }

      @Override
      public Counts merge(List<Counts> all) {
        return new Counts(
            all.stream().flatMapToLong(of -> Arrays.stream(of.places)).toArray(),
            all.stream().flatMap(of -> Arrays.stream(of.counts)).toArray(long[][]::new));
      }
    }
  }
}
