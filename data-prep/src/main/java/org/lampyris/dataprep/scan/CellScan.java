package org.lampyris.dataprep.scan;

import java.io.Serializable;

/**
 * What the cells of a column hold.
 *
 * @param <S> the scan itself
 */
interface CellScan<S extends CellScan<S>> extends Serializable {
  /** Looks at a cell that has a value. */
  void add(Object cell);

  /** Adds what another scan, of other rows of the same column, has seen. */
  void merge(S that);
}
