package org.lampyris.samplers.firefly;

import java.util.Arrays;
import java.util.List;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;

/**
 * The candidates of one chain in a run of iterations, for a run of blocks: for each iteration the
 * rows that may turn bright or are selected, ascending, each with the uniform number that will
 * decide, if there is one.
 *
 * <p>Candidates are drawn before anybody looks at θ or z, so that those of many iterations can be
 * drawn at once. Each candidate belongs to one iteration, and is used there or never.
 */
public final class CandidateWindow implements CandidateSource {
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
   * Draws candidates.
   *
   * @param kernel the update of brightness
   * @param iterations which iterations they are for
   * @param blocks the run of blocks, in ascending order of their ids
   */
  static CandidateWindow draw(
      BrightnessKernel kernel, CandidateIterations iterations, List<BoundBlock> blocks) {
    CandidateEvents events = new CandidateEvents();
    kernel.draw(iterations, blocks, events);
    return events.sorted(iterations.first(), iterations.length());
  }

  /**
   * Sorts candidates by iteration, and leaves them in the order of their rows within one.
   *
   * @param first the first iteration
   * @param length how many iterations
   * @param count how many candidates
   * @param iterations for each candidate, how many iterations after the first
   * @param keys for each candidate, its row; ascending among those of an iteration
   * @param uniforms for each candidate, the number that decides; empty if they have none
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
    double[] sortedUniforms = new double[uniforms.length == 0 ? 0 : count];
    for (int i = 0; i < count; i++) {
      int at = next[iterations[i]]++;
      sortedKeys[at] = keys[i];
      if (uniforms.length > 0) {
        sortedUniforms[at] = uniforms[i];
      }
    }
    return new CandidateWindow(first, start, sortedKeys, sortedUniforms);
  }

  /** Returns whether the window holds the candidates of an iteration. */
  public boolean covers(long iteration) {
    return iteration >= first && iteration < first + start.length - 1;
  }

  @Override
  public void candidates(BrightnessUpdate update, int chain, Candidate candidate) {
    long iteration = update.iteration();
    if (!covers(iteration)) {
      throw new IllegalStateException(
          "candidates of iteration "
              + iteration
              + " are asked for, and there are those of "
              + (start.length - 1)
              + " iterations from "
              + first);
    }
    int offset = (int) (iteration - first);
    for (int i = start[offset]; i < start[offset + 1]; i++) {
      candidate.row(keys[i], uniforms.length == 0 ? CandidateSink.NO_NUMBER : uniforms[i]);
    }
  }
}
