package org.lampyris.samplers.program.run;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.program.Node;

/**
 * The rows of a cluster, numbered in the order of the table: a place finds those of its rows that a
 * permutation of the cluster's rows has chosen, once it knows how many are in the places before.
 *
 * @param label names a row's cluster
 * @param stored the label that the cluster's rows store
 * @param rows how many there are
 * @param places the first block of each place
 * @param before how many of the rows are in the places before each
 */
record ClusterRows(Node label, int stored, long rows, long[] places, long[] before)
    implements Serializable {
  /** Visits what is chosen of a place's rows of the cluster. */
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
}
