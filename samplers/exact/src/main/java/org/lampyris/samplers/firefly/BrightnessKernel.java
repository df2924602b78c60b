package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.EventSource.Sink;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.Rows;

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
  void resample(BrightnessResampling rows, BrightnessResampling.Chance chance, Update update);

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

  /**
   * A z-step.
   *
   * @param theta the θ that it is resampled given. Not modified.
   * @param iteration the iteration, which keys the random stream
   * @param selected how many rows an explicit update selects; not used by the others
   */
  record Update(BrightnessKernel kernel, double[] theta, long iteration, long selected)
      implements Serializable {
    /** Returns a draw of the brightness of every row from its distribution given θ. */
    public static Update ofAllRows(double[] theta, long iteration) {
      return new Update(new ExplicitBrightness(new RowSelection.All()), theta, iteration, 0);
    }

    /** Returns whether it resamples every row, so that all of them have to be at hand. */
    public boolean isOfAllRows() {
      return kernel instanceof ExplicitBrightness explicit
          && explicit.selection() instanceof RowSelection.All;
    }

    /** Makes the z-step for the rows at hand; returns what it led to and took. */
    public BrightnessResampling resample(
        Rows<BoundBlock> rows,
        LowerBound bound,
        Brightness before,
        Streams streams,
        int chain,
        RowEvents candidates) {
      BrightnessResampling resampling =
          new BrightnessResampling(rows, bound, theta, before, before.known(theta));
      kernel.resample(
          resampling,
          new BrightnessResampling.Streamed(streams, chain, iteration, candidates),
          this);
      return resampling;
    }
  }

  /**
   * The candidates of a chain's z-steps as events: the rows that may turn bright, or are selected,
   * each with the uniform number that will decide about it, or {@link #NO_NUMBER}.
   *
   * @param size how many rows of the table an explicit update selects in an iteration
   */
  record Candidates(BrightnessKernel kernel, Streams streams, int chain, RowSelection.Size size)
      implements EventSource<BoundBlock> {
    /** Stands for the number of a candidate that is decided about by its block's stream. */
    public static final double NO_NUMBER = -1;

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public int windowLength(int level) {
      return kernel.window();
    }

    /** {@inheritDoc} The first window begins at iteration 1. */
    @Override
    public long windowStart(int level, long iteration) {
      return Math.floorDiv(iteration - 1, (long) kernel.window()) * kernel.window() + 1;
    }

    @Override
    public void draw(int level, long first, int length, List<BoundBlock> blocks, Sink sink) {
      kernel.draw(this, first, length, blocks, sink);
    }

    /** Returns how many rows an explicit update selects in an iteration. */
    long selected(long iteration) {
      return size.of(streams, chain, iteration);
    }
  }
}
