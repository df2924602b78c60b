package org.lampyris.samplers.firefly;

/** Is told candidates as they are drawn. */
@FunctionalInterface
interface CandidateSink {
  /** Stands for the number of a candidate that is decided about by its block's stream. */
  double NO_NUMBER = -1;

  /**
   * Takes a candidate.
   *
   * @param iteration how many iterations after the first one its own is
   * @param key its row, see {@link Brightness#key}
   * @param uniform the number that will decide about it, in [0, 1), or {@link #NO_NUMBER}
   */
  void candidate(int iteration, long key, double uniform);
}
