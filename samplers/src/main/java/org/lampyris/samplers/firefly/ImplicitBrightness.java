package org.lampyris.samplers.firefly;

/**
 * Implicit resampling by Metropolis–Hastings: every bright row proposes to go dark, q(0 | 1) = 1,
 * and each dark row proposes to turn bright with probability q(1 | 0) = q_n, which may differ from
 * row to row.
 *
 * <p>A bright row goes dark with probability min(1, q_n / L̃_n); a candidate turns bright with
 * probability min(1, L̃_n / q_n). Only candidates are evaluated: the bright rows' L̃_n are known
 * from the θ-update. Exact for any q_n in (0, 1].
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithm 2, where line 10 as printed turns the comparison
 * around; per-row rates are the future work of their section 5. Cost: O(bright + candidates).
 */
public final class ImplicitBrightness implements BrightnessKernel {
  private static final long serialVersionUID = 1L;

  private final CandidateRates rates;

  /** Takes the rates q_n. */
  public ImplicitBrightness(CandidateRates rates) {
    this.rates = rates;
  }

  @Override
  public void resample(
      BrightnessResampling rows, Chance chance, FireflyQuestion.BrightnessUpdate update) {
    BoundBlock block = rows.block();
    for (int i = 0; i < rows.brightCount(); i++) {
      double logRate = Math.log(rates.rate(block, rows.brightRow(i)));
      double goDark = Math.min(1, Math.exp(logRate - rows.logRatioOfBright(i)));
      if (chance.flip(goDark)) {
        rows.darken(i);
      }
    }
    chance.candidates(
        rates,
        block,
        row -> {
          if (!rows.wasBright(row)) {
            double logRatio = rows.evaluate(row);
            double turnBright = Math.min(1, Math.exp(logRatio - Math.log(rates.rate(block, row))));
            if (chance.flip(turnBright)) {
              rows.brighten(row, logRatio);
            }
          }
        });
  }
}
