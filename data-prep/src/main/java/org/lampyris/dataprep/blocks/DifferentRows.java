package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaRDD;

/**
 * About how many different rows there are, in one job without a shuffle, from the {@value #KEPT}
 * least hashes of their content: exact up to that, and beyond with a standard error of 1.6 %. It
 * depends on the rows alone. Source: Bar-Yossef, Jayram, Kumar, Sivakumar and Trevisan (2002),
 * Algorithm 1.
 */
public final class DifferentRows {
  private static final int KEPT = 4096;

  private final TreeSet<Long> least = new TreeSet<>(Long::compareUnsigned);

  private DifferentRows() {}

  /** Returns the number. */
  public static double count(JavaRDD<byte[]> encoded) {
    List<long[]> parts = encoded.mapPartitions(rows -> List.of(hashes(rows)).iterator()).collect();
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
