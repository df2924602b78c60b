package org.lampyris.samplers.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Brings the state of a chain's rows together, as a value.
 *
 * @param <S> the state of a place's rows in one chain
 * @param <C> what is brought together; Java-serialisable
 */
public interface RowCollector<B, S, C extends Serializable> extends Serializable {
  /** Returns what one place holds of a chain. */
  C of(Place<B> place, S state);

  /** Joins what the places hold of a chain, in the order of the places. */
  C join(List<C> places);
}
