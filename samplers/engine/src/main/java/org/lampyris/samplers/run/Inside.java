package org.lampyris.samplers.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * A kernel that never leaves a region: its target is the posterior in it, of θ alone or together
 * with variables of its own, z, whose marginal is that posterior.
 *
 * @param <S> θ, and z
 */
public interface Inside<S extends SamplerState> extends TransitionKernel<S> {
  /**
   * Brings a chain from a state outside to θ in the region, not modified: z is drawn from its
   * distribution given θ, by the streams of the iteration.
   */
  Transition<S> enter(S before, double[] theta, long iteration);

  /**
   * Returns the state of a chain outside of the region, where z is of no account; the state before
   * is null as a chain begins.
   */
  S outside(@Nullable S before, Point point);

  /** Returns what is told of an iteration outside, a number for each column. */
  default List<Double> columnsOutside() {
    return List.of();
  }
}
