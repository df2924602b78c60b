package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.Partitioner;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;

/**
 * Sort keys of 128 bits, big-endian, uniform over their whole range (XXH64 twice, with two seeds),
 * so that ranges of equal width hold about equally many keys, without sampling.
 */
final class RowKeys {
  static final int BYTES = 16;

  /** Orders keys as unsigned numbers, those with a group before them first by all of that. */
  static final Comparator<byte[]> ORDER =
      (Comparator<byte[]> & Serializable) (a, b) -> compare(a, b);

  private static final long SECOND_LANE = 0x9e3779b97f4a7c15L;

  private RowKeys() {}

  private static int compare(byte[] a, byte[] b) {
    int m = a.length - BYTES;
    int n = b.length - BYTES;
    int byGroup = Arrays.compareUnsigned(a, 0, m, b, 0, n);
    return byGroup != 0 ? byGroup : Arrays.compareUnsigned(a, m, a.length, b, n, b.length);
  }

  /** Returns the key of a row's content. */
  static byte[] ofContent(byte[] row) {
    return key(
        XXH64.hashUnsafeBytes(row, Platform.BYTE_ARRAY_OFFSET, row.length, 0),
        XXH64.hashUnsafeBytes(row, Platform.BYTE_ARRAY_OFFSET, row.length, SECOND_LANE));
  }

  /** Returns the key that a row's place in the random order comes from. */
  static byte[] ofPlace(long seed, byte[] content, long occurrence) {
    ByteBuffer in = ByteBuffer.wrap(content);
    long high = in.getLong();
    long low = in.getLong();
    return key(lane(seed, high, low, occurrence), lane(seed ^ SECOND_LANE, high, low, occurrence));
  }

  private static long lane(long seed, long high, long low, long occurrence) {
    long hash = XXH64.hashLong(high, seed);
    return XXH64.hashLong(occurrence, XXH64.hashLong(low, hash));
  }

  private static byte[] key(long high, long low) {
    byte[] key = new byte[BYTES];
    ByteBuffer.wrap(key).putLong(high).putLong(low);
    return key;
  }

  /** Spreads keys over ranges of equal width. */
  static final class Ranges extends Partitioner {
    private final int partitions;

    Ranges(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      long top = Integer.toUnsignedLong(ByteBuffer.wrap((byte[]) key).getInt());
      return (int) ((top * partitions) >>> 32);
    }
  }
}
