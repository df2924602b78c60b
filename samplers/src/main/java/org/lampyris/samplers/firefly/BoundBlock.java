package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.Anchors;

/**
 * A block of rows with all that Firefly keeps of them for the whole run: the anchors of their
 * bounds and, for per-row rates, the running sum of their candidate hazards. Shared by all chains.
 *
 * <p>Immutable by convention: the arrays are not copied.
 */
public final class BoundBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  private final DataBlock data;
  private final Anchors anchors;
  private final double @Nullable [] cumulativeHazard;

  /**
   * Joins a block with its anchors.
   *
   * @param data the block
   * @param anchors its anchors
   * @param cumulativeHazard for each row the sum of −log(1 − q_n) up to and with that row, or null
   *     where candidates are drawn at one rate
   */
  public BoundBlock(DataBlock data, Anchors anchors, double @Nullable [] cumulativeHazard) {
    if (cumulativeHazard != null && cumulativeHazard.length != data.rows()) {
      throw new IllegalArgumentException(
          cumulativeHazard.length + " hazards for " + data.rows() + " rows");
    }
    this.data = data;
    this.anchors = anchors;
    this.cumulativeHazard = cumulativeHazard;
  }

  /** Returns the block's number in the table. */
  public long id() {
    return data.id();
  }

  /** Returns the rows. */
  public DataBlock data() {
    return data;
  }

  /** Returns where the rows' bounds are tight. */
  public Anchors anchors() {
    return anchors;
  }

  /** Returns the running sum of hazards, not a copy; null where there is one rate for all rows. */
  double @Nullable [] cumulativeHazard() {
    return cumulativeHazard;
  }
}
