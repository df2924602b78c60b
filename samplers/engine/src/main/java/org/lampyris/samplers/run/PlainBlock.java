package org.lampyris.samplers.run;

import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.rows.RowBlock;

/** Block of rows without further data. */
public final class PlainBlock implements RowBlock<PlainBlock> {
  private final DataBlock data;

  /** Takes the rows. */
  public PlainBlock(DataBlock data) {
    this.data = data;
  }

  @Override
  public DataBlock data() {
    return data;
  }

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
