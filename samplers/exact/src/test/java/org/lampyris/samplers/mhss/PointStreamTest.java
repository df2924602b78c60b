package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.Streams;

/** The points are those of the Poisson process, whatever is asked for when. */
class PointStreamTest {
  private static final double[] CONSTANTS = {0.3, 0, 1.1, 0.02, 0.6, 0.4};
  private static final int BLOCK_ROWS = 3;
  private static final int WINDOW = 16;
  private static final double THICKNESS = 0.7;

  /** A statistical test fails below this: false-alarm rate of the class below 10⁻⁵. */
  private static final double FALSE_ALARM = 1e-6;

  private record Named(long block, int row, double height) {}

  private static List<ProxyBlock> blocks() {
    List<ProxyBlock> blocks = new ArrayList<>();
    for (int b = 0; b < CONSTANTS.length / BLOCK_ROWS; b++) {
      double[] cumulative = new double[BLOCK_ROWS];
      double sum = 0;
      for (int row = 0; row < BLOCK_ROWS; row++) {
        sum += CONSTANTS[b * BLOCK_ROWS + row];
        cumulative[row] = sum;
      }
      double[] ones = {1, 1, 1};
      DataBlock data = new DenseBlock(b, 1, ones, ones, null);
      blocks.add(new ProxyBlock(data, cumulative));
    }
    return blocks;
  }

  private static InMemoryPointRows rows(List<ProxyBlock> blocks) {
    TaylorProxy proxy =
        new TaylorProxy(
            new LinearModel(new LogisticLikelihood(), 1),
            2,
            new LaplaceApproximation(new double[1], new double[] {1}),
            Double.POSITIVE_INFINITY);
    PointStream stream = new PointStream(new Streams(5), 3, WINDOW, THICKNESS);
    return new InMemoryPointRows(proxy, blocks, stream);
  }

  private static List<Named> points(PointRows rows, long iteration, double height) {
    List<Named> points = new ArrayList<>();
    rows.visit(iteration, height, (block, row, h) -> points.add(new Named(block.id(), row, h)));
    return points;
  }

  @Test
  void everyRowHasPoissonManyPointsAtUniformHeights() {
    double height = 5.3;
    int iterations = 20_000;
    long[][] counts = new long[CONSTANTS.length][12];
    List<Double> heights = new ArrayList<>();
    PointRows rows = rows(blocks());
    for (int iteration = 1; iteration <= iterations; iteration++) {
      int[] count = new int[CONSTANTS.length];
      for (Named point : points(rows, iteration, height)) {
        count[(int) point.block() * BLOCK_ROWS + point.row()]++;
        heights.add(point.height() / height);
      }
      for (int n = 0; n < CONSTANTS.length; n++) {
        counts[n][Math.min(count[n], counts[n].length - 1)]++;
      }
    }
    for (int n = 0; n < CONSTANTS.length; n++) {
      if (CONSTANTS[n] == 0) {
        assertEquals(iterations, counts[n][0], "a row that is never drawn");
      } else {
        double p = chiSquare(counts[n], PoissonDistribution.of(height * CONSTANTS[n]));
        assertTrue(p > FALSE_ALARM, "row " + n + ": p = " + p);
      }
    }
    double[] sample = heights.stream().limit(5000).mapToDouble(h -> h).toArray();
    double p = KolmogorovSmirnovTest.withDefaults().test(sample, u -> u).getPValue();
    assertTrue(p > FALSE_ALARM, "heights: p = " + p);
  }

  /** Cells with an expected count of less than 5 are put together with the next. */
  private static double chiSquare(long[] counts, PoissonDistribution distribution) {
    double total = java.util.Arrays.stream(counts).sum();
    List<Double> expected = new ArrayList<>();
    List<Long> observed = new ArrayList<>();
    double e = 0;
    long o = 0;
    for (int k = 0; k < counts.length; k++) {
      boolean last = k == counts.length - 1;
      e += total * (last ? distribution.survivalProbability(k - 1) : distribution.probability(k));
      o += counts[k];
      if (e >= 5 || last) {
        expected.add(e);
        observed.add(o);
        e = 0;
        o = 0;
      }
    }
    return ChiSquareTest.withDefaults()
        .test(
            expected.stream().mapToDouble(x -> x).toArray(),
            observed.stream().mapToLong(x -> x).toArray())
        .getPValue();
  }

