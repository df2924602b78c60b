package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.Rows;

/**
 * A z-step.
 *
 * @param theta the θ that it is resampled given. Not modified.
 * @param iteration the iteration, which keys the random stream
 * @param selected how many rows an explicit update selects; not used by the others
 */
public record BrightnessUpdate(
    BrightnessKernel kernel, double[] theta, long iteration, long selected)
    implements Serializable {
  /** Returns a draw of the brightness of every row from its distribution given θ. */
  public static BrightnessUpdate ofAllRows(double[] theta, long iteration) {
    return new BrightnessUpdate(
        new ExplicitBrightness(new RowSelection.All()), theta, iteration, 0);
  }

  /** Returns whether it resamples every row, so that all of them have to be at hand. */
  public boolean isOfAllRows() {
    return kernel instanceof ExplicitBrightness explicit
        && explicit.selection() instanceof RowSelection.All;
  }

  /** Makes the z-step for the rows at hand; returns what it led to and took. */
  public BrightnessResampling resample(
      Rows<BoundBlock> rows,
      LowerBound bound,
      Brightness before,
      Streams streams,
      int chain,
      RowEvents candidates) {
    BrightnessResampling resampling =
        new BrightnessResampling(rows, bound, theta, before, before.known(theta));
    kernel.resample(resampling, new StreamedChance(streams, chain, iteration, candidates), this);
    return resampling;
  }
}
