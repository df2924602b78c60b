package org.lampyris.dataprep.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.executors.jobs.PartitionJob;

/**
 * How many rows the pieces of an input have, and what some of its columns hold. A plain class, for
 * Kryo's sake.
 */
public final class RowCounts implements Serializable {
  private final long[] rows;
  private final TableScan scan;

  private RowCounts(long[] rows, TableScan scan) {
    this.rows = rows;
    this.scan = scan;
  }

  /** Counts, in one job that reads these columns and no others. */
  public static RowCounts of(InputPieces pieces, InputColumns columns) {
    JavaRDD<TableScan> scans =
        pieces.each(
            cells -> {
              TableScan scan = TableScan.begin(columns);
              cells.forEachRemaining(scan::add);
              return List.of(scan).iterator();
            });
    List<RowCounts> parts = PartitionJob.run(scans, new Together(columns));
    return new RowCounts(
        parts.stream().flatMapToLong(part -> Arrays.stream(part.rows)).toArray(),
        TableScan.of(columns, parts.stream().map(RowCounts::scan).toList()));
  }

  private record Together(InputColumns columns) implements PartitionJob.Task<TableScan, RowCounts> {
    @Override
    public RowCounts run(int partition, Iterator<TableScan> pieces) {
      List<TableScan> all = new ArrayList<>();
      pieces.forEachRemaining(all::add);
      return new RowCounts(
          all.stream().mapToLong(TableScan::rows).toArray(), TableScan.of(columns, all));
    }
  }

  /** Returns how many rows each piece has. Not a copy. */
  public long[] rows() {
    return rows;
  }

  /** Returns what the columns hold. */
  public TableScan scan() {
    return scan;
  }
}
