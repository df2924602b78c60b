package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
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
  private final double @Nullable [] rates;

  /**
   * Joins a block with its anchors.
   *
   * @param data the block
   * @param anchors its anchors
   * @param cumulativeHazard for each row the sum of −log(1 − q_n) up to and with that row, or null
   *     where candidates are drawn at one rate
   */
  public BoundBlock(DataBlock data, Anchors anchors, double @Nullable [] cumulativeHazard) {
    this(data, anchors, cumulativeHazard, null);
  }

  private BoundBlock(
      DataBlock data,
      Anchors anchors,
      double @Nullable [] cumulativeHazard,
      double @Nullable [] rates) {
    if (cumulativeHazard != null && cumulativeHazard.length != data.rows()) {
      throw new IllegalArgumentException(
          cumulativeHazard.length + " hazards for " + data.rows() + " rows");
    }
    this.data = data;
    this.anchors = anchors;
    this.cumulativeHazard = cumulativeHazard;
    this.rates = rates;
  }

  /**
   * Returns some of the rows as a small block, with their anchors and candidate rates. Candidates
   * cannot be drawn from it.
   *
   * @param rows the rows, which become rows 0, 1, … in this order
   */
  BoundBlock select(int[] rows) {
    double[] selectedRates = null;
    if (rates != null || cumulativeHazard != null) {
      CandidateRates all = new CandidateRates.PerRow();
      selectedRates = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        selectedRates[i] = all.rate(this, rows[i]);
      }
    }
    return new BoundBlock(data.select(rows), anchors.select(rows), null, selectedRates);
  }

  /** Returns the rows of this block, then those of another one of the same id. */
  BoundBlock append(BoundBlock other) {
    double[] all = null;
    if (rates != null && other.rates != null) {
      all = Arrays.copyOf(rates, rates.length + other.rates.length);
      System.arraycopy(other.rates, 0, all, rates.length, other.rates.length);
    }
    return new BoundBlock(data.append(other.data), anchors.append(other.anchors), null, all);
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

  /** Returns the rates of selected rows, not a copy; null where hazards or one rate tell them. */
  double @Nullable [] rates() {
    return rates;
  }

  /** Returns the running sum of hazards, not a copy; null where there is one rate for all rows. */
  double @Nullable [] cumulativeHazard() {
    return cumulativeHazard;
  }
}
