package org.lampyris.samplers.subsampled;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.lampyris.samplers.random.Streams;

/**
 * Draws the points of a chain's Poisson process over (row, height), block by block: see {@link
 * CandidateRows}.
 *
 * <p>Slab 0 holds the heights in [0, H), slab k those in [2^(k−1)H, 2^k H). The points of a slab
 * are drawn for a window of iterations at once: Poisson(W_k · thickness · Σc_n) of them, each at an
 * iteration, a height and, in proportion to c_n, a row of its own. W_0 = W_1 = W, and from there on
 * W_k halves where the thickness doubles, so that a window of any slab holds about as many points
 * as one of the first. A stream is keyed by (chain, slab, window, block): a slab that turns out to
 * be needed later does not change what was drawn before. Cost in proportion to the points, and one
 * stream.
 *
 * <p>W and H are part of what a seed means.
 *
 * @param streams the random streams
 * @param chain the chain's number
 * @param window W, a power of 2
 * @param thickness H, above 0: about the height that a step usually needs
 */
public record CandidateStream(Streams streams, int chain, int window, double thickness)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How many slabs there are: heights up to 2⁶² H. */
  static final int SLABS = 64;

  /** Told of points. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes a point.
     *
     * @param offset the iteration's place in the window, from 0
     * @param row the row in the block
     * @param height the height
     */
    void point(int offset, int row, double height);
  }

  /** Checks the numbers. */
  public CandidateStream {
    if (window < 1
        || Integer.bitCount(window) != 1
        || !(thickness > 0)
        || Double.isInfinite(thickness)) {
      throw new IllegalArgumentException("windows of " + window + ", slabs of " + thickness);
    }
  }

  /** Returns how many iterations a window of a slab holds. */
  public int windowLength(int slab) {
    return slab == 0 ? window : Math.max(1, window >> Math.min(slab - 1, Integer.SIZE - 1));
  }

  /** Returns how many slabs it takes to reach a height. */
  public int slabsTo(double height) {
    int slabs = 0;
    while (top(slabs) < height) {
      slabs++;
      if (slabs == SLABS) {
        throw new IllegalStateException("no slabs reach up to " + height);
      }
    }
    return slabs;
  }

  /** Returns up to which height some slabs reach. */
  public double heightOf(int slabs) {
    return top(slabs);
  }

  /** Returns where the slabs below the k-th end: 0 for k = 0. */
  private double top(int k) {
    return k == 0 ? 0 : Math.scalb(thickness, k - 1);
  }

  /**
   * Draws the points of a block.
   *
   * @param block the block
   * @param slab the slab, from 0
   * @param number which window: the iterations from {@code number} times the {@linkplain
   *     #windowLength length} on
   * @param sink told of the points, in no useful order
   */
  public void draw(ProxyBlock block, int slab, long number, Sink sink) {
    double low = top(slab);
    double high = top(slab + 1);
    int length = windowLength(slab);
    double mean = length * (high - low) * block.total();
    if (!(mean > 0)) {
      return;
    }
    UniformRandomProvider rng =
        streams.stream(Streams.Purpose.CANDIDATES, chain, number * SLABS + slab, block.id());
    int points = PoissonSampler.of(rng, mean).sample();
    for (int i = 0; i < points; i++) {
      int offset = rng.nextInt(length);
      int row = block.rowAt(rng.nextDouble() * block.total());
      sink.point(offset, row, low + rng.nextDouble() * (high - low));
    }
  }
}
