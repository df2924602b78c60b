package org.lampyris.samplers.shards.combination;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Registered;

/** Combination of the draws from every shard's subposterior into draws of the posterior. */
public interface Combination extends Registered {
  /** Density that every shard's chains sample. */
  enum Subposterior {
    /** f_s(θ) ∝ p(θ)^(1/S) L_s(θ): their product is the posterior. */
    TEMPERED,
    /** f_s(θ) ∝ p(θ) L_s(θ)^S: each is as narrow as the posterior, and about as wrong. */
    RAISED
  }

  /** Returns which draws it is made for. */
  default Subposterior subposterior() {
    return Subposterior.TEMPERED;
  }

  /** Returns whether its draws are from the posterior for any subposteriors. */
  default boolean isExact() {
    return false;
  }

  /**
   * Combines the draws of two or more shards.
   *
   * @param draws of each shard. Not modified.
   */
  Combined combine(Subposteriors draws, Setting setting);

  /**
   * Settings of a combination.
   *
   * @param bandwidth h, in standard deviations of the subposteriors, of those that smooth; null for
   *     their own
   * @param rounds of those that go back to the rows
   * @param damping the share of an update that expectation propagation makes
   * @param rows what goes back to the rows
   */
  record Setting(
      @Nullable Double bandwidth,
      int rounds,
      double damping,
      Randomness randomness,
      ShardRows rows) {}

  /** The random numbers of a combination. */
  @FunctionalInterface
  interface Randomness {
    /** Starts the stream of a chain, from 1; 0 for numbers that belong to no chain. */
    UniformRandomProvider chain(int chain);
  }

  /**
   * Result of a combination.
   *
   * @param draws chains × draws × d, as many as each shard has
   * @param acceptance the share of what was proposed that was taken, by chains; NaN where nothing
   *     is proposed
   * @param notes what is to be known, a line each
   */
  record Combined(double[][][] draws, double[] acceptance, List<String> notes) {
    /** Copies the list. */
    public Combined {
      notes = List.copyOf(notes);
    }
  }
}
