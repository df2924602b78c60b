package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowEvents;

/**
 * Decides by the random streams of a run: by the number that was drawn together with a candidate,
 * if any, else by a stream of the iteration for each block that is entered.
 */
final class StreamedChance implements Chance {
  private static final long NO_BLOCK = -1;

  private final Streams streams;
  private final int chain;
  private final long iteration;
  private final RowEvents candidates;
  private long entered = NO_BLOCK;
  private @Nullable UniformRandomProvider rng;
  private double[] numbers = new double[64];
  private int named;

  StreamedChance(Streams streams, int chain, long iteration, RowEvents candidates) {
    this.streams = streams;
    this.chain = chain;
    this.iteration = iteration;
    this.candidates = candidates;
  }

  @Override
  public void enter(long block) {
    if (block != entered) {
      entered = block;
      rng = null;
    }
  }

  @Override
  public boolean flip(double probability) {
    if (rng == null) {
      if (entered == NO_BLOCK) {
        throw new IllegalStateException("a decision about no block");
      }
      rng = streams.stream(Streams.Purpose.BRIGHTNESS, chain, iteration, entered);
    }
    return rng.nextDouble() < probability;
  }

  @Override
  public void candidates(BrightnessUpdate update, LongConsumer candidate) {
    named = 0;
    candidates.visit(
        update.iteration(),
        Double.POSITIVE_INFINITY,
        (row, number) -> {
          if (named == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * named);
          }
          numbers[named++] = number;
          candidate.accept(row);
          return true;
        });
  }

  @Override
  public boolean flip(int candidate, double probability) {
    if (candidate >= named) {
      throw new IllegalStateException("a decision about no candidate");
    }
    return numbers[candidate] < probability;
  }
}
