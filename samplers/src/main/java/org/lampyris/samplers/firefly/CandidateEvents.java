package org.lampyris.samplers.firefly;

import java.util.Arrays;

/** Candidates of one place as they are drawn. */
final class CandidateEvents implements CandidateSink {
  private int[] iterations = new int[64];
  private long[] keys = new long[64];

  /** Empty as long as no candidate has come with a number. */
  private double[] uniforms = new double[0];

  private int count;

  /** Adds a candidate. Either all of them come with a number, or none. */
  @Override
  public void candidate(int iteration, long key, double uniform) {
    if (count == keys.length) {
      iterations = Arrays.copyOf(iterations, 2 * count);
      keys = Arrays.copyOf(keys, 2 * count);
    }
    if (uniform != NO_NUMBER) {
      if (uniforms.length < keys.length) {
        uniforms = Arrays.copyOf(uniforms, keys.length);
      }
      uniforms[count] = uniform;
    }
    iterations[count] = iteration;
    keys[count++] = key;
  }

  int count() {
    return count;
  }

  /** Returns whether the candidates have come with the numbers that decide about them. */
  boolean numbered() {
    return uniforms.length > 0;
  }

  int iteration(int i) {
    return iterations[i];
  }

  long key(int i) {
    return keys[i];
  }

  double uniform(int i) {
    return uniforms[i];
  }

  /**
   * Returns the candidates block by block, and within a block as they were drawn.
   *
   * @param start where those of each block begin, and where the last block's end; one longer than
   *     there are blocks. Modified.
   */
  int[] byBlock(int[] start) {
    Arrays.fill(start, 0);
    for (int i = 0; i < count; i++) {
      start[Brightness.block(keys[i]) + 1]++;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    int[] next = start.clone();
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[next[Brightness.block(keys[i])]++] = i;
    }
    return order;
  }

  CandidateWindow sorted(long first, int length) {
    return CandidateWindow.sorted(first, length, count, iterations, keys, uniforms);
  }
}
