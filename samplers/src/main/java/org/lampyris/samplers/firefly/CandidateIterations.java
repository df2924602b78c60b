package org.lampyris.samplers.firefly;

import org.lampyris.samplers.random.Streams;

/**
 * The iterations of a chain that candidates are drawn for.
 *
 * @param streams the run's streams
 * @param chain the chain's number
 * @param first the first iteration, from 1; 0 for what comes before
 * @param length how many iterations
 * @param size how many rows of the table an explicit update selects in an iteration
 */
record CandidateIterations(Streams streams, int chain, long first, int length, SelectionSize size) {

  /** Returns how many rows an explicit update selects in the i-th of the iterations. */
  long size(int i) {
    return size.of(streams, chain, first + i);
  }
}
