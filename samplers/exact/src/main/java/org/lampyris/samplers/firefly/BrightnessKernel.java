package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.lampyris.samplers.rows.EventSource.Sink;

/**
 * A Markov kernel on the brightness of rows given θ that leaves p(z_n = 1 | θ) = 1 − B_n(θ)/L_n(θ)
 * invariant, independently for each row.
 *
 * <p>An update may depend on which rows it selects only through streams that do not look at θ or z:
 * so its candidates, the rows that it looks at besides the bright ones, can be drawn beforehand.
 */
public sealed interface BrightnessKernel extends Serializable
    permits ImplicitBrightness, ExplicitBrightness {
  /** Resamples the brightness of the rows of a run of blocks: {@code rows}, modified. */
  void resample(BrightnessResampling rows, Chance chance, BrightnessUpdate update);

  /**
   * Returns for how many iterations candidates are drawn at once, at least 1: iterations 1 … W are
   * the first window, W + 1 … 2W the next.
   */
  int window();

  /**
   * Draws the candidates of some iterations from a run of blocks. Those of an iteration do not
   * depend on which others are drawn, in whichever place.
   *
   * @param candidates the chain and the streams
   * @param first the first iteration, from 1; 0 for what comes before
   * @param blocks the blocks of one place, in ascending order of their ids
   * @param sink is told each candidate; those of an iteration in ascending order
   */
  void draw(Candidates candidates, long first, int length, List<BoundBlock> blocks, Sink sink);
}
