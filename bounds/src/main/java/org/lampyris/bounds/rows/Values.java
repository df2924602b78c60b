package org.lampyris.bounds.rows;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The features of a block in one array, of doubles or, in half the memory, of floats. A float is
 * widened before anything is computed with it, so that only the features themselves are rounded, by
 * a relative 6·10⁻⁸ at most.
 *
 * <p>Immutable by convention, as {@link DataBlock} is.
 */
public final class Values implements Serializable {
  /** One of the two holds the values, the other is empty. */
  private final double[] doubles;

  private final float[] floats;
  private final boolean isFloat;

  private Values(double[] doubles, float[] floats, boolean isFloat) {
    this.doubles = doubles;
    this.floats = floats;
    this.isFloat = isFloat;
  }

  /** Wraps an array, which must not be written to afterwards. */
  public static Values of(double[] doubles) {
    return new Values(doubles, new float[0], false);
  }

  /** Wraps an array, which must not be written to afterwards. */
  public static Values of(float[] floats) {
    return new Values(new double[0], floats, true);
  }

  /** Returns the same values rounded to floats. */
  public Values narrowed() {
    if (isFloat) {
      return this;
    }
    float[] narrow = new float[doubles.length];
    for (int i = 0; i < narrow.length; i++) {
      narrow[i] = (float) doubles[i];
    }
    return of(narrow);
  }

  /** Returns the bytes of the values, little-endian. */
  public byte[] toBytes() {
    byte[] bytes = new byte[Math.toIntExact(bytes())];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (isFloat) {
      out.asFloatBuffer().put(floats);
    } else {
      out.asDoubleBuffer().put(doubles);
    }
    return bytes;
  }

  /**
   * Returns some columns of row-major values.
   *
   * @param columns how many columns these values have
   * @param wanted which of them, in the order of the result
   */
  public Values select(int columns, int[] wanted) {
    Values selected = ofSize(length() / columns * wanted.length);
    for (int row = 0, at = 0; row < length(); row += columns) {
      for (int column : wanted) {
        copy(row + column, selected, at++, 1);
      }
    }
    return selected;
  }

  private Object array() {
    return isFloat ? floats : doubles;
  }

  /** Returns true if the values are floats. */
  boolean isFloat() {
    return isFloat;
  }

  int length() {
    return isFloat ? floats.length : doubles.length;
  }

  /** Returns how many bytes the values take. */
  long bytes() {
    return (isFloat ? 4L : 8L) * length();
  }

  public double get(int i) {
    return isFloat ? floats[i] : doubles[i];
  }

  /** Returns the values as an array of doubles, which is empty if they are floats. */
  double[] doubles() {
    return doubles;
  }

  /** Returns the values as an array of floats, which is empty if they are doubles. */
  float[] floats() {
    return floats;
  }

  /** Writes the floats {@code from … to − 1} to {@code out[0 …]}. */
  void widen(int from, int to, double[] out) {
    for (int i = 0; i < to - from; i++) {
      out[i] = floats[from + i];
    }
  }

  /** Returns a copy of the values {@code from … to − 1}. */
  double[] copy(int from, int to) {
    if (!isFloat) {
      return Arrays.copyOfRange(doubles, from, to);
    }
    double[] copy = new double[to - from];
    widen(from, to, copy);
    return copy;
  }

  /** Returns as many values of the same type, to be written to by {@link #copy}. */
  Values ofSize(int size) {
    return isFloat ? of(new float[size]) : of(new double[size]);
  }

  /** Copies {@code size} values, starting at {@code from}, to a block under construction. */
  void copy(int from, Values to, int at, int size) {
    System.arraycopy(array(), from, to.array(), at, size);
  }

  /** Returns these values, then others of the same type. */
  Values append(Values other) {
    Values all = ofSize(length() + other.length());
    copy(0, all, 0, length());
    other.copy(0, all, length(), other.length());
    return all;
  }
}
