package org.lampyris.samplers.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.rows.RowStates.Generation;

/** Values as bytes and back, and bytes that are no values. */
class StoredFormTest {
  private enum Colour {
    RED,
    GREEN
  }

  /** Something of every kind. */
  @SuppressWarnings("ArrayRecordComponent") // compared by their bytes
  private record All<R extends Serializable>(
      boolean yes,
      int number,
      long large,
      double real,
      String text,
      Colour colour,
      double[] doubles,
      float[] floats,
      long[] longs,
      int[] ints,
      short[] shorts,
      byte[] bytes,
      boolean[] flags,
      double[] @Nullable [] arrays,
      List<Point> points,
      Map<String, Double> map,
      R any,
      @Nullable String nothing)
      implements Stored {}

  private record Unstored(int number) {}

  private record Holding(Object what) implements Stored {}

  private record Positive(int number) implements Stored {
    Positive {
      if (number <= 0) {
        throw new IllegalArgumentException(number + " is not positive");
      }
    }
  }

  private static All<Generation> all() {
    double nan = Double.longBitsToDouble(0x7ff8_0000_0000_1234L);
    return new All<>(
        true,
        -7,
        1L << 40,
        -0.0,
        "Käfer\n",
        Colour.GREEN,
        new double[] {1, nan, Double.MIN_VALUE, Double.NEGATIVE_INFINITY},
        new float[] {1.5f, Float.NaN},
        new long[] {Long.MIN_VALUE, 3},
        new int[] {1, 2, 3},
        new short[] {-1, 4},
        new byte[] {9},
        new boolean[] {true, false},
        new double[][] {{1, 2}, null, {}},
        List.of(new Point(new double[] {1, 2}, 3, new double[] {4, 5}), Point.at(new double[1])),
        Map.of("a", 1.0),
        new Generation(2, 11),
        null);
  }

  @SuppressWarnings("unchecked") // as it was written
  private static All<Generation> read(byte[] bytes) throws IOException {
    return StoredForm.read(All.class, bytes);
  }

  @Test
  void everyKindIsTheSameToTheBit() throws IOException {
    byte[] bytes = StoredForm.bytes(all());
    All<Generation> copy = read(bytes);
    assertArrayEquals(bytes, StoredForm.bytes(copy));
    assertEquals(0x7ff8_0000_0000_1234L, Double.doubleToRawLongBits(copy.doubles[1]));
    assertEquals(Double.doubleToRawLongBits(-0.0), Double.doubleToRawLongBits(copy.real));
    assertEquals("Käfer\n", copy.text);
    assertEquals(Colour.GREEN, copy.colour);
    assertEquals(new Generation(2, 11), copy.any);
    assertNull(copy.arrays[1]);
    assertTrue(Double.isNaN(copy.points.get(1).logDensity()));
  }

  /** The bytes of format 1, as the first version wrote them. */
  @Test
  void theFirstFormatIsRead() throws IOException {
    String record = Generation.class.getName();
    ByteBuffer bytes = ByteBuffer.allocate(200);
    bytes.put("LAMPYRIS".getBytes(StandardCharsets.US_ASCII)).putInt(1);
    bytes.put((byte) 15).putInt(record.length()).put(record.getBytes(StandardCharsets.US_ASCII));
    bytes.putInt(2);
    bytes.putInt(5).put("chain".getBytes(StandardCharsets.US_ASCII)).put((byte) 2).putInt(3);
    bytes.putInt(6).put("number".getBytes(StandardCharsets.US_ASCII)).put((byte) 3).putLong(9);
    byte[] fixture = Arrays.copyOf(bytes.array(), bytes.position());
    assertEquals(new Generation(3, 9), StoredForm.read(Generation.class, fixture));
    assertArrayEquals(fixture, StoredForm.bytes(new Generation(3, 9)));
  }

  @Test
  void bytesThatEndTooEarlyAreRefused() {
    byte[] bytes = StoredForm.bytes(all());
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IOException.class, () -> read(cut), length + " bytes");
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(IOException.class, () -> read(longer));
  }

  /** Whatever a byte becomes, it is refused or another value; nothing is made of its size. */
  @Test
  void bytesThatHaveChangedAreRefusedOrOthers() {
    byte[] bytes = StoredForm.bytes(all());
    SplittableRandom random = new SplittableRandom(51);
    int refused = 0;
    for (int k = 0; k < 20_000; k++) {
      byte[] changed = bytes.clone();
      int at = random.nextInt(bytes.length);
      changed[at] = (byte) random.nextInt(256);
      try {
        read(changed);
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 5_000, refused + " of 20,000 were refused");
  }

  /** A length of 2³¹ − 1 in a file of some bytes would take 16 GiB. */
  @Test
  void aLengthIsCheckedBeforeItIsBelieved() {
    byte[] bytes = StoredForm.bytes(new Point(new double[] {1, 2}, 3));
    ByteBuffer of = ByteBuffer.wrap(bytes);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    of.putInt(text.indexOf("theta") + 6, Integer.MAX_VALUE);
    IOException e = assertThrows(IOException.class, () -> StoredForm.read(Point.class, bytes));
    assertTrue(String.valueOf(e.getMessage()).contains("2,147,483,647 elements"), e.getMessage());
  }

  @Test
  void nothingButTheExpectedIsMade() {
    byte[] unstored =
        named(new Generation(1, 2), Generation.class.getName(), Unstored.class.getName());
    refused(unstored, Generation.class, "is nothing that a checkpoint may hold");
    refused(
        named(new Generation(1, 2), Generation.class.getName(), "java.lang.ProcessBuilder"),
        Generation.class,
        "is nothing that a checkpoint may hold");
    refused(
        named(new Generation(1, 2), Generation.class.getName(), "no.such.Class"),
        Generation.class,
        "unknown record no.such.Class");
    refused(
        named(new Generation(1, 2), "number", "chains"),
        Generation.class,
        "has other components than in this version: \"chains\" in the place of \"number\"");
    refused(StoredForm.bytes(new Generation(1, 2)), Positive.class, "");
    byte[] format = StoredForm.bytes(new Generation(1, 2));
    format[11] = 2;
    refused(format, Generation.class, "is of format 2, and this version reads format 1");
    refused("{\"json\": 1, \"x\": 2}".getBytes(StandardCharsets.UTF_8), Positive.class, "LAMPYRIS");
    byte[] negative = StoredForm.bytes(new Positive(1));
    negative[negative.length - 1] = 0;
    refused(negative, Positive.class, "0 is not positive");
  }

  /** Returns the bytes of a value in which a text is another. */
  private static byte[] named(Stored value, String text, String other) {
    byte[] bytes = StoredForm.bytes(value);
    String all = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = all.indexOf(text) - Integer.BYTES;
    ByteBuffer changed = ByteBuffer.allocate(bytes.length + other.length() - text.length());
    changed.put(bytes, 0, at).putInt(other.length());
    changed.put(other.getBytes(StandardCharsets.ISO_8859_1));
    int rest = at + Integer.BYTES + text.length();
    return changed.put(bytes, rest, bytes.length - rest).array();
  }

  private static <T extends Stored> void refused(byte[] bytes, Class<T> type, String why) {
    IOException e = assertThrows(IOException.class, () -> StoredForm.read(type, bytes));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
  }

  @Test
  void whatIsNotDataIsRefusedByItsClass() {
    for (Object what : List.of(new Unstored(1), new Object(), new Object[] {Thread.class})) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> StoredForm.bytes(new Holding(what)));
      assertTrue(String.valueOf(e.getMessage()).contains("no record that implements Stored"));
    }
  }
}
