package org.lampyris.dataprep.read;

import java.util.ArrayList;

/** What a column of vectors holds. */
final class VectorScan implements CellScan<VectorScan> {
  /** By element; empty before the first vector is seen. */
  final ArrayList<NumberScan> slots = new ArrayList<>();

  /** The size of some vector that differs from the others', or −1. */
  int otherSize = -1;

  @Override
  public void add(RowCells row, int column) {
    boolean first = slots.isEmpty();
    int size =
        VectorCell.visit(
            row.value(column),
            (index, value) -> {
              grow(index + 1);
              slots.get(index).add(value);
            });
    if (first) {
      grow(size);
    }
    if (slots.size() != size) {
      otherSize = size;
    }
  }

  private void grow(int size) {
    while (slots.size() < size) {
      slots.add(new NumberScan());
    }
  }

  @Override
  public void merge(VectorScan that) {
    otherSize = Math.max(otherSize, that.otherSize);
    if (!slots.isEmpty() && !that.slots.isEmpty() && slots.size() != that.slots.size()) {
      otherSize = that.slots.size();
    }
    grow(that.slots.size());
    for (int k = 0; k < that.slots.size(); k++) {
      slots.get(k).merge(that.slots.get(k));
    }
  }

  /** Counts the zeros that sparse vectors have left out, of so many rows. */
  void addZeros(long rows) {
    slots.forEach(slot -> slot.addZeros(rows - slot.seen));
  }
}
