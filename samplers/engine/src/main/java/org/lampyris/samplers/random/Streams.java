package org.lampyris.samplers.random;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.Philox4x64;

/**
 * The random streams of a run: one counter-based generator for each (seed, purpose, chain,
 * iteration, block).
 *
 * <p>A stream's numbers depend on nothing else, so a task that is retried, duplicated or moved
 * computes the same thing.
 *
 * <p>Philox 4×64 with 10 rounds (Salmon, Moraes, Dror and Shaw, 2011): the key is (seed, purpose
 * and chain), the counter's upper words are (block, iteration), and its lowest word counts within
 * the stream, which may have 2⁶⁶ numbers. Making a stream costs about as much as ten numbers.
 */
public record Streams(long seed) implements Serializable {
  /** Purpose of a stream. Its number is part of what a seed means and never changes. */
  public enum Purpose {
    /** The starting point of a chain. */
    INITIAL(0),
    /** The proposals and decisions of a θ-kernel. */
    THETA(1),
    /** The updates of brightness, one stream a block. */
    BRIGHTNESS(2),
    /** The rows that an explicit update of brightness selects. */
    SELECTION(3),
    /** The candidates of a window of iterations, one stream a block; keyed by the window. */
    CANDIDATES(4),
    /** Moves across the edge of a bound's region, and outside it. */
    CROSSING(5),
    /** The seeds of chains on the shards of a table, one a shard; keyed by the round. */
    SHARD(6),
    /** Combination of the draws of shards. */
    COMBINATION(7),
    /** The steps of effects of groups that lie together, one stream a block. */
    EFFECTS(8),
    /** The steps of effects of other groups, one stream a grouping. */
    LEVELS(9),
    /** The labels of rows in a mixture, one stream a block. */
    LABELS(10),
    /** Clusters that no row had before, one stream a cluster in place of a block. */
    CLUSTERS(11),
    /** The particles of a series' states, one stream a block. */
    PARTICLES(12),
    /** The rows on which a model is checked or compared, one stream a block. */
    PREDICTIVE_ROWS(13),
    /** Responses that are predicted, one stream for the hash of a row in place of a block. */
    RESPONSES(14),
    /** Effects of groups that a model has not seen, one stream for a level's key. */
    NEW_LEVELS(15),
    /** The rows of the first mode search, one stream a block. */
    MODE_ROWS(16),
    /** Initial directions for the curvature of a posterior. */
    CURVATURE(17),
    /** Responses that a model replicates, one stream a row of a sample in place of a block. */
    REPLICATES(18),
    /** Draws of the normal density of a bridge to the evidence. */
    BRIDGE(19);

    private final int number;

    Purpose(int number) {
      this.number = number;
    }
  }

  /**
   * Starts the stream of an iteration of a chain, from 1: for all draws of the iteration at the
   * chain, but not at the rows. Who knows what it draws first can draw that again.
   */
  public UniformRandomProvider iteration(int chain, long iteration) {
    return stream(Purpose.THETA, chain, iteration, 0);
  }

  /**
   * Begins a stream.
   *
   * @param purpose what it is for
   * @param iteration the iteration, 0 for what comes before the first
   * @param block the block's id, 0 for what is no block's
   */
  public UniformRandomProvider stream(Purpose purpose, int chain, long iteration, long block) {
    long purposeAndChain = (long) purpose.number << 32 | Integer.toUnsignedLong(chain);
    return new Philox4x64(new long[] {seed, purposeAndChain, 0, block, iteration, 0});
  }
}
