package org.lampyris.samplers.rows;

import java.io.Serializable;

/**
 * A value that a checkpoint can hold, as {@link StoredForm} writes it: a record whose components
 * are numbers, truth values, texts, enums, arrays, lists, maps by text, and such values again. A
 * class that is no record, or has components that follow from the configuration, says which record
 * stands for it.
 */
public interface Stored extends Serializable {
  /** Returns the record that is stored; this, if it is one. */
  default Stored stored() {
    return this;
  }

  /** Returns what a record stands for that was read; this, if it was not made by another class. */
  default Stored restored() {
    return this;
  }
}
