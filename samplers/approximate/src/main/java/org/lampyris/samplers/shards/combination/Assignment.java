package org.lampyris.samplers.shards.combination;

import java.util.Arrays;

/**
 * Assignment problem: the permutation π that minimises Σ_i cost[i][π(i)], an optimal transport plan
 * between two sets of equally many points with equal weights.
 *
 * <p>Rows are assigned in turn, each by a shortest augmenting path, found by Dijkstra's algorithm
 * on the reduced costs cost[i][j] − u_i − v_j ≥ 0, which are 0 on assigned pairs. Cost O(m³).
 *
 * <p>Source: Jonker and Volgenant (1987), "A shortest augmenting path algorithm for dense and
 * sparse linear assignment problems", Computing 38, their augmentation phase.
 */
final class Assignment {
  private static final int NONE = -1;

  private final double[][] cost;
  private final double[] rowPrice;
  private final double[] columnPrice;
  private final int[] columnOf;
  private final int[] rowOf;

  private Assignment(double[][] cost) {
    this.cost = cost;
    rowPrice = new double[cost.length];
    columnPrice = new double[cost.length];
    columnOf = new int[cost.length];
    rowOf = new int[cost.length];
    Arrays.fill(columnOf, NONE);
    Arrays.fill(rowOf, NONE);
  }

  /** Returns π, the column of each row, of finite costs, m × m. Not modified. */
  static int[] of(double[][] cost) {
    Assignment assignment = new Assignment(cost);
    for (int row = 0; row < cost.length; row++) {
      assignment.assign(row);
    }
    return assignment.columnOf;
  }

  private void assign(int start) {
    int m = cost.length;
    double[] distance = new double[m];
    int[] from = new int[m];
    boolean[] settled = new boolean[m];
    Arrays.fill(distance, Double.POSITIVE_INFINITY);
    double length = 0;
    int row = start;
    int column;
    do {
      int nearest = NONE;
      for (int j = 0; j < m; j++) {
        if (settled[j]) {
          continue;
        }
        double through = length + cost[row][j] - rowPrice[row] - columnPrice[j];
        if (through < distance[j]) {
          distance[j] = through;
          from[j] = row;
        }
        if (nearest == NONE || distance[j] < distance[nearest]) {
          nearest = j;
        }
      }
      column = nearest;
      settled[column] = true;
      length = distance[column];
      row = rowOf[column];
    } while (row != NONE);
    rowPrice[start] += length;
    for (int j = 0; j < m; j++) {
      if (settled[j]) {
        columnPrice[j] -= length - distance[j];
        if (j != column) {
          rowPrice[rowOf[j]] += length - distance[j];
        }
      }
    }
    augment(start, column, from);
  }

  /** Assigns along the path that ends at a free column. */
  private void augment(int start, int end, int[] from) {
    int column = end;
    int row;
    do {
      row = from[column];
      rowOf[column] = row;
      int freed = columnOf[row];
      columnOf[row] = column;
      column = freed;
    } while (row != start);
  }
}
