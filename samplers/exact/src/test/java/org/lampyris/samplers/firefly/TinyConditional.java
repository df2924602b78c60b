package org.lampyris.samplers.firefly;

import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.kernel.LogDensity;

/**
 * Firefly's conditional density of θ for each set of bright rows of the {@link TinyModel},
 * evaluated by the code that samples: for tests of θ-kernels.
 */
public final class TinyConditional {
  private TinyConditional() {}

  /**
   * Returns log p(θ | z, data) up to a constant.
   *
   * @param set the bright rows as bits
   */
  public static LogDensity of(int set) {
    int[] bright = TinyModel.rows(set);
    FireflyRows<Brightness> rows =
        new ScriptedRows(
            (before, question) ->
                new FireflyRows.Answered<>(before, TinyModel.answer(question, bright)));
    return of(TinyModel.prior(), TinyModel.collapsed(), rows, Brightness.dark());
  }

  /** Returns the density given the brightness of some rows, without a z-step. */
  static LogDensity of(
      Prior prior,
      CollapsedQuadratic collapsed,
      FireflyRows<Brightness> rows,
      Brightness brightness) {
    FireflyKernel.ZStep none =
        new FireflyKernel.ZStep(new ImplicitBrightness(), RowSelection.Size.fixed(0));
    return new FireflyKernel<>(1, prior, collapsed, rows, none, 1).given(brightness);
  }
}
