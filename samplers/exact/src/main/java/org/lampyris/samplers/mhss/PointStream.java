package org.lampyris.samplers.mhss;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.EventSource;
import org.lampyris.samplers.rows.RowId;

/**
 * Draws the points of a chain's Poisson process over (row, height), block by block: see {@link
 * PointRows}.
 *
 * <p>Slab 0 holds the heights in [0, H), slab k those in [2^(k−1)H, 2^k H). The points of a slab
 * are drawn for a window of iterations at once: Poisson(W_k · thickness · Σc_n) points, each with
 * an iteration, a height and a row drawn in proportion to c_n. W_0 = W_1 = W; from there on W_k
 * halves when the thickness doubles, so windows of all slabs hold about equally many points. A
 * stream is keyed by (chain, slab, window, block): a slab that turns out to be needed later does
 * not change what was drawn before. Cost in proportion to the points, and one stream.
 *
 * <p>W and H are part of what a seed means.
 *
 * @param streams the random streams
 * @param chain the chain's number
 * @param window W, a power of 2
 * @param thickness H, above 0: about the height that a step usually needs
 */
public record PointStream(Streams streams, int chain, int window, double thickness)
    implements EventSource<ProxyBlock> {
  /** Number of slabs: heights up to 2⁶² H. */
  static final int SLABS = 64;

  /** Checks the numbers. */
  public PointStream {
    if (window < 1
        || Integer.bitCount(window) != 1
        || !(thickness > 0)
        || Double.isInfinite(thickness)) {
      throw new IllegalArgumentException("windows of " + window + ", slabs of " + thickness);
    }
  }

  /** Returns the stream of another chain of the run. */
  public PointStream of(int other) {
    return new PointStream(streams, other, window, thickness);
  }

  @Override
  public int windowLength(int slab) {
    return slab == 0 ? window : Math.max(1, window >> Math.min(slab - 1, Integer.SIZE - 1));
  }

  /** {@inheritDoc} The first window begins at iteration 0. */
  @Override
  public long windowStart(int slab, long iteration) {
    int length = windowLength(slab);
    return iteration / length * length;
  }

  @Override
  public int levelsTo(double height) {
    int slabs = 0;
    while (top(slabs) < height) {
      slabs++;
      if (slabs == SLABS) {
        throw new IllegalStateException("no slabs extend to " + height);
      }
    }
    return slabs;
  }

  @Override
  public double limitOf(int slabs) {
    return top(slabs);
  }

  /** Returns the upper end of the slabs below the k-th: 0 for k = 0. */
  private double top(int k) {
    return k == 0 ? 0 : Math.scalb(thickness, k - 1);
  }

  @Override
  public void draw(int slab, long first, int length, List<ProxyBlock> blocks, Sink sink) {
    int window = windowLength(slab);
    for (ProxyBlock block : blocks) {
      for (long w = first / window; w * window < first + length; w++) {
        draw(block, slab, w, first, length, sink);
      }
    }
  }

  /**
   * Draws the points of one window in one block, and passes on those in the requested iterations.
   */
  private void draw(ProxyBlock block, int slab, long number, long first, int length, Sink sink) {
    double low = top(slab);
    double high = top(slab + 1);
    int iterations = windowLength(slab);
    double mean = iterations * (high - low) * block.total();
    if (!(mean > 0)) {
      return;
    }
    UniformRandomProvider rng =
        streams.stream(Streams.Purpose.CANDIDATES, chain, number * SLABS + slab, block.id());
    int points = PoissonSampler.of(rng, mean).sample();
    for (int i = 0; i < points; i++) {
      long offset = number * iterations + rng.nextInt(iterations) - first;
      int row = block.rowAt(rng.nextDouble() * block.total());
      double height = low + rng.nextDouble() * (high - low);
      if (offset >= 0 && offset < length) {
        sink.event((int) offset, RowId.of(block.id(), row), height);
      }
    }
  }

  /**
   * Size of the table, for judging the number of an iteration's points.
   *
   * @param rows how many rows the table has
   * @param total Σ_n c_n over all rows, summed along a fixed tree over block ids
   */
  public record Size(long rows, double total) implements Serializable {}

  /**
   * Heights M(θ, θ′) that steps will need, for θ drawn from the Laplace approximation and θ′
   * proposed from it. They set the thickness of a slab, and the cost of a step.
   */
  public static final class Heights {
    private static final int DRAWS = 2000;

    private final double[] sorted;

    /**
     * Draws heights.
     *
     * @param factor M(θ, θ′)
     * @param kernel proposes
     * @param laplace the Laplace approximation
     * @param rng decides
     */
    public Heights(
        ToDoubleBiFunction<double[], double[]> factor,
        ProposalKernel kernel,
        LaplaceApproximation laplace,
        UniformRandomProvider rng) {
      this.sorted = new double[DRAWS];
      Preconditioner spread = Preconditioner.of(laplace);
      for (int i = 0; i < DRAWS; i++) {
        double[] theta = kernel.start(StartingPoint.laplace(laplace.mode(), spread, 1, rng));
        sorted[i] = factor.applyAsDouble(theta, kernel.propose(theta, rng));
      }
      Arrays.sort(sorted);
    }

    /** Returns E M(θ, θ′). */
    public double mean() {
      return Arrays.stream(sorted).average().orElseThrow();
    }

    /** Returns the share of steps that need a height or more. */
    public double shareFrom(double height) {
      return Arrays.stream(sorted).filter(one -> one >= height).count() / (double) DRAWS;
    }

    /** Returns a height that hardly any step exceeds: the largest of 2,000. */
    public double largest() {
      return sorted[DRAWS - 1];
    }
  }
}
