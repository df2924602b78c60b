package org.lampyris.samplers.firefly;

import org.lampyris.bounds.numeric.StableMath;

/**
 * Explicit resampling: the brightness of each selected row is drawn from its conditional
 * distribution, z_n ~ Bernoulli(1 − B_n(θ)/L_n(θ)), a Gibbs step. The other rows stay as they are.
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithm 1, lines 3 to 6, and section 3.2. Cost: O(rows
 * of the block) to find the selected ones, one evaluation for each of them that is not bright.
 */
public final class ExplicitBrightness implements BrightnessKernel {
  private static final long serialVersionUID = 1L;

  private final RowSelection selection;

  /** Takes the rule that selects rows. */
  public ExplicitBrightness(RowSelection selection) {
    this.selection = selection;
  }

  @Override
  public void resample(
      BrightnessResampling rows, Chance chance, FireflyQuestion.BrightnessUpdate update) {
    selection.select(
        rows.block().data(),
        update,
        rows.chain(),
        row -> {
          int i = rows.indexOfBright(row);
          double logRatio = i >= 0 ? rows.logRatioOfBright(i) : rows.evaluate(row);
          // L̃ = L/B − 1, so that 1 − B/L = L̃/(1 + L̃).
          boolean bright = chance.flip(StableMath.sigmoid(logRatio));
          if (i >= 0 && !bright) {
            rows.darken(i);
          } else if (i < 0 && bright) {
            rows.brighten(row, logRatio);
          }
        });
  }
}
