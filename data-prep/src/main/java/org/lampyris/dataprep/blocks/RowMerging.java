package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import scala.Tuple2;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Makes one row of equal ones, which come one after the other with counts, and writes their number
 * into its weight. Gives each with the key of its place in the random order. Rows of equal keys and
 * other content, if there are any, are merged as far as they follow one another.
 */
final class RowMerging implements Iterator<Tuple2<byte[], byte[]>> {
  /** Where the weight is in an encoded row: after the response. */
  private static final int WEIGHT_AT = Double.BYTES;

  private final BufferedIterator<Tuple2<byte[], byte[]>> counted;
  private final long seed;
  private byte[] content = new byte[0];
  private long different;

  RowMerging(Iterator<Tuple2<byte[], byte[]>> counted, long seed) {
    this.counted = CollectionConverters.asScala(counted).buffered();
    this.seed = seed;
  }

  @Override
  public boolean hasNext() {
    return counted.hasNext();
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    Tuple2<byte[], byte[]> first = counted.next();
    byte[] row = row(first);
    long count = count(first);
    while (counted.hasNext() && Arrays.equals(row, row(counted.head()))) {
      count += count(counted.next());
    }
    different = Arrays.equals(content, first._1()) ? different + 1 : 0;
    content = first._1();
    ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).putDouble(WEIGHT_AT, (double) count);
    return new Tuple2<>(RowKeys.ofPlace(seed, content, different), row);
  }

  private static long count(Tuple2<byte[], byte[]> pair) {
    return ByteBuffer.wrap(pair._2()).getLong();
  }

  private static byte[] row(Tuple2<byte[], byte[]> pair) {
    return Arrays.copyOfRange(pair._2(), Long.BYTES, pair._2().length);
  }

  /** Returns how many rows have become this one. */
  static long merged(byte[] row) {
    return (long) ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN).getDouble(WEIGHT_AT);
  }
}
