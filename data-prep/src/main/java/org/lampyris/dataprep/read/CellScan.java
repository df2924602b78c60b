package org.lampyris.dataprep.read;

import java.io.Serializable;

/**
 * What the cells of a column hold.
 *
 * @param <S> the scan itself
 */
interface CellScan<S extends CellScan<S>> extends Serializable {
  /** Looks at a cell of a row that has a value. */
  void add(RowCells row, int column);

  /** Adds what another scan, of other rows of the same column, has seen. */
  void merge(S that);
}
