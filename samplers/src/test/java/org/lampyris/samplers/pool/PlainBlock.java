package org.lampyris.samplers.pool;

import org.lampyris.bounds.block.DataBlock;

/** Rows of which nothing is kept but their data. */
record PlainBlock(DataBlock data) implements RowBlock<PlainBlock> {
  @Override
  public PlainBlock select(int[] rows) {
    return new PlainBlock(data.select(rows));
  }

  @Override
  public PlainBlock append(PlainBlock other) {
    return new PlainBlock(data.append(other.data));
  }

  @Override
  public long packedBytes() {
    return data.packedBytes();
  }
}
