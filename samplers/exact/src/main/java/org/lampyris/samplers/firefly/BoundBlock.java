package org.lampyris.samplers.firefly;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.rows.RowBlock;

/**
 * Block of rows with Firefly's constants for the whole run: the anchors of their bounds, and rates
 * if candidates are drawn by rates. Shared by all chains.
 *
 * <p>The bounds that are used are B_n·exp(−λ_n), with the slack λ_n a multiple of the candidate
 * rate q_n. They collapse as B_n do, λ_n being a constant. A bright row's likelihood is then never
 * 0, as L̃_n is at the anchor: θ given the brightness has no walls there, and brightness carries
 * less information on θ. Source: the slack is ours; that any bound will do, Maclaurin and Adams
 * (2014), section 2.
 *
 * <p>Immutable by convention: the arrays are not copied.
 */
public final class BoundBlock implements RowBlock<BoundBlock> {
  private final DataBlock data;
  private final Anchors anchors;
  private final @Nullable BlockRates rates;
  private final double slack;
  private final boolean certain;

  /** Joins a block, its anchors and the rates of candidates; null if rows are selected. */
  public BoundBlock(DataBlock data, Anchors anchors, @Nullable BlockRates rates) {
    this(data, anchors, rates, 0);
  }

  /** Joins the same with slack λ_n = slack·q_n, at least 0; 0 without rates. */
  public BoundBlock(DataBlock data, Anchors anchors, @Nullable BlockRates rates, double slack) {
    this(data, anchors, rates, slack, false);
  }

  /**
   * Joins the same, with slack in proportion to the hazard −log(1 − q_n) instead of q_n if that is
   * wanted: a row that is a candidate in every iteration is then practically always bright.
   */
  BoundBlock(
      DataBlock data, Anchors anchors, @Nullable BlockRates rates, double slack, boolean certain) {
    if (rates != null && rates.rows() != data.rows()) {
      throw new IllegalArgumentException(rates.rows() + " rates for " + data.rows() + " rows");
    }
    this.data = data;
    this.anchors = anchors;
    if (!(slack >= 0) || (slack > 0 && rates == null)) {
      throw new IllegalArgumentException("slack " + slack);
    }
    this.rates = rates;
    this.slack = slack;
    this.certain = certain;
  }

  @Override
  public BoundBlock select(int[] rows) {
    BlockRates selected = rates == null ? null : rates.select(rows);
    return new BoundBlock(data.select(rows), anchors.select(rows), selected, slack, certain);
  }

  @Override
  public BoundBlock append(BoundBlock other) {
    BlockRates all = rates == null ? null : rates.append(other.rates());
    return new BoundBlock(
        data.append(other.data), anchors.append(other.anchors), all, slack, certain);
  }

  @Override
  public DataBlock data() {
    return data;
  }

  /** Returns the anchors of the rows' bounds. */
  public Anchors anchors() {
    return anchors;
  }

  /** Returns the rates of the candidates. */
  public BlockRates rates() {
    if (rates == null) {
      throw new IllegalStateException("the block has no candidate rates");
    }
    return rates;
  }

  /**
   * Writes log L̃_n(θ) = log(exp(gap_n(θ) + λ_n) − 1) of some rows, and adds Σ_n ∇log L̃_n(θ) to a
   * gradient, if there is one: see {@link LowerBound#logRatios}, which has the same arguments.
   */
  public void logRatios(
      LowerBound bound,
      int[] rows,
      int from,
      int to,
      double[] theta,
      double[] out,
      double @Nullable [] gradient) {
    double[] loose = null;
    if (slack > 0) {
      loose = new double[to - from];
      for (int i = from; i < to; i++) {
        loose[i - from] = slackOf(rows[i]);
      }
    }
    bound.logRatios(data, rows, from, to, theta, anchors, loose, out, gradient);
  }

  /** Returns λ_n of a row with candidate rate q_n. */
  static double slackOf(double rate, double slack, boolean certain) {
    return slack * (certain ? BlockRates.hazard(Math.min(1, rate)) : rate);
  }

  private double slackOf(int row) {
    return slackOf(Math.exp(rates().logRate(row)), slack, certain);
  }

  @Override
  public long packedBytes() {
    return data.packedBytes() + anchors.packedBytes();
  }
}
