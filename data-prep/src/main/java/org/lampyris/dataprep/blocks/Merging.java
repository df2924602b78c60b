package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;

/**
 * Whether equal rows become one with their number as its weight: the likelihood of a table is the
 * product over its rows, so that nothing is lost.
 */
record Merging(Packing.Aggregate wish, InputColumns columns, TableScan scan) {
  /** In smaller tables there is nothing to gain. */
  private static final long FEWEST_ROWS = 10_000;

  /** How many rows there have to be for one that is left. */
  private static final double LEAST_FACTOR = 2;

  /**
   * Returns whether to merge; where the columns let hope for it, different rows are counted first.
   *
   * @param encoded the rows as they would be merged
   * @throws UserException (usage) if that is wished for and cannot be
   */
  boolean merges(Supplier<JavaRDD<byte[]>> encoded, RowForm form, Consumer<String> progress) {
    String reason = reason(form);
    if (wish == Packing.Aggregate.ALWAYS && reason != null) {
      throw UserException.usage(
          "data.aggregate: always is for tables without %s; leave one of them out"
              .formatted(reason));
    }
    if (wish == Packing.Aggregate.ALWAYS) {
      return true;
    }
    if (scan.rows() < FEWEST_ROWS || !mayMerge(form)) {
      return false;
    }
    progress.accept("counting different rows");
    return DifferentRows.count(encoded.get()) * LEAST_FACTOR <= scan.rows();
  }

  /** Returns whether rows are merged if many are equal, as may be by those that have been seen. */
  boolean mayMerge(RowForm form) {
    return wish == Packing.Aggregate.ALWAYS
        || (wish == Packing.Aggregate.AUTO && reason(form) == null && scan.mayRepeat());
  }

  /** Returns what equal rows cannot be merged for; null for nothing. */
  private static @Nullable String reason(RowForm form) {
    return form.grouped()
        ? "rows that lie together (data.group_by, or the largest group of model.random)"
        : form.storesWeight() ? "weights (data.weight, or model.trials)" : null;
  }

  static String line(long rows, long left) {
    return Text.of(
        "equal rows are merged: %,d rows become %,d with weights, %.1f times fewer",
        rows, left, (double) rows / left);
  }

  /**
   * About how many different rows there are, in one job without a shuffle, from the {@value #KEPT}
   * least hashes of their content: exact up to that, and beyond with a standard error of 1.6 %. It
   * depends on the rows alone. Source: Bar-Yossef, Jayram, Kumar, Sivakumar and Trevisan (2002),
   * Algorithm 1.
   */
  private static final class DifferentRows {
    private static final int KEPT = 4096;

    private final TreeSet<Long> least = new TreeSet<>(Long::compareUnsigned);

    private DifferentRows() {}

    /** Returns the number. */
    static double count(JavaRDD<byte[]> encoded) {
      List<long[]> parts =
          encoded.mapPartitions(rows -> List.of(hashes(rows)).iterator()).collect();
      DifferentRows all = new DifferentRows();
      for (long[] part : parts) {
        for (long hash : part) {
          all.add(hash);
        }
      }
      return all.count();
    }

    private static long[] hashes(Iterator<byte[]> rows) {
      DifferentRows part = new DifferentRows();
      while (rows.hasNext()) {
        part.add(ByteBuffer.wrap(RowKeys.ofContent(rows.next())).getLong());
      }
      return part.least.stream().mapToLong(hash -> hash).toArray();
    }

    private void add(long hash) {
      if (least.size() < KEPT) {
        least.add(hash);
      } else if (Long.compareUnsigned(hash, least.last()) < 0 && least.add(hash)) {
        least.pollLast();
      }
    }

    /** With m kept, the largest of which is a share u of all hashes: (m − 1)/u. */
    private double count() {
      return least.size() < KEPT
          ? least.size()
          : (KEPT - 1) / (((least.last() >>> 11) + 0.5) * 0x1p-53);
    }
  }
}
