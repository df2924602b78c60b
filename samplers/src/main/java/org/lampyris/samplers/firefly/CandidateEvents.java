package org.lampyris.samplers.firefly;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.Streams;

/** Candidates as they are drawn: block by block, and within a block window by window. */
final class CandidateEvents {
  private int[] iterations = new int[64];
  private long[] keys = new long[64];
  private double[] uniforms = new double[64];
  private int count;

  /**
   * Draws the candidates of one window in one block.
   *
   * @param window the window's number, from 0
   * @param block the block
   * @param index what stands for the block in the candidates' keys
   */
  void draw(
      ImplicitBrightness kernel,
      Streams streams,
      int chain,
      long window,
      BoundBlock block,
      int index) {
    draw(kernel, streams, chain, window, block, index, 0, 0, kernel.window());
  }

  /**
   * Draws the candidates of one window in one block, and keeps those of some iterations.
   *
   * @param shift is added to the iterations' numbers within the window
   * @param from the first iteration of the window to keep, from 0
   * @param to the iteration after the last one to keep
   */
  void draw(
      ImplicitBrightness kernel,
      Streams streams,
      int chain,
      long window,
      BoundBlock block,
      int index,
      int shift,
      int from,
      int to) {
    UniformRandomProvider rng =
        streams.stream(Streams.Purpose.CANDIDATES, chain, window, block.id());
    kernel
        .rates()
        .draw(
            block,
            to,
            rng,
            (iteration, row) -> {
              double uniform = rng.nextDouble();
              if (iteration >= from) {
                add(shift + iteration, Brightness.key(index, row), uniform);
              }
            });
  }

  private void add(int iteration, long key, double uniform) {
    if (count == keys.length) {
      iterations = Arrays.copyOf(iterations, 2 * count);
      keys = Arrays.copyOf(keys, 2 * count);
      uniforms = Arrays.copyOf(uniforms, 2 * count);
    }
    iterations[count] = iteration;
    keys[count] = key;
    uniforms[count++] = uniform;
  }

  int count() {
    return count;
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

  /** Forgets everything drawn. */
  void clear() {
    count = 0;
  }

  CandidateWindow sorted(long first, int length) {
    return CandidateWindow.sorted(first, length, count, iterations, keys, uniforms);
  }
}
