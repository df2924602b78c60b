package org.lampyris.bounds.model;

import java.util.Arrays;
import org.lampyris.bounds.rows.DataBlock;

/** A bound of a row does not hold where it should, so that draws would be wrong. */
public final class BoundException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Says where.
   *
   * @param row the row, of {@code block}
   * @param theta θ
   * @param what which inequality fails, with its numbers
   * @param mend what of the family is to be mended
   */
  public BoundException(DataBlock block, int row, double[] theta, String what, String mend) {
    super(
        ("row %s of block %s, label %s: %s at theta = %s. The family's code is wrong, not the"
                + " table: mend %s; until then choose sampler.algorithm: metropolis.")
            .formatted(row, block.id(), block.response(row), what, Arrays.toString(theta), mend));
  }
}
