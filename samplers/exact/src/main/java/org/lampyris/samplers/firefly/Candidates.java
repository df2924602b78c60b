package org.lampyris.samplers.firefly;

import java.util.List;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;

/**
 * The candidates of a chain's z-steps as events: the rows that may turn bright, or are selected,
 * each with the uniform number that will decide about it, or {@link #NO_NUMBER}.
 *
 * @param size how many rows of the table an explicit update selects in an iteration
 */
public record Candidates(BrightnessKernel kernel, Streams streams, int chain, SelectionSize size)
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