  /** Neither the heights asked for before nor the order of iterations changes a point. */
  @Test
  void whatIsDrawnDoesNotDependOnWhatWasAskedFor() {
    PointRows inOrder = rows(blocks());
    PointRows jumping = rows(blocks());
    for (long iteration : new long[] {40, 3, 17, 4, 15, 16, 3}) {
      List<Named> all = points(jumping, iteration, 30);
      List<Named> low = new ArrayList<>(all);
      low.removeIf(point -> point.height() >= 0.9);
      assertEquals(low, points(inOrder, iteration, 0.9), "iteration " + iteration);
      assertEquals(all, points(inOrder, iteration, 30), "iteration " + iteration);
      assertEquals(List.of(), points(inOrder, iteration, 0));
    }
  }

  /** A block's points are its own: another block more or less changes nothing. */
  @Test
  void aBlockDoesNotKnowOfTheOthers() {
    for (long iteration = 1; iteration < 50; iteration++) {
      List<Named> all = points(rows(blocks()), iteration, 6);
      List<Named> apart = new ArrayList<>();
      for (ProxyBlock block : blocks()) {
        apart.addAll(points(rows(List.of(block)), iteration, 6));
      }
      assertEquals(all, apart, "ascending by block, row and height");
    }
  }

  @Test
  void aPointServesOneIterationAndIsNamedInOrder() {
    PointRows rows = rows(blocks());
    Set<Named> seen = new HashSet<>();
    int count = 0;
    for (long iteration = 1; iteration <= 500; iteration++) {
      List<Named> points = points(rows, iteration, 9);
      List<Named> sorted = new ArrayList<>(points);
      sorted.sort(
          java.util.Comparator.comparingLong(Named::block)
              .thenComparingInt(Named::row)
              .thenComparingDouble(Named::height));
      assertEquals(sorted, points);
      seen.addAll(points);
      count += points.size();
    }
    assertEquals(count, seen.size(), "every use is of another point");
    assertTrue(count > 5000, count + " points");
  }

  @Test
  void chainsHavePointsOfTheirOwn() {
    List<ProxyBlock> blocks = blocks();
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    Streams streams = new Streams(5);
    new PointStream(streams, 1, 4, 3)
        .draw(0, 0, 4, blocks.subList(0, 1), (offset, row, h) -> first.add(h));
    new PointStream(streams, 2, 4, 3)
        .draw(0, 0, 4, blocks.subList(0, 1), (offset, row, h) -> second.add(h));
    assertTrue(first.size() > 5 && second.size() > 5);
    assertNotEquals(first, second);
  }

  @Test
  void visitingStopsWhenNoMoreIsWanted() {
    PointRows rows = rows(blocks());
    int[] visited = new int[1];
    rows.visit(1, 20, (block, row, h) -> ++visited[0] < 3);
    assertEquals(3, visited[0]);
  }

  @Test
  void rowsTakenOutKeepTheirConstants() {
    ProxyBlock block = blocks().get(0);
    ProxyBlock taken = ProxyBlock.selection(block.data(), new double[] {0.1, 0.7, 0.2});
    assertEquals(0.7, taken.constant(1));
    assertEquals(0.2, taken.constant(2));
    assertThrows(IllegalStateException.class, taken::total);
    assertThrows(
        IllegalArgumentException.class, () -> ProxyBlock.selection(block.data(), new double[2]));
  }

  @Test
  void windowsShortenWhereSlabsThicken() {
    PointStream stream = new PointStream(new Streams(1), 1, 8, 2);
    int[] lengths = {8, 8, 4, 2, 1, 1};
    for (int slab = 0; slab < lengths.length; slab++) {
      assertEquals(lengths[slab], stream.windowLength(slab));
    }
    assertEquals(0, stream.levelsTo(0));
    assertEquals(1, stream.levelsTo(2));
    assertEquals(2, stream.levelsTo(2.1));
    assertEquals(4, stream.levelsTo(16));
    assertThrows(IllegalArgumentException.class, () -> new PointStream(new Streams(1), 1, 6, 2));
    assertThrows(IllegalArgumentException.class, () -> new PointStream(new Streams(1), 1, 8, 0));
    assertThrows(IllegalStateException.class, () -> stream.levelsTo(Double.POSITIVE_INFINITY));
  }
}
