package org.lampyris.samplers.firefly;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.ChainQuestion;
import org.lampyris.samplers.rows.DrawnEvents;

/**
 * What a chain asks of the rows: perhaps to resample their brightness first, then Σ log L̃_n(θ)
 * over the bright rows at some points.
 *
 * <p>One question, so that z-step and evaluation of the next proposal are one pass and one job.
 *
 * @param update the z-step to make first, or null for none
 * @param thetas the points to evaluate at. Not copied, not modified.
 */
public record FireflyQuestion(
    int chain, @Nullable BrightnessUpdate update, double[][] thetas, boolean gradient)
    implements ChainQuestion {
  private static final BrightnessKernel NO_Z_STEP = new ExplicitBrightness(new RowSelection.All());

  /**
   * Returns what draws the candidates of the z-step, if there is one, from whole blocks in
   * ascending order of their ids, and what was drawn last for them and this chain.
   */
  DrawnEvents<BoundBlock> candidates(
      Streams streams, List<BoundBlock> blocks, DrawnEvents.Windows windows) {
    BrightnessKernel kernel = update == null ? NO_Z_STEP : update.kernel();
    SelectionSize size = SelectionSize.fixed(update == null ? 0 : update.selected());
    return new DrawnEvents<>(new Candidates(kernel, streams, chain, size), blocks, windows);
  }

  /** Returns how many numbers the sums of an answer are: see {@link FireflyAnswer}. */
  public int answerLength(int dimension) {
    return thetas.length * (1 + (gradient ? dimension : 0));
  }
}
