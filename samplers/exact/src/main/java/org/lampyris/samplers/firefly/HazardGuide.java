package org.lampyris.samplers.firefly;

/**
 * Finds the row that a cumulative hazard falls on, the first n with H_n ≥ h, in a step or two: by a
 * table of where equal pieces of the whole hazard begin, one piece for two rows, and from there row
 * by row. A binary search took most of the time of drawing candidates, for unforeseeable branches.
 *
 * <p>Immutable. Cost O(rows) to make, O(1) on average to ask where hazards are drawn uniformly.
 * Source: Chen and Asau (1974), the guide table.
 */
final class HazardGuide {
  private static final int ROWS_A_PIECE = 2;

  private final double[] hazard;
  private final int[] first;
  private final double pieces;

  /** Makes the table of H_n, ascending; not copied. */
  HazardGuide(double[] hazard) {
    this.hazard = hazard;
    this.first = new int[1 + hazard.length / ROWS_A_PIECE];
    this.pieces = first.length / hazard[hazard.length - 1];
    int row = 0;
    for (int piece = 0; piece < first.length; piece++) {
      while (row < hazard.length - 1 && hazard[row] * pieces < piece) {
        row++;
      }
      first[piece] = row;
    }
  }

  /** Returns the first row n with H_n ≥ h, or the number of rows if there is none. */
  int rowAt(double h) {
    int row = first[(int) Math.min(first.length - 1.0, h * pieces)];
    while (row > 0 && hazard[row - 1] >= h) {
      row--;
    }
    while (row < hazard.length && hazard[row] < h) {
      row++;
    }
    return row;
  }
}
