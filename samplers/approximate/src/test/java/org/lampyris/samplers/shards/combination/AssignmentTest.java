package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private static final long SEED = 23;

  private static double cost(double[][] cost, int[] columns) {
    double sum = 0;
    for (int i = 0; i < columns.length; i++) {
      sum += cost[i][columns[i]];
    }
    return sum;
  }

  /** Returns the least cost over all ways to go on from a row. */
  private static double least(double[][] cost, int row, int taken) {
    if (row == cost.length) {
      return 0;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < cost.length; j++) {
      if ((taken & 1 << j) == 0) {
        least = Math.min(least, cost[row][j] + least(cost, row + 1, taken | 1 << j));
      }
    }
    return least;
  }

  @Test
  void costsNoMoreThanAnyPermutation() {
    UniformRandomProvider rng = Shards.rng(SEED, 1);
    for (int run = 0; run < 700; run++) {
      int m = 1 + run % 7;
      double[][] cost = new double[m][m];
      for (double[] row : cost) {
        // Every other case has few different costs, negative ones, too: many ties.
        boolean ties = run % 2 == 0;
        Arrays.setAll(row, j -> ties ? rng.nextInt(4) - 1 : rng.nextDouble());
      }
      int[] columns = Assignment.of(cost);
      int[] sorted = columns.clone();
      Arrays.sort(sorted);
      for (int j = 0; j < m; j++) {
        assertEquals(j, sorted[j], () -> Arrays.toString(columns));
      }
      assertEquals(least(cost, 0, 0), cost(cost, columns), 1e-12, () -> Arrays.deepToString(cost));
    }
  }

  /** On a line, optimal transport for squared distances keeps the order. */
  @Test
  void keepsTheOrderOnALine() {
    UniformRandomProvider rng = Shards.rng(SEED, 2);
    double[] from = rng.doubles(250).toArray();
    double[] to = rng.doubles(250).map(x -> 5 * x * x).toArray();
    double[][] cost = new double[from.length][to.length];
    for (int i = 0; i < from.length; i++) {
      for (int j = 0; j < to.length; j++) {
        cost[i][j] = (from[i] - to[j]) * (from[i] - to[j]);
      }
    }
    double expected = 0;
    double[] sortedFrom = Arrays.stream(from).sorted().toArray();
    double[] sortedTo = Arrays.stream(to).sorted().toArray();
    for (int i = 0; i < from.length; i++) {
      expected += Math.pow(sortedFrom[i] - sortedTo[i], 2);
    }
    assertEquals(expected, cost(cost, Assignment.of(cost)), 1e-9);
  }
}
