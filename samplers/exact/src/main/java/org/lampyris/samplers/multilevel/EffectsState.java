package org.lampyris.samplers.multilevel;

import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.rows.Stored;

/**
 * State of a chain with random effects.
 *
 * @param point θ, then the standard deviations and correlations of every grouping; the log density
 *     of all that is drawn, effects included, up to a constant
 * @param theta θ
 * @param phi the coordinates of each grouping's covariance
 * @param shared the effects of the groupings whose groups do not lie together
 * @param rows the state of the rows, where the effects of the other grouping are
 * @param pending how those are displaced from there; null if they are not
 * @param frame the shape of proposals
 * @param known the rows' answer here, as far as it does not depend on the covariances; null if it
 *     has to be asked for
 */
record EffectsState(
    Point point,
    double[] theta,
    double[][] phi,
    Shared shared,
    Generation rows,
    LevelEffects.@Nullable Displacement pending,
    Frame frame,
    double @Nullable [] known)
    implements SamplerState {
  /**
   * The shape of proposals.
   *
   * @param factor F, row-major
   * @param reference the θ that the shapes of groups are about
   * @param held the shape of proposals of θ with all effects as they are, in the place of F; null
   *     where there are none
   */
  record Frame(double[] factor, double[] reference, double @Nullable [] held) implements Stored {}

  /**
   * Effects held by the chain, by grouping; null for one whose groups lie together.
   *
   * @param recorders what records them
   */
  record Shared(@Nullable LevelEffects[] effects, @Nullable EffectRecorder[] recorders)
      implements Stored {}
}
