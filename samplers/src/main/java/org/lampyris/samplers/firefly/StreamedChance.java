package org.lampyris.samplers.firefly;

import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.random.Streams;

/**
 * Decides by the random streams of a run: a stream of the iteration for each block that is entered,
 * and for each candidate the number that was drawn together with it.
 */
final class StreamedChance implements Chance {
  private final Streams streams;
  private final int chain;
  private final long iteration;
  private final CandidateSource source;
  private @Nullable BoundBlock entered;
  private @Nullable UniformRandomProvider rng;
  private @Nullable CandidateWindow window;
  private int first;

  StreamedChance(Streams streams, int chain, long iteration, CandidateSource source) {
    this.streams = streams;
    this.chain = chain;
    this.iteration = iteration;
    this.source = source;
  }

  @Override
  public void enter(BoundBlock block) {
    if (block != entered) {
      entered = block;
      rng = null;
    }
  }

  @Override
  public boolean flip(double probability) {
    if (rng == null) {
      if (entered == null) {
        throw new IllegalStateException("a decision about no block");
      }
      rng = streams.stream(Streams.Purpose.BRIGHTNESS, chain, iteration, entered.id());
    }
    return rng.nextDouble() < probability;
  }

  @Override
  public void candidates(ImplicitBrightness kernel, Candidate candidate) {
    CandidateWindow drawn = source.window(kernel, chain, iteration);
    window = drawn;
    first = drawn.begin(iteration);
    int end = drawn.end(iteration);
    for (int i = first; i < end; i++) {
      candidate.row(drawn.key(i));
    }
  }

  @Override
  public boolean flip(int candidate, double probability) {
    if (window == null) {
      throw new IllegalStateException("a decision about no candidate");
    }
    return window.uniform(first + candidate) < probability;
  }
}
