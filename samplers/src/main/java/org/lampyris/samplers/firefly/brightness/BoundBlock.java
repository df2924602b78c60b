package org.lampyris.samplers.firefly.brightness;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.samplers.firefly.rates.BlockRates;
import org.lampyris.samplers.pool.RowBlock;

/**
 * A block of rows with all that Firefly keeps of them for the whole run: the anchors of their
 * bounds and, where candidates are drawn by rates, these. Shared by all chains.
 *
 * <p>Immutable by convention: the arrays are not copied.
 */
public final class BoundBlock implements RowBlock<BoundBlock> {
  private final DataBlock data;
  private final Anchors anchors;
  private final @Nullable BlockRates rates;

  /** Joins a block, its anchors and the rates of candidates; null where rows are selected. */
  public BoundBlock(DataBlock data, Anchors anchors, @Nullable BlockRates rates) {
    if (rates != null && rates.rows() != data.rows()) {
      throw new IllegalArgumentException(rates.rows() + " rates for " + data.rows() + " rows");
    }
    this.data = data;
    this.anchors = anchors;
    this.rates = rates;
  }

  @Override
  public BoundBlock select(int[] rows) {
    BlockRates selected = rates == null ? null : rates.select(rows);
    return new BoundBlock(data.select(rows), anchors.select(rows), selected);
  }

  @Override
  public BoundBlock append(BoundBlock other) {
    BlockRates all = rates == null ? null : rates.append(other.rates());
    return new BoundBlock(data.append(other.data), anchors.append(other.anchors), all);
  }

  @Override
  public DataBlock data() {
    return data;
  }

  /** Returns where the rows' bounds are tight. */
  public Anchors anchors() {
    return anchors;
  }

  /** Returns the rates of the candidates. */
  public BlockRates rates() {
    if (rates == null) {
      throw new IllegalStateException("the block has no rates of candidates");
    }
    return rates;
  }

  @Override
  public long packedBytes() {
    return data.packedBytes() + anchors.packedBytes();
  }
}
