package org.lampyris.bounds.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;

class TreeSumTest {

  private static final int LENGTH = 3;

  @Test
  void everyPartitioningGivesTheBitsOfThePlainRecursion() {
    RandomGenerator random = RandomBlocks.random(11);
    for (int blocks : new int[] {1, 2, 3, 7, 8, 9, 31, 100, 257}) {
      for (double presence : new double[] {1, 0.6, 0.05}) {
        Map<Long, double[]> vectors = vectors(random, blocks, presence);
        double[] expected = recursion(vectors, 0, 9);
        for (int partitions : new int[] {1, 2, 3, 5, 8, 64, 257}) {
          List<TreeSum.Node> nodes = partitioned(random, vectors, blocks, partitions);
          assertBits(expected == null ? new double[LENGTH] : expected, nodes);
        }
      }
    }
  }

  @Test
  void orderWouldMatterWithoutTheTree() {
    Map<Long, double[]> vectors = vectors(RandomBlocks.random(12), 257, 1);
    double[] leftToRight = new double[LENGTH];
    vectors.values().forEach(v -> addTo(leftToRight, v));
    double[] expected = Objects.requireNonNull(recursion(vectors, 0, 9));
    assertNotEquals(bits(expected), bits(leftToRight));
  }

  @Test
  void aPartitionHandsOverFewNodes() {
    TreeSum sum = new TreeSum(1, 1023);
    for (long id = 1; id < 1023; id++) {
      sum.add(id, new double[] {1});
    }
    assertEquals(18, sum.nodes().size());
    assertArrayEquals(new double[] {1022}, TreeSum.total(sum.nodes(), 1));
  }

  @Test
  void nothingCanBeAddedOnceTheNodesWereAskedFor() {
    TreeSum sum = new TreeSum(0, 4);
    sum.add(0, new double[1]);
    assertEquals(1, sum.nodes().size());
    assertEquals(1, sum.nodes().size());
    assertThrows(IllegalStateException.class, () -> sum.add(1, new double[1]));
  }

  @Test
  void totalLeavesTheNodesAsTheyAre() {
    List<TreeSum.Node> nodes =
        List.of(new TreeSum.Node(0, 0, new double[] {1}), new TreeSum.Node(1, 0, new double[] {2}));
    TreeSum.total(nodes, 1);
    assertEquals(1, nodes.get(0).value()[0]);
    assertEquals(2, nodes.get(1).value()[0]);
  }

  @Test
  void nothingSumsToZeros() {
    assertArrayEquals(new double[4], TreeSum.total(List.of(), 4));
  }

  @Test
  void idsUpToTheLargestWork() {
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    sum.add(0, new double[] {1});
    sum.add(Long.MAX_VALUE - 1, new double[] {2});
    assertArrayEquals(new double[] {3}, sum.nodes().get(0).value());
    TreeSum part = new TreeSum(0, 1L << 62);
    part.add(0, new double[] {1});
    assertEquals(1, part.nodes().size());
  }

  @Test
  void blocksOutOfOrderOrOutOfRangeAreRefused() {
    TreeSum sum = new TreeSum(4, 8);
    sum.add(5, new double[1]);
    assertThrows(IllegalArgumentException.class, () -> sum.add(5, new double[1]));
    assertThrows(IllegalArgumentException.class, () -> sum.add(4, new double[1]));
    assertThrows(IllegalArgumentException.class, () -> sum.add(8, new double[1]));
    assertThrows(IllegalArgumentException.class, () -> new TreeSum(3, 2));
  }

  /** Values of very different magnitudes, so that rounding depends on the order. */
  private static Map<Long, double[]> vectors(RandomGenerator random, int blocks, double presence) {
    Map<Long, double[]> vectors = new TreeMap<>();
    for (long id = 0; id < blocks; id++) {
      if (random.nextDouble() < presence) {
        double[] v = RandomBlocks.normal(random, LENGTH, 1);
        for (int i = 0; i < LENGTH; i++) {
          v[i] *= Math.pow(10, random.nextInt(12));
        }
        vectors.put(id, v);
      }
    }
    return vectors;
  }

  private static double @Nullable [] recursion(Map<Long, double[]> vectors, long first, int level) {
    if (level == 0) {
      double[] leaf = vectors.get(first);
      return leaf == null ? null : leaf.clone();
    }
    double[] left = recursion(vectors, first, level - 1);
    double[] right = recursion(vectors, first + (1L << (level - 1)), level - 1);
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    addTo(left, right);
    return left;
  }

  /** Cuts at random places, sums each piece, and returns all nodes in random order. */
  private static List<TreeSum.Node> partitioned(
      RandomGenerator random, Map<Long, double[]> vectors, int blocks, int partitions) {
    TreeMap<Integer, Integer> cuts = new TreeMap<>(Map.of(0, 0, blocks, 0));
    for (int k = 1; k < partitions; k++) {
      cuts.put(random.nextInt(blocks + 1), 0);
    }
    List<TreeSum.Node> nodes = new ArrayList<>();
    int from = 0;
    for (int to : cuts.keySet()) {
      TreeSum sum = new TreeSum(from, to);
      for (long id = from; id < to; id++) {
        double[] v = vectors.get(id);
        if (v != null) {
          sum.add(id, v.clone());
        }
      }
      nodes.addAll(sum.nodes());
      from = to;
    }
    Collections.shuffle(nodes, new Random(random.nextLong()));
    return nodes;
  }

  private static void addTo(double[] sum, double[] v) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += v[i];
    }
  }

  private static void assertBits(double[] expected, List<TreeSum.Node> nodes) {
    assertEquals(bits(expected), bits(TreeSum.total(nodes, LENGTH)));
  }

  private static List<Long> bits(double[] v) {
    List<Long> bits = new ArrayList<>();
    for (double x : v) {
      bits.add(Double.doubleToRawLongBits(x));
    }
    return bits;
  }
}
