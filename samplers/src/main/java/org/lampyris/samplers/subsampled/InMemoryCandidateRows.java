package org.lampyris.samplers.subsampled;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.proxy.TaylorProxy;

/**
 * The rows of one chain in memory: the reference for every distributed form, and what a chain's own
 * task uses. Keeps the points of one window of iterations for each slab of heights.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryCandidateRows implements CandidateRows {
  private final TaylorProxy proxy;
  private final List<ProxyBlock> blocks;
  private final CandidateStream stream;
  private final long rows;
  private final double total;
  private final List<Slab> slabs = new ArrayList<>();

  /** A point: where its block is among the blocks, its row, and its height. */
  private record Candidate(int block, int row, double height) {}

  /** The points of a slab's present window, by the iteration's place in it. */
  private static final class Slab {
    final List<List<Candidate>> points = new ArrayList<>();
    long window = -1;

    Slab(int length) {
      for (int offset = 0; offset < length; offset++) {
        points.add(new ArrayList<>());
      }
    }
  }

  private static final Comparator<Candidate> ORDER =
      Comparator.comparingInt(Candidate::block)
          .thenComparingInt(Candidate::row)
          .thenComparingDouble(Candidate::height);

  /**
   * Takes the rows.
   *
   * @param proxy the rows' proxies
   * @param blocks the blocks in ascending order of their ids
   * @param stream draws this chain's points
   */
  public InMemoryCandidateRows(TaylorProxy proxy, List<ProxyBlock> blocks, CandidateStream stream) {
    this.proxy = proxy;
    this.blocks = List.copyOf(blocks);
    this.stream = stream;
    this.rows = blocks.stream().mapToLong(block -> block.data().rows()).sum();
    this.total = sum(ProxyBlock::total);
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public double total() {
    return total;
  }

  @Override
  public void visit(long iteration, double height, Visitor visitor) {
    List<Candidate> candidates = new ArrayList<>();
    int needed = stream.slabsTo(height);
    for (int slab = 0; slab < needed; slab++) {
      for (Candidate candidate : drawn(slab, iteration)) {
        if (candidate.height() < height) {
          candidates.add(candidate);
        }
      }
    }
    candidates.sort(ORDER);
    for (Candidate candidate : candidates) {
      ProxyBlock block = blocks.get(candidate.block());
      if (!visitor.point(block, candidate.row(), candidate.height())) {
        return;
      }
    }
  }

  /** Returns an iteration's points in a slab, drawn if its window is not at hand. */
  private List<Candidate> drawn(int number, long iteration) {
    int length = stream.windowLength(number);
    if (number == slabs.size()) {
      slabs.add(new Slab(length));
    }
    Slab slab = slabs.get(number);
    long window = iteration / length;
    if (slab.window != window) {
      slab.points.forEach(List::clear);
      for (int b = 0; b < blocks.size(); b++) {
        int block = b;
        stream.draw(
            blocks.get(b),
            number,
            window,
            (offset, row, height) ->
                slab.points.get(offset).add(new Candidate(block, row, height)));
      }
      slab.window = window;
    }
    return slab.points.get((int) (iteration % length));
  }

  @Override
  public double differences(double[] from, double[] to) {
    return sum(block -> block.differences(proxy, from, to));
  }

  private double sum(ToDoubleFunction<ProxyBlock> share) {
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (ProxyBlock block : blocks) {
      sum.add(block.id(), new double[] {share.applyAsDouble(block)});
    }
    return TreeSum.total(sum.nodes(), 1)[0];
  }
}
