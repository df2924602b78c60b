package org.lampyris.driver.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rank counts of each chain among the draws of all chains, in cells: equal, if the chains agree.
 * Source: Vehtari et al. (2021), section 4.3.
 */
final class RankCounts {
  /** Number of cells. */
  static final int CELLS = 20;

  private RankCounts() {}

  /** Returns chains × cells, of draws as chains × iterations, which are not modified. */
  static int[][] of(double[][] draws) {
    int chains = draws.length;
    int length = draws[0].length;
    List<int[]> order = new ArrayList<>(chains * length);
    for (int i = 0; i < length; i++) {
      for (int c = 0; c < chains; c++) {
        order.add(new int[] {c, i});
      }
    }
    // Equal draws of different chains stay in turns: no chain has the lower ranks.
    order.sort(Comparator.comparingDouble(at -> draws[at[0]][at[1]]));
    int[][] counts = new int[chains][CELLS];
    for (int rank = 0; rank < order.size(); rank++) {
      counts[order.get(rank)[0]][(int) ((long) rank * CELLS / order.size())]++;
    }
    return counts;
  }

  /**
   * Returns the 95 % range by chance of counts about their expectation, for independent draws: 1.96
   * √(n p (1 − p)).
   */
  static double byChance(int perChain) {
    double p = 1.0 / CELLS;
    return 1.96 * Math.sqrt(perChain * p * (1 - p));
  }
}
