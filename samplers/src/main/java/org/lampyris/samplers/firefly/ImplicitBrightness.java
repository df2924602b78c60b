package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.random.Streams;

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
   * @param window W, for how many iterations candidates are drawn at once, see {@link
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

  @Override
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
    chance.candidates(update, dark);
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

  /**
   * Draws candidates by windows: the stream of a window is keyed by (chain, window, block), which
   * makes the cost proportional to what is drawn, plus a constant for each block and window. Each
   * candidate comes with the number that will decide about it.
   */
  @Override
  public void draw(CandidateIterations iterations, List<BoundBlock> blocks, CandidateSink sink) {
    long first = iterations.first();
    long end = first + iterations.length();
    for (int b = 0; b < blocks.size(); b++) {
      for (long w = (first - 1) / window; w * window + 1 < end; w++) {
        int before = (int) (first - (w * window + 1));
        drawWindow(iterations, w, before, blocks.get(b), b, sink);
      }
    }
  }

  /**
   * Draws the candidates of one window in one block, and tells those of the iterations asked for.
   *
   * @param before how many iterations the window begins before the first of these; may be negative
   */
  private void drawWindow(
      CandidateIterations iterations,
      long number,
      int before,
      BoundBlock block,
      int index,
      CandidateSink sink) {
    UniformRandomProvider rng =
        iterations.streams().stream(
            Streams.Purpose.CANDIDATES, iterations.chain(), number, block.id());
    rates.draw(
        block,
        Math.min(window, before + iterations.length()),
        rng,
        (iteration, row) -> {
          double uniform = rng.nextDouble();
          if (iteration >= before) {
            sink.candidate(iteration - before, Brightness.key(index, row), uniform);
          }
        });
  }
}
