package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource.Sink;
import org.lampyris.samplers.rows.RowId;

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
 *
 * @param window W, for how many iterations candidates are drawn at once; another length is another
 *     use of the random numbers
 */
public record ImplicitBrightness(int window) implements BrightnessKernel {
  public ImplicitBrightness {
    if (window < 1) {
      throw new IllegalArgumentException("a window of " + window + " iterations");
    }
  }

  /** Draws candidates for windows of 64 iterations. */
  public ImplicitBrightness() {
    this(64);
  }

  @Override
  public void resample(
      BrightnessResampling rows,
      BrightnessResampling.Chance chance,
      BrightnessKernel.Update update) {
    for (int i = 0; i < rows.brightCount(); i++) {
      chance.enter(RowId.block(rows.brightRow(i)));
      double logRate = rows.logRateOfBright(i);
      double goDark = Math.min(1, StableMath.exp(logRate - rows.logRatioOfBright(i)));
      if (chance.flip(goDark)) {
        rows.darken(i);
      }
    }
    DarkCandidates dark = new DarkCandidates(rows);
    chance.candidates(update, dark);
    double[] logRatios = new double[dark.count];
    double[] logRates = new double[dark.count];
    rows.evaluate(dark.keys, dark.count, logRatios, logRates);
    for (int i = 0; i < dark.count; i++) {
      if (chance.flip(dark.numbers[i], Math.min(1, StableMath.exp(logRatios[i] - logRates[i])))) {
        rows.brighten(dark.keys[i], logRatios[i]);
      }
    }
  }

  /**
   * The candidates that are not bright already. They are gathered before any is evaluated, because
   * their rows lie scattered over memory, and the processor fetches many at once only where no
   * decision comes between them.
   */
  private static final class DarkCandidates implements LongConsumer {
    private final BrightnessResampling rows;
    private long[] keys = new long[8];
    private int[] numbers = new int[8];
    private int count;
    private int named;

    DarkCandidates(BrightnessResampling rows) {
      this.rows = rows;
    }

    @Override
    public void accept(long key) {
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
   * Draws candidates by windows: the stream of a window is keyed by (chain, window, block). The
   * cost is proportional to the number drawn, plus a constant for each block and window. Each
   * candidate comes with the number that will decide about it.
   */
  @Override
  public void draw(
      BrightnessKernel.Candidates candidates,
      long first,
      int length,
      List<BoundBlock> blocks,
      Sink sink) {
    long end = first + length;
    for (BoundBlock block : blocks) {
      for (long w = (first - 1) / window; w * window + 1 < end; w++) {
        // How many iterations the window begins before the first of these; may be negative.
        int before = (int) (first - (w * window + 1));
        UniformRandomProvider rng =
            candidates.streams().stream(
                Streams.Purpose.CANDIDATES, candidates.chain(), w, block.id());
        block
            .rates()
            .draw(
                Math.min(window, before + length),
                rng,
                (iteration, row) -> {
                  double uniform = rng.nextDouble();
                  if (iteration >= before) {
                    sink.event(iteration - before, RowId.of(block.id(), row), uniform);
                  }
                });
      }
    }
  }
}
