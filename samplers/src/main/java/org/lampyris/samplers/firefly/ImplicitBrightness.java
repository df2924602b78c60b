package org.lampyris.samplers.firefly;

import java.util.Arrays;
import org.lampyris.bounds.numeric.StableMath;

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

  private static final int WINDOW = 64;

  private final CandidateRates rates;
  private final int window;

  /** Takes the rates q_n, and draws candidates for windows of 64 iterations. */
  public ImplicitBrightness(CandidateRates rates) {
    this(rates, WINDOW);
  }

  /**
   * Takes the rates.
   *
   * @param rates q_n
   * @param window for how many iterations candidates are drawn at once, see {@link
   *     CandidateWindow#length}; another length is another use of the random numbers
   */
  public ImplicitBrightness(CandidateRates rates, int window) {
    if (window < 1) {
      throw new IllegalArgumentException("a window of " + window + " iterations");
    }
    this.rates = rates;
    this.window = window;
  }

  /** Returns the rates q_n. */
  public CandidateRates rates() {
    return rates;
  }

  /** Returns for how many iterations candidates are drawn at once. */
  public int window() {
    return window;
  }

  @Override
  public void resample(
      BrightnessResampling rows, Chance chance, FireflyQuestion.BrightnessUpdate update) {
    for (int i = 0; i < rows.brightCount(); i++) {
      long key = rows.brightRow(i);
      BoundBlock block = rows.blocks().get(Brightness.block(key));
      chance.enter(block);
      double logRate = rates.logRate(block, Brightness.row(key));
      double goDark = Math.min(1, StableMath.exp(logRate - rows.logRatioOfBright(i)));
      if (chance.flip(goDark)) {
        rows.darken(i);
      }
    }
    DarkCandidates dark = new DarkCandidates(rows);
    chance.candidates(this, dark);
    double[] logRatios = rows.evaluate(dark.keys, dark.count);
    for (int i = 0; i < dark.count; i++) {
      long key = dark.keys[i];
      BoundBlock block = rows.blocks().get(Brightness.block(key));
      double logRate = rates.logRate(block, Brightness.row(key));
      if (chance.flip(dark.numbers[i], Math.min(1, StableMath.exp(logRatios[i] - logRate)))) {
        rows.brighten(key, logRatios[i]);
      }
    }
  }

  /**
   * The candidates that are not bright already. They are gathered before any is evaluated, because
   * their rows lie scattered over memory, and the processor fetches many at once only where no
   * decision comes between them.
   */
  private static final class DarkCandidates implements Chance.Candidate {
    private final BrightnessResampling rows;
    private long[] keys = new long[256];
    private int[] numbers = new int[256];
    private int count;
    private int named;

    DarkCandidates(BrightnessResampling rows) {
      this.rows = rows;
    }

    @Override
    public void row(long key) {
      if (!rows.wasBright(key)) {
        if (count == keys.length) {
          keys = Arrays.copyOf(keys, 2 * count);
          numbers = Arrays.copyOf(numbers, 2 * count);
        }
        keys[count] = key;
        numbers[count++] = named;
      }
      named++;
    }
  }
}
