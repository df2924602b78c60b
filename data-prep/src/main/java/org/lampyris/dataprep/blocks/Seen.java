package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.PartitionJob;

/** What a partition of the input holds. A plain class, for Kryo's sake. */
public final class Seen implements Serializable {
  final TableScan scan;

  private final ArrayList<Piece> pieces = new ArrayList<>();
  private final ArrayList<Long> rows = new ArrayList<>();

  private Seen(TableScan scan) {
    this.scan = scan;
  }

  /** Returns the pieces of files that gave rows, in the order in which they were read. */
  public List<Piece> pieces() {
    return Collections.unmodifiableList(pieces);
  }

  /** Returns how many rows each of the pieces gave. */
  public List<Long> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Goes through a partition. */
  record Look() implements PartitionJob.Task<EncodedRows, Seen> {
    @Override
    public Seen run(int partition, Iterator<EncodedRows> elements) {
      ArrayList<Piece> pieces = new ArrayList<>();
      ArrayList<Long> rows = new ArrayList<>();
      TableScan scan = null;
      while (elements.hasNext()) {
        EncodedRows of = elements.next();
        if (of.rows() > 0) {
          int last = pieces.size() - 1;
          if (last >= 0 && pieces.get(last).equals(of.piece())) {
            rows.set(last, rows.get(last) + of.rows());
          } else {
            pieces.add(of.piece());
            rows.add((long) of.rows());
          }
        }
        scan = of.scan() == null ? scan : of.scan();
      }
      if (scan == null) {
        throw new IllegalStateException("partition " + partition + " ends without its scan");
      }
      Seen seen = new Seen(scan);
      seen.pieces.addAll(pieces);
      seen.rows.addAll(rows);
      return seen;
    }
  }
}
