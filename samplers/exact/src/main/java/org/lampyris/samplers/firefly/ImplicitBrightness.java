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
 * Implicit resampling by Metropolis–Hastings: each bright row proposes to go dark with probability
 * q(0 | 1) = r, and each dark row proposes to turn bright with probability q(1 | 0) = q_n, which
 * may differ from row to row.
 *
 * <p>A bright row goes dark with probability r · min(1, q_n / (r L̃_n)) = min(r, q_n / L̃_n); a
 * candidate turns bright with probability min(1, r L̃_n / q_n). Only candidates are evaluated: the
 * bright rows' L̃_n are known from the θ-update. Exact for any q_n and r in (0, 1].
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithm 2, where line 10 as printed turns the comparison
 * around; per-row rates are the future work of their section 5. Cost: O(bright + candidates).
 *
 * @param window W, for how many iterations candidates are drawn at once; another length is another
 *     use of the random numbers
 * @param dark r, the probability that a bright row proposes to go dark. Both ways' rates grow with
 *     it, and no evaluation is saved by less than 1
 */
public record ImplicitBrightness(int window, double dark) implements BrightnessKernel {
  public ImplicitBrightness {
    if (window < 1) {
      throw new IllegalArgumentException("a window of " + window + " iterations");
    }
    if (!(dark > 0 && dark <= 1)) {
      throw new IllegalArgumentException("a probability of " + dark);
    }
  }

  /** Has every bright row propose to go dark. */
  public ImplicitBrightness(int window) {
    this(window, 1);
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
      double goDark = Math.min(dark, StableMath.exp(logRate - rows.logRatioOfBright(i)));
      if (chance.flip(goDark)) {
        rows.darken(i);
      }
    }
    DarkCandidates drawn = new DarkCandidates(rows);
    chance.candidates(update, drawn);
    double[] logRatios = new double[drawn.count];
    double[] logRates = new double[drawn.count];
    rows.evaluate(drawn.keys, drawn.count, logRatios, logRates);
    for (int i = 0; i < drawn.count; i++) {
      double turnBright = Math.min(1, dark * StableMath.exp(logRatios[i] - logRates[i]));
      if (chance.flip(drawn.numbers[i], turnBright)) {
        rows.brighten(drawn.keys[i], logRatios[i]);
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
