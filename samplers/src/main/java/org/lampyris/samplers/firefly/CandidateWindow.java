package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.List;
import org.lampyris.samplers.random.Streams;

/**
 * The candidates of one chain in a run of iterations, for a run of blocks: for each iteration the
 * rows that may turn bright, ascending, each with the uniform number that will decide.
 *
 * <p>Candidates are drawn by fixed rates, before anybody looks at θ or z, so that those of many
 * iterations can be drawn at once. Iterations are cut into windows of a fixed length W; the stream
 * of a window is keyed by (chain, window, block), which makes the cost proportional to what is
 * drawn, plus a constant for each block and window. Each candidate belongs to one iteration, and is
 * used there or never.
 */
public final class CandidateWindow {
  /** A window has about so many candidates in the whole table, and at most. */
  private static final double CANDIDATES = 65_536;

  private static final int LONGEST = 1024;

  private final long first;
  private final int[] start;
  private final long[] keys;
  private final double[] uniforms;

  private CandidateWindow(long first, int[] start, long[] keys, double[] uniforms) {
    this.first = first;
    this.start = start;
    this.keys = keys;
    this.uniforms = uniforms;
  }

  /**
   * Returns how many iterations a window has for a table: a power of two, at most 1,024, that keeps
   * a window's candidates few.
   *
   * @param hazard Σ −log(1 − q_n) over all rows
   */
  public static int length(double hazard) {
    double most = CANDIDATES / hazard;
    return most >= LONGEST ? LONGEST : Integer.highestOneBit(Math.max(1, (int) most));
  }

  /**
   * Draws the window of an iteration.
   *
   * @param kernel the update of brightness: rates and W
   * @param streams the run's streams
   * @param chain the chain's number
   * @param iteration any iteration of the window, from 1
   * @param blocks the run of blocks, in ascending order of their ids
   */
  public static CandidateWindow draw(
      ImplicitBrightness kernel,
      Streams streams,
      int chain,
      long iteration,
      List<BoundBlock> blocks) {
    int length = kernel.window();
    long window = (iteration - 1) / length;
    CandidateEvents events = new CandidateEvents();
    for (int b = 0; b < blocks.size(); b++) {
      events.draw(kernel, streams, chain, window, blocks.get(b), b);
    }
    return events.sorted(window * length + 1, length);
  }

  /**
   * Sorts candidates by iteration, and leaves them in the order of their rows within one.
   *
   * @param first the first iteration
   * @param length how many iterations
   * @param count how many candidates
   * @param iterations for each candidate, how many iterations after the first
   * @param keys for each candidate, its row; ascending among those of an iteration
   * @param uniforms for each candidate, the number that decides
   */
  static CandidateWindow sorted(
      long first, int length, int count, int[] iterations, long[] keys, double[] uniforms) {
    int[] start = new int[length + 1];
    for (int i = 0; i < count; i++) {
      start[iterations[i] + 1]++;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    int[] next = start.clone();
    long[] sortedKeys = new long[count];
    double[] sortedUniforms = new double[count];
    for (int i = 0; i < count; i++) {
      int at = next[iterations[i]]++;
      sortedKeys[at] = keys[i];
      sortedUniforms[at] = uniforms[i];
    }
    return new CandidateWindow(first, start, sortedKeys, sortedUniforms);
  }

  /** Returns whether the window holds the candidates of an iteration. */
  public boolean covers(long iteration) {
    return iteration >= first && iteration < first + start.length - 1;
  }

  /** Returns the index of an iteration's first candidate. */
  int begin(long iteration) {
    return start[offset(iteration)];
  }

  /** Returns the index after that of an iteration's last candidate. */
  int end(long iteration) {
    return start[offset(iteration) + 1];
  }

  private int offset(long iteration) {
    if (!covers(iteration)) {
      throw new IllegalStateException(
          "candidates of iteration "
              + iteration
              + " are asked for, and there are those of "
              + (start.length - 1)
              + " iterations from "
              + first);
    }
    return (int) (iteration - first);
  }

  /** Returns the row of a candidate, see {@link Brightness#key}. */
  long key(int candidate) {
    return keys[candidate];
  }

  /** Returns the number that decides about a candidate, in [0, 1). */
  double uniform(int candidate) {
    return uniforms[candidate];
  }
}
