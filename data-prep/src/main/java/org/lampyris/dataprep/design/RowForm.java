package org.lampyris.dataprep.design;

import java.io.Serializable;

/**
 * Which parts an encoded row has.
 *
 * @param weighted whether a weight follows the response
 * @param offset whether an offset follows
 * @param sparse whether only those numeric slots are there that are not zero, each with its number
 * @param grouped whether a block of rows ends with its groups
 * @param keys how many keys of levels a row ends with
 */
public record RowForm(boolean weighted, boolean offset, boolean sparse, boolean grouped, int keys)
    implements Serializable {}
