package org.lampyris.bounds.model;

import java.util.Arrays;
import org.lampyris.bounds.rows.DataBlock;

/** Violated bound of a row, which would make draws wrong. */
public final class BoundException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the message with the row and θ.
   *
   * @param row the row, of {@code block}
   * @param theta θ
   * @param what which inequality fails, with its numbers
   * @param mend what of the family is to be mended
   */
  public BoundException(DataBlock block, int row, double[] theta, String what, String mend) {
    super(
        ("row %s of block %s, label %s: %s at theta = %s. The family's code is wrong, not the"
                + " table. Correct %s. Until then set sampler.algorithm: metropolis.")
            .formatted(row, block.id(), block.response(row), what, Arrays.toString(theta), mend));
  }
}
