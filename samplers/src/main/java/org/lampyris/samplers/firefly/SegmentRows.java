package org.lampyris.samplers.firefly;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rows that one chain needs for a segment: those that are bright when it begins, and the
 * candidates of its iterations. They answer as the whole table would, to the bit.
 */
final class SegmentRows {
  private final List<SelectedRows> blocks;
  private final InMemoryFireflyRows rows;

  /**
   * Brings the rows together.
   *
   * @param pools the chain's pool from each place, in any order; at least one
   * @param bright the bright rows
   * @param pass answers for blocks
   */
  SegmentRows(List<CandidatePool> pools, CarriedBrightness bright, FireflyPass pass) {
    List<PooledBlock> pooled = new ArrayList<>();
    pools.forEach(pool -> pooled.addAll(pool.blocks()));
    pooled.sort(Comparator.comparingLong(block -> block.selected().block().id()));
    this.blocks = new ArrayList<>();
    int[] ofPooled = new int[pooled.size()];
    int[] ofBright = new int[bright.blocks().size()];
    merge(pooled, bright.blocks(), ofPooled, ofBright);
    CandidateWindow window = window(pools.get(0), pooled, ofPooled);
    this.rows =
        new InMemoryFireflyRows(
            blocks.stream().map(SelectedRows::block).toList(),
            pass,
            window,
            bright.among(ofBright, blocks));
  }

  /** Merges the blocks by their ids, and notes where each has gone. */
  private void merge(
      List<PooledBlock> pooled, List<SelectedRows> bright, int[] ofPooled, int[] ofBright) {
    int i = 0;
    int j = 0;
    while (i < ofPooled.length || j < ofBright.length) {
      long pooledId = i < ofPooled.length ? id(pooled.get(i).selected()) : Long.MAX_VALUE;
      long brightId = j < ofBright.length ? id(bright.get(j)) : Long.MAX_VALUE;
      SelectedRows both;
      if (pooledId == brightId) {
        both = pooled.get(i).selected().union(bright.get(j));
      } else {
        both = pooledId < brightId ? pooled.get(i).selected() : bright.get(j);
      }
      if (pooledId <= brightId) {
        ofPooled[i++] = blocks.size();
      }
      if (brightId <= pooledId) {
        ofBright[j++] = blocks.size();
      }
      blocks.add(both);
    }
  }

  private static long id(SelectedRows rows) {
    return rows.block().id();
  }

  private CandidateWindow window(CandidatePool pool, List<PooledBlock> pooled, int[] ofPooled) {
    int count = pooled.stream().mapToInt(PooledBlock::candidates).sum();
    int[] iterations = new int[count];
    long[] keys = new long[count];
    boolean numbered = pooled.stream().anyMatch(PooledBlock::numbered);
    double[] uniforms = new double[numbered ? count : 0];
    int at = 0;
    for (int p = 0; p < ofPooled.length; p++) {
      PooledBlock block = pooled.get(p);
      int[] rows = block.selected().among(blocks.get(ofPooled[p]));
      for (int i = 0; i < block.candidates(); i++) {
        iterations[at] = block.iteration(i);
        keys[at] = Brightness.key(ofPooled[p], rows[block.row(i)]);
        if (numbered) {
          uniforms[at] = block.uniform(i);
        }
        at++;
      }
    }
    return CandidateWindow.sorted(pool.first(), pool.length(), count, iterations, keys, uniforms);
  }

  /** Returns the rows as the chain sees them. */
  FireflyRows rows() {
    return rows;
  }

  /** Returns the rows that are bright now, to be carried to the next segment. */
  CarriedBrightness bright() {
    return CarriedBrightness.ofSelected(rows.brightness(), blocks);
  }
}
