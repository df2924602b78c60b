package org.lampyris.samplers.firefly;

import java.util.List;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.rows.EventSource.Sink;
import org.lampyris.samplers.rows.RowId;

/**
 * Explicit resampling: the brightness of each selected row is drawn from its conditional
 * distribution, z_n ~ Bernoulli(1 − B_n(θ)/L_n(θ)), a Gibbs step. The other rows stay as they are.
 * The selected rows are the candidates; they are decided about by the stream of (chain, iteration,
 * block), in ascending order.
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithm 1, lines 3 to 6, and section 3.2. Cost: what the
 * selection costs, and one evaluation for each selected row that is not bright.
 */
public record ExplicitBrightness(RowSelection selection) implements BrightnessKernel {
  @Override
  public void resample(
      BrightnessResampling rows,
      BrightnessResampling.Chance chance,
      BrightnessKernel.Update update) {
    chance.candidates(update, key -> resample(rows, chance, key));
  }

  private static void resample(
      BrightnessResampling rows, BrightnessResampling.Chance chance, long key) {
    int i = rows.indexOfBright(key);
    double logRatio = i >= 0 ? rows.logRatioOfBright(i) : rows.evaluate(key);
    chance.enter(RowId.block(key));
    // L̃ = L/B − 1, so that 1 − B/L = L̃/(1 + L̃).
    boolean bright = chance.flip(StableMath.sigmoid(logRatio));
    if (i >= 0 && !bright) {
      rows.darken(i);
    } else if (i < 0 && bright) {
      rows.brighten(key, logRatio);
    }
  }

  /** Returns 1: iterations select their rows independently of each other. */
  @Override
  public int window() {
    return 1;
  }

  @Override
  public void draw(
      BrightnessKernel.Candidates candidates,
      long first,
      int length,
      List<BoundBlock> blocks,
      Sink sink) {
    for (int i = 0; i < length; i++) {
      int offset = i;
      selection.select(
          blocks,
          candidates.chain(),
          first + i,
          candidates.selected(first + i),
          id -> sink.event(offset, id, BrightnessKernel.Candidates.NO_NUMBER));
    }
  }
}
