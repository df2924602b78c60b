package org.lampyris.samplers.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowPermutationTest {

  @Test
  void eachNumberHasAPositionOfItsOwn() {
    for (int size : new int[] {1, 2, 3, 4, 5, 16, 17, 1000, 4097}) {
      RowPermutation permutation = new RowPermutation(11, 2, 3, size);
      BitSet seen = new BitSet();
      for (int i = 0; i < size; i++) {
        seen.set(Math.toIntExact(permutation.position(i)));
      }
      assertEquals(size, seen.cardinality());
      assertEquals(size, seen.length());
    }
  }

  @Test
  void theNumberAtAPositionIsTheOneThatIsPutThere() {
    for (int size : new int[] {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 4095, 4096, 4097}) {
      RowPermutation permutation = new RowPermutation(11, 2, 3, size);
      for (int i = 0; i < size; i++) {
        assertEquals(i, permutation.numberAt(permutation.position(i)), "of " + size);
      }
    }
  }

  @Test
  void manyAtATimeAreTheSame() {
    for (int size : new int[] {1, 2, 5, 16, 17, 1000, 4097}) {
      RowPermutation permutation = new RowPermutation(11, 2, 3, size);
      int from = size / 3;
      assertArrayEquals(
          LongStream.range(from, size).map(permutation::position).toArray(),
          permutation.positions(from, size));
      assertArrayEquals(
          LongStream.range(from, size).map(permutation::numberAt).toArray(),
          permutation.numbersAt(from, size));
      assertEquals(0, permutation.positions(from, from).length);
    }
    RowPermutation ten = new RowPermutation(11, 2, 3, 10);
    assertThrows(IllegalArgumentException.class, () -> ten.positions(0, 11));
    assertThrows(IllegalArgumentException.class, () -> ten.numbersAt(-1, 3));
  }

  /** A size below a power of two walks short cycles only, one above it long ones. */
  @Test
  void positionsAndNumbersOfLargeTablesAreEachOthersInverse() {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    for (long size :
        new long[] {1_000_000, 1L << 20, (1L << 20) + 1, 1L << 40, (1L << 40) - 1, 1L << 62}) {
      RowPermutation permutation = new RowPermutation(11, 2, 3, size);
      for (int i = 0; i < 2000; i++) {
        long number = rng.nextLong(size);
        long position = permutation.position(number);
        assertTrue(position >= 0 && position < size, position + " of " + size);
        assertEquals(number, permutation.numberAt(position), "of " + size);
        assertEquals(number, permutation.position(permutation.numberAt(number)), "of " + size);
      }
    }
  }

  /**
   * The number of iterations in which two given rows are both among the first 100 of 1,000 is
   * binomial with p = 0.1 · 99/999; each of 200 pairs is within 5 standard deviations. False-alarm
   * rate: 200 · 6·10⁻⁷ = 10⁻⁴.
   */
  @Test
  void pairsAreSelectedTogetherAsOftenAsChanceHasIt() {
    int iterations = 20_000;
    int[] together = new int[200];
    for (int iteration = 0; iteration < iterations; iteration++) {
      RowPermutation permutation = new RowPermutation(5, 1, iteration, 1000);
      for (int pair = 0; pair < together.length; pair++) {
        if (permutation.position(2L * pair) < 100 && permutation.position(2L * pair + 1) < 100) {
          together[pair]++;
        }
      }
    }
    double p = 0.1 * 99 / 999;
    double sd = Math.sqrt(iterations * p * (1 - p));
    for (int count : together) {
      assertEquals(iterations * p, count, 5 * sd);
    }
  }

  /** Of five and nine rows, each pair is chosen as often: 46 comparisons at 5 sigmas. */
  @ParameterizedTest
  @ValueSource(ints = {5, 9})
  void everyPairOfFewIsChosenAsOften(int size) {
    int iterations = 200_000;
    int[] chosen = new int[size * size];
    for (int iteration = 0; iteration < iterations; iteration++) {
      long[] two = new RowPermutation(5, 1, iteration, size).numbersAt(0, 2);
      chosen[(int) (Math.min(two[0], two[1]) * size + Math.max(two[0], two[1]))]++;
    }
    double p = 2.0 / (size * (size - 1));
    double sd = Math.sqrt(iterations * p * (1 - p));
    for (int i = 0; i < size; i++) {
      for (int j = i + 1; j < size; j++) {
        assertEquals(iterations * p, chosen[i * size + j], 5 * sd, i + " and " + j);
      }
    }
  }

  @Test
  void streamsDifferByEachOfTheirKeys() {
    Streams streams = new Streams(1);
    long[] first = {
      streams.stream(Streams.Purpose.THETA, 1, 1, 0).nextLong(),
      streams.stream(Streams.Purpose.BRIGHTNESS, 1, 1, 0).nextLong(),
      streams.stream(Streams.Purpose.THETA, 2, 1, 0).nextLong(),
      streams.stream(Streams.Purpose.THETA, 1, 2, 0).nextLong(),
      streams.stream(Streams.Purpose.THETA, 1, 1, 1).nextLong(),
      new Streams(2).stream(Streams.Purpose.THETA, 1, 1, 0).nextLong()
    };
    assertEquals(first.length, java.util.Arrays.stream(first).distinct().count());
    assertEquals(first[0], new Streams(1).stream(Streams.Purpose.THETA, 1, 1, 0).nextLong());
  }

  @Test
  void aNumberOutsideIsRefused() {
    RowPermutation permutation = new RowPermutation(1, 1, 1, 10);
    assertThrows(IllegalArgumentException.class, () -> permutation.position(10));
    assertThrows(IllegalArgumentException.class, () -> permutation.numberAt(10));
    assertThrows(IllegalArgumentException.class, () -> permutation.numberAt(-1));
    assertTrue(permutation.position(9) < 10);
  }
}
