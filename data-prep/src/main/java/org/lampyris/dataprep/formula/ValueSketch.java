package org.lampyris.dataprep.formula;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.XXH64;

/**
 * Values of a number with their counts: all of them up to {@value #LIMIT} different ones, and
 * otherwise the {@value #LIMIT} with the smallest hashes, with complete counts. Which those are
 * does not depend on the order of rows or on who saw them. Quantiles are then a sample's: off by
 * about 1/√{@value #LIMIT}/2, 0.14 %, of the rows at most in two of three cases.
 */
final class ValueSketch {
  static final int LIMIT = 1 << 17;
  private static final long SEED = 0x7f5bL;

  /**
   * The bits of each value and how often it occurs, side by side, by hash: a place with 0 times is
   * free. No object for each value.
   */
  private long[] table = new long[32];

  private int size;
  private final int limit;
  private long rows;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** Sums of all values and of their squares, each as a double and what it lacks. */
  private final double[] sums = new double[4];

  /** Values of a hash above this are not kept. */
  private long most = Long.MAX_VALUE;

  ValueSketch() {
    this(LIMIT);
  }

  /** Keeps up to a number of values. */
  ValueSketch(int limit) {
    this.limit = limit;
  }

  private static long hash(double x) {
    return XXH64.hashLong(Double.doubleToLongBits(x), SEED);
  }

  void add(double x) {
    if (Double.isNaN(x)) {
      return;
    }
    double value = x + 0.0; // one zero
    rows++;
    min = Math.min(min, value);
    max = Math.max(max, value);
    double square = value * value;
    plus(0, value, 0);
    plus(2, square, Math.fma(value, value, -square));
    count(value, 1);
    if (size > 2 * limit) {
      prune();
    }
  }

  /** Adds to a sum, with 106 binary digits (Knuth's TwoSum). */
  private void plus(int at, double value, double rest) {
    double sum = sums[at] + value;
    double part = sum - sums[at];
    double lost = (sums[at] - (sum - part)) + (value - part);
    double low = sums[at + 1] + rest + lost;
    sums[at] = sum + low;
    sums[at + 1] = low - (sums[at] - sum);
  }

  private void count(double value, long more) {
    long hash = hash(value);
    if (hash > most) {
      return;
    }
    long bits = Double.doubleToLongBits(value);
    int place = place(bits, hash);
    if (table[place + 1] == 0) {
      table[place] = bits;
      size++;
    }
    table[place + 1] += more;
    if (4 * size > table.length) {
      keep(2 * table.length);
    }
  }

  /** Returns the place of a value, or the free one where it belongs. */
  private int place(long bits, long hash) {
    int mask = table.length - 1;
    int place = (int) (2 * hash) & mask;
    while (table[place + 1] != 0 && table[place] != bits) {
      place = (place + 2) & mask;
    }
    return place;
  }

  /** Keeps the values whose hashes are not too large, in a table of another length. */
  private void keep(int length) {
    long[] old = table;
    table = new long[length];
    size = 0;
    addAll(old);
  }

  private void addAll(long[] others) {
    for (int k = 0; k < others.length; k += 2) {
      if (others[k + 1] > 0) {
        count(Double.longBitsToDouble(others[k]), others[k + 1]);
      }
    }
  }

  private void prune() {
    if (size > limit) {
      long[] hashes = kept().mapToLong(ValueSketch::hash).sorted().toArray();
      most = hashes[limit - 1];
      keep(table.length);
    }
  }

  private DoubleStream kept() {
    return IntStream.range(0, table.length / 2)
        .filter(k -> table[2 * k + 1] > 0)
        .mapToDouble(k -> Double.longBitsToDouble(table[2 * k]));
  }

  void merge(ValueSketch that) {
    rows += that.rows;
    plus(0, that.sums[0], that.sums[1]);
    plus(2, that.sums[2], that.sums[3]);
    min = Math.min(min, that.min);
    max = Math.max(max, that.max);
    most = Math.min(most, that.most);
    if (most < Long.MAX_VALUE) {
      keep(table.length);
    }
    addAll(that.table);
    prune();
  }

  /** Returns the values that are kept, in ascending order. */
  double[] values() {
    prune();
    return kept().sorted().toArray();
  }

  /** Returns how often each of {@link #values} occurs. */
  long[] counts() {
    return Arrays.stream(values())
        .mapToLong(x -> table[place(Double.doubleToLongBits(x), hash(x)) + 1])
        .toArray();
  }

  int size() {
    prune();
    return size;
  }

  /** Returns how many values there were, kept or not. */
  long rows() {
    return rows;
  }

  double min() {
    return min;
  }

  double max() {
    return max;
  }

  private BigDecimal sum(int at) {
    return new BigDecimal(sums[at]).add(new BigDecimal(sums[at + 1]));
  }

  /**
   * Returns the mean of all values, kept or not. The sum has 106 binary digits, so that another
   * order of rows rounds to another double in one of some 10¹⁵ tables.
   */
  double mean() {
    return sum(0).divide(BigDecimal.valueOf(rows), MathContext.DECIMAL128).doubleValue();
  }

  /**
   * Returns √(Σ (x − m)² / (rows − 1)) of all values, kept or not; 0 for one value.
   *
   * @param centered whether m is the mean; else it is 0
   */
  double sd(boolean centered) {
    if (rows < 2 || !Double.isFinite(sums[2])) {
      return rows < 2 ? 0 : Double.POSITIVE_INFINITY;
    }
    BigDecimal count = BigDecimal.valueOf(rows);
    BigDecimal squares =
        centered ? sum(2).multiply(count).subtract(sum(0).pow(2)) : sum(2).multiply(count);
    BigDecimal variance =
        squares.divide(count.multiply(count.subtract(BigDecimal.ONE)), MathContext.DECIMAL128);
    return variance.signum() <= 0 ? 0 : variance.sqrt(MathContext.DECIMAL64).doubleValue();
  }

  /** Returns a quantile of the values that are kept, of type 7 of Hyndman and Fan (1996). */
  double quantile(double p) {
    double[] values = values();
    long[] counts = counts();
    double at = p * (Arrays.stream(counts).sum() - 1);
    long below = (long) Math.floor(at + 4 * Math.ulp(at));
    double lower = values[place(counts, below)];
    double share = Math.max(0, at - below);
    return share == 0 ? lower : lower + share * (values[place(counts, below + 1)] - lower);
  }

  private static int place(long[] counts, long rank) {
    long seen = 0;
    int k = -1;
    while (seen <= rank) {
      seen += counts[++k];
    }
    return k;
  }
}
