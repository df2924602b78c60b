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
  private final double @Nullable [] logRates;
  private transient @Nullable HazardGuide guide;

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
      double @Nullable [] logRates) {
    if (cumulativeHazard != null && cumulativeHazard.length != data.rows()) {
      throw new IllegalArgumentException(
          cumulativeHazard.length + " hazards for " + data.rows() + " rows");
    }
    this.data = data;
    this.anchors = anchors;
    this.cumulativeHazard = cumulativeHazard;
    this.logRates = logRates;
  }

  /**
   * Returns some of the rows as a small block, with their anchors and candidate rates. Candidates
   * cannot be drawn from it.
   *
   * @param rows the rows, which become rows 0, 1, … in this order
   */
  BoundBlock select(int[] rows) {
    double[] selected = null;
    if (logRates != null || cumulativeHazard != null) {
      CandidateRates all = new CandidateRates.PerRow();
      selected = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        selected[i] = all.logRate(this, rows[i]);
      }
    }
    return new BoundBlock(data.select(rows), anchors.select(rows), null, selected);
  }

  /** Returns the rows of this block, then those of another one of the same id. */
  BoundBlock append(BoundBlock other) {
    double[] all = null;
    if (logRates != null && other.logRates != null) {
      all = Arrays.copyOf(logRates, logRates.length + other.logRates.length);
      System.arraycopy(other.logRates, 0, all, logRates.length, other.logRates.length);
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

  /** Returns log q_n of selected rows, not a copy; null where hazards or one rate tell them. */
  double @Nullable [] logRates() {
    return logRates;
  }

  /** Returns the running sum of hazards, not a copy. */
  double[] requireHazard() {
    if (cumulativeHazard == null) {
      throw new IllegalStateException("the block carries no hazards");
    }
    return cumulativeHazard;
  }

  /** Returns what finds rows by their hazards; made when it is first asked for. */
  HazardGuide hazardGuide() {
    // Two threads may both make one, of which either will do: it is immutable.
    HazardGuide made = guide;
    if (made == null) {
      made = new HazardGuide(requireHazard());
      guide = made;
    }
    return made;
  }

  /** Returns the running sum of hazards, not a copy; null where there is one rate for all rows. */
  double @Nullable [] cumulativeHazard() {
    return cumulativeHazard;
  }
}
