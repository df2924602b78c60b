package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The bright rows of one chain, with their data, on the way from one segment to the next: a handful
 * of rows, whatever the size of the table.
 */
public final class CarriedBrightness implements Serializable {
  private static final long serialVersionUID = 1L;

  private final double[][] thetas;
  private final List<SelectedRows> blocks;
  private final double[][] logRatios;

  private CarriedBrightness(double[][] thetas, List<SelectedRows> blocks, double[][] logRatios) {
    this.thetas = thetas;
    this.blocks = blocks;
    this.logRatios = logRatios;
  }

  /**
   * Takes the bright rows out of full blocks.
   *
   * @param brightness which rows are bright
   * @param blocks the run of blocks that they are rows of
   */
  public static CarriedBrightness of(Brightness brightness, List<BoundBlock> blocks) {
    return of(brightness, (b, rows) -> SelectedRows.of(blocks.get(b), rows));
  }

  /** Takes the bright rows out of blocks that are selections themselves. */
  static CarriedBrightness ofSelected(Brightness brightness, List<SelectedRows> blocks) {
    return of(brightness, (b, rows) -> blocks.get(b).select(rows));
  }

  @FunctionalInterface
  private interface Selection {
    SelectedRows of(int block, int[] rows);
  }

  private static CarriedBrightness of(Brightness brightness, Selection selection) {
    List<SelectedRows> bright = new ArrayList<>();
    long[] keys = brightness.rows();
    for (int from = 0; from < keys.length; ) {
      int block = Brightness.block(keys[from]);
      int to = from;
      while (to < keys.length && Brightness.block(keys[to]) == block) {
        to++;
      }
      int[] rows = new int[to - from];
      for (int k = 0; k < rows.length; k++) {
        rows[k] = Brightness.row(keys[from + k]);
      }
      bright.add(selection.of(block, rows));
      from = to;
    }
    return new CarriedBrightness(brightness.thetas(), bright, brightness.logRatios());
  }

  /**
   * Joins the bright rows of several places.
   *
   * @param places one chain's bright rows at each place, in ascending order of their blocks; at
   *     least one
   */
  public static CarriedBrightness join(List<CarriedBrightness> places) {
    double[][] thetas = places.get(0).thetas;
    int count = places.stream().mapToInt(CarriedBrightness::size).sum();
    double[][] logRatios = new double[thetas.length][count];
    List<SelectedRows> blocks = new ArrayList<>();
    int at = 0;
    for (CarriedBrightness place : places) {
      blocks.addAll(place.blocks);
      for (int k = 0; k < thetas.length; k++) {
        System.arraycopy(place.logRatios[k], 0, logRatios[k], at, place.size());
      }
      at += place.size();
    }
    return new CarriedBrightness(thetas, blocks, logRatios);
  }

  /** Returns how many rows are bright. */
  public int size() {
    return blocks.stream().mapToInt(block -> block.rows().length).sum();
  }

  List<SelectedRows> blocks() {
    return blocks;
  }

  /**
   * Returns the brightness as rows of other blocks, which hold these rows too.
   *
   * @param index for each of these blocks, which of the others it is
   * @param others selections that these rows are among
   */
  Brightness among(int[] index, List<SelectedRows> others) {
    long[] keys = new long[size()];
    int at = 0;
    for (int b = 0; b < index.length; b++) {
      for (int row : blocks.get(b).rows()) {
        keys[at++] = Brightness.key(index[b], others.get(index[b]).indexOf(row));
      }
    }
    return new Brightness(thetas, keys, logRatios);
  }
}
