package org.lampyris.samplers.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

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
    assertTrue(permutation.position(9) < 10);
  }
}
