package org.lampyris.samplers.firefly;

import java.util.Arrays;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.numeric.StableMath;

/**
 * The work space of a z-step in one block of one chain: the rows that are bright, with log L̃_n at
 * the θ of the z-step, and the changes so far.
 */
final class BrightnessResampling {
  private final BoundBlock block;
  private final LowerBound bound;
  private final int chain;
  private final double[] theta;
  private final int[] before;
  private final double[] logRatios;
  private final boolean[] darkened;
  private int evaluations;
  private int darkenedCount;
  private int[] newRows = new int[8];
  private double[] newLogRatios = new double[8];
  private int newCount;

  /**
   * Begins with the present brightness.
   *
   * @param before the bright rows, ascending
   * @param logRatios log L̃_n(θ) of the bright rows, NaN where it has to be evaluated. Modified.
   */
  BrightnessResampling(
      BoundBlock block,
      LowerBound bound,
      int chain,
      double[] theta,
      int[] before,
      double[] logRatios) {
    this.block = block;
    this.bound = bound;
    this.chain = chain;
    this.theta = theta;
    this.before = before;
    this.logRatios = logRatios;
    this.darkened = new boolean[before.length];
  }

  BoundBlock block() {
    return block;
  }

  int chain() {
    return chain;
  }

  /** Returns how many rows were bright before. */
  int brightCount() {
    return before.length;
  }

  int brightRow(int i) {
    return before[i];
  }

  /** Returns log L̃_n(θ) of the i-th row that was bright, evaluated only if it is not known yet. */
  double logRatioOfBright(int i) {
    if (Double.isNaN(logRatios[i])) {
      logRatios[i] = evaluate(before[i]);
    }
    return logRatios[i];
  }

  /** Returns which of the rows that were bright this is, or a negative number. */
  int indexOfBright(int row) {
    return Arrays.binarySearch(before, row);
  }

  boolean wasBright(int row) {
    return indexOfBright(row) >= 0;
  }

  /** Evaluates log L̃_n(θ), and counts it. */
  double evaluate(int row) {
    evaluations++;
    return StableMath.logExpm1(bound.gap(block.data(), row, theta, block.anchors()));
  }

  void darken(int i) {
    darkened[i] = true;
    darkenedCount++;
  }

  /** Turns a row bright that was dark. Rows come in ascending order. */
  void brighten(int row, double logRatio) {
    if (newCount == newRows.length) {
      newRows = Arrays.copyOf(newRows, 2 * newCount);
      newLogRatios = Arrays.copyOf(newLogRatios, 2 * newCount);
    }
    newRows[newCount] = row;
    newLogRatios[newCount++] = logRatio;
  }

  int evaluations() {
    return evaluations;
  }

  int darkenedCount() {
    return darkenedCount;
  }

  int brightenedCount() {
    return newCount;
  }

  /**
   * Returns the bright rows after the z-step.
   *
   * @param remembered log L̃_n of the rows that were bright at other θ's, carried along
   * @return what is remembered at the z-step's θ comes last, after the {@code remembered} ones
   */
  BlockBrightness after(double[][] remembered) {
    int count = before.length - darkenedCount + newCount;
    int[] rows = new int[count];
    double[][] values = new double[remembered.length + 1][count];
    int i = 0;
    int j = 0;
    for (int k = 0; k < count; ) {
      if (j < newCount && (i >= before.length || newRows[j] < before[i])) {
        rows[k] = newRows[j];
        for (int r = 0; r < remembered.length; r++) {
          values[r][k] = Double.NaN;
        }
        values[remembered.length][k] = newLogRatios[j];
        j++;
        k++;
      } else {
        if (!darkened[i]) {
          rows[k] = before[i];
          for (int r = 0; r < remembered.length; r++) {
            values[r][k] = remembered[r][i];
          }
          values[remembered.length][k] = logRatios[i];
          k++;
        }
        i++;
      }
    }
    return new BlockBrightness(rows, values);
  }
}
