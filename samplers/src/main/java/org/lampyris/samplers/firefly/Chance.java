package org.lampyris.samplers.firefly;

import java.util.function.IntConsumer;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The random decisions of a z-step in one block. An interface so that a test can take every way
 * that the decisions can fall, and add up the exact transition matrix of the very code that runs.
 */
interface Chance {

  /** Returns true with a probability in [0, 1]. */
  boolean flip(double probability);

  /** Names each row independently with probability q_n, in ascending order. */
  void candidates(CandidateRates rates, BoundBlock block, IntConsumer candidate);

  /** Decides by a random stream. */
  static Chance of(UniformRandomProvider rng) {
    return new Chance() {
      @Override
      public boolean flip(double probability) {
        return rng.nextDouble() < probability;
      }

      @Override
      public void candidates(CandidateRates rates, BoundBlock block, IntConsumer candidate) {
        rates.draw(block, rng, candidate);
      }
    };
  }
}
