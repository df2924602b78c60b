package org.lampyris.samplers.firefly;

import java.io.Serializable;

/**
 * A Markov kernel on the brightness of rows given θ that leaves p(z_n = 1 | θ) = 1 − B_n(θ)/L_n(θ)
 * invariant, independently for each row.
 *
 * <p>An update may depend on which rows it selects only through streams that do not look at θ or z.
 */
public sealed interface BrightnessKernel extends Serializable
    permits ImplicitBrightness, ExplicitBrightness {

  /**
   * Resamples the brightness of the rows of a run of blocks.
   *
   * @param rows the rows and their present brightness. Modified.
   * @param chance decides
   * @param update the z-step that this is part of
   */
  void resample(BrightnessResampling rows, Chance chance, FireflyQuestion.BrightnessUpdate update);
}
