package org.lampyris.dataprep.scan;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of a column hold.
 *
 * @param <S> the scan itself
 */
interface CellScan<S extends CellScan<S>> extends Serializable {
  void add(@Nullable Object cell);

  /** Adds what another scan, of other rows of the same column, has seen. */
  void merge(S that);
}
