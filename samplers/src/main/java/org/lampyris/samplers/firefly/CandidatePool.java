package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The candidates of one chain in the iterations of a segment, from the blocks of one place,
 * together with their rows' data: what travels to the chain's task. A row that is a candidate
 * several times is there once.
 *
 * <p>Drawn in time proportional to the number of candidates, plus a constant for each block and
 * window, without a look at θ or z.
 */
public final class CandidatePool implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long first;
  private final int length;
  private final List<PooledBlock> blocks;

  private CandidatePool(long first, int length, List<PooledBlock> blocks) {
    this.first = first;
    this.length = length;
    this.blocks = blocks;
  }

  /**
   * Draws a pool.
   *
   * @param kernel the update of brightness: rates and length of a window
   * @param pass the streams
   * @param chain the chain's number
   * @param first the first iteration, from 1
   * @param length how many iterations
   * @param blocks the blocks, in ascending order of their ids
   */
  public static CandidatePool draw(
      ImplicitBrightness kernel,
      FireflyPass pass,
      int chain,
      long first,
      int length,
      Iterable<BoundBlock> blocks) {
    int window = kernel.window();
    CandidateEvents events = new CandidateEvents();
    List<PooledBlock> pooled = new ArrayList<>();
    for (BoundBlock block : blocks) {
      events.clear();
      for (long w = (first - 1) / window; w * window + 1 < first + length; w++) {
        long shift = w * window + 1 - first;
        int from = (int) Math.max(0, -shift);
        int to = (int) Math.min(window, length - shift);
        events.draw(kernel, pass.streams(), chain, w, block, 0, (int) shift, from, to);
      }
      if (events.count() > 0) {
        pooled.add(PooledBlock.of(block, events));
      }
    }
    return new CandidatePool(first, length, pooled);
  }

  /** Returns how many candidates there are. */
  public long size() {
    return blocks.stream().mapToLong(PooledBlock::candidates).sum();
  }

  long first() {
    return first;
  }

  int length() {
    return length;
  }

  List<PooledBlock> blocks() {
    return blocks;
  }
}
