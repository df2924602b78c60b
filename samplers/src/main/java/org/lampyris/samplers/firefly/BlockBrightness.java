package org.lampyris.samplers.firefly;

import java.io.Serializable;

/**
 * Which rows of one block are bright in one chain, and what is remembered of them: log L̃_n at the
 * chain's remembered θ's, so that no likelihood is evaluated twice at the same θ.
 *
 * <p>Immutable by convention: the arrays are not copied.
 */
public final class BlockBrightness implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final BlockBrightness DARK = new BlockBrightness(new int[0], new double[0][]);

  private final int[] rows;
  private final double[][] logRatios;

  /**
   * Joins the bright rows with what is remembered of them.
   *
   * @param rows the bright rows, ascending
   * @param logRatios for each remembered θ, log L̃_n of each bright row; NaN where not known
   */
  public BlockBrightness(int[] rows, double[][] logRatios) {
    this.rows = rows;
    this.logRatios = logRatios;
  }

  /** Returns a block of dark rows. */
  public static BlockBrightness dark() {
    return DARK;
  }

  /** Returns the bright rows, ascending; not a copy. */
  public int[] rows() {
    return rows;
  }

  /** Returns for each remembered θ the log L̃_n of each bright row; not a copy. */
  public double[][] logRatios() {
    return logRatios;
  }
}
