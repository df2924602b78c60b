package org.lampyris.dataprep.design;

import java.io.Serializable;

/**
 * Which parts a row has, before it is encoded and after.
 *
 * @param weighted whether the input has a weight
 * @param trials whether the input has a number of trials, which the label's successes are a share
 *     of and which the weight is multiplied by
 * @param merged whether equal rows become one, with their number as its weight
 * @param offset whether an offset follows
 * @param sparse whether only those numeric slots are there that are not zero, each with its number
 * @param grouped whether a block of rows ends with its groups
 * @param keys how many keys of levels a row ends with
 */
public record RowForm(
    boolean weighted,
    boolean trials,
    boolean merged,
    boolean offset,
    boolean sparse,
    boolean grouped,
    int keys)
    implements Serializable {
  /** Returns whether a weight follows the response in an encoded row. */
  public boolean storesWeight() {
    return weighted || trials || merged;
  }

  /** Returns the form of rows of which equal ones become one. */
  public RowForm merging() {
    return new RowForm(weighted, trials, true, offset, sparse, grouped, keys);
  }
}
