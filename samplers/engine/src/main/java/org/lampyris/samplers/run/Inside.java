package org.lampyris.samplers.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Kernel that never leaves a region: its target is the posterior in it, of θ alone or together with
 * its own variables z, with that posterior as the marginal.
 *
 * @param <S> θ, and z
 */
public interface Inside<S extends SamplerState> extends TransitionKernel<S> {
  /**
   * Brings a chain from a state outside to θ in the region, not modified: z is drawn from its
   * distribution given θ, with the streams of the iteration.
   */
  Transition<S> enter(S before, double[] theta, long iteration);

  /**
   * Returns the state of a chain outside the region, where z does not matter; the previous state is
   * null at the start.
   */
  S outside(@Nullable S before, Point point);

  /** Returns the figures of an iteration outside, a number for each column. */
  default List<Double> columnsOutside() {
    return List.of();
  }
}
