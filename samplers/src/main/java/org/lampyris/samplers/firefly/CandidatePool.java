package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The candidates of one chain in the iterations of a segment, from the blocks of one place,
 * together with their rows' data: what travels to the chain's task. A row that is a candidate
 * several times is there once.
 *
 * <p>Drawn without a look at θ or z, in time proportional to the number of candidates, plus a
 * constant for each block and window where these come by rates; where rows are selected, the number
 * is that of the whole table, see {@link RowSelection.Random}.
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
   * @param zStep the update of brightness
   * @param pass the streams
   * @param chain the chain's number
   * @param first the first iteration, from 1
   * @param length how many iterations
   * @param blocks the blocks of one place, in ascending order of their ids
   */
  public static CandidatePool draw(
      FireflyKernel.ZStep zStep,
      FireflyPass pass,
      int chain,
      long first,
      int length,
      List<BoundBlock> blocks) {
    CandidateEvents events = new CandidateEvents();
    zStep
        .kernel()
        .draw(
            new CandidateIterations(pass.streams(), chain, first, length, zStep.selected()),
            blocks,
            events);
    int[] start = new int[blocks.size() + 1];
    int[] order = events.byBlock(start);
    List<PooledBlock> pooled = new ArrayList<>();
    for (int b = 0; b < blocks.size(); b++) {
      if (start[b] < start[b + 1]) {
        pooled.add(PooledBlock.of(blocks.get(b), events, order, start[b], start[b + 1]));
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
