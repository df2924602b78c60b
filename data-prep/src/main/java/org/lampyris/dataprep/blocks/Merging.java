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
 * Merging of equal rows into one with their number as its weight. The likelihood of a table is the
 * product over its rows, so nothing is lost.
 */
record Merging(Packing.Aggregate wish, InputColumns columns, TableScan scan) {
  /** Smaller tables gain nothing. */
  private static final long FEWEST_ROWS = 10_000;

  /** Smallest factor by which merging must reduce the rows. */
  private static final double LEAST_FACTOR = 2;

  /**
   * Returns whether to merge; different rows are counted first if the columns are promising.
   *
   * @param encoded the rows as they would be merged
   * @throws UserException (usage) if that is wished for and cannot be
   */
  boolean merges(Supplier<JavaRDD<byte[]>> encoded, RowForm form, Consumer<String> progress) {
    String reason = reason(form);
    if (wish == Packing.Aggregate.ALWAYS && reason != null) {
      throw UserException.usage(
          "data.aggregate: always is for tables without %s. Remove one of them.".formatted(reason));
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

  /** Returns whether rows may be merged, judging by the scanned rows. */
  boolean mayMerge(RowForm form) {
    return wish == Packing.Aggregate.ALWAYS
        || (wish == Packing.Aggregate.AUTO && reason(form) == null && scan.mayRepeat());
  }

  /** Returns why equal rows cannot be merged; null if they can. */
  private static @Nullable String reason(RowForm form) {
    return form.grouped()
        ? "rows kept together (data.group_by, or the largest group of model.random)"
        : form.storesWeight() ? "weights (data.weight, or model.trials)" : null;
  }

  static String line(long rows, long left) {
    return Text.of(
        "equal rows are merged: %,d rows become %,d weighted rows, %.1f times fewer",
        rows, left, (double) rows / left);
  }

  /**
   * Approximate number of different rows, in one job without a shuffle, from the {@value #KEPT}
   * smallest hashes of their content: exact up to that number, and beyond with a standard error of
   * 1.6 %. It depends on the rows alone. Source: Bar-Yossef, Jayram, Kumar, Sivakumar and Trevisan
   * (2002), Algorithm 1.
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

    /** With m hashes kept, and u the largest of them as a share of all: (m − 1)/u. */
    private double count() {
      return least.size() < KEPT
          ? least.size()
          : (KEPT - 1) / (((least.last() >>> 11) + 0.5) * 0x1p-53);
    }
  }
}
