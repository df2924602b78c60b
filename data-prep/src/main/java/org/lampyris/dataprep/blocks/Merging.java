package org.lampyris.dataprep.blocks;

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
}
