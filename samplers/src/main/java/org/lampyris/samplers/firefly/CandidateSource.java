package org.lampyris.samplers.firefly;

import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;

/** Where the candidates of a chain come from. */
@FunctionalInterface
public interface CandidateSource {

  /** Takes a candidate. */
  @FunctionalInterface
  interface Candidate {
    /**
     * Is told a candidate.
     *
     * @param key its row, see {@link Brightness#key}
     * @param uniform the number that decides about it, in [0, 1); negative if it is decided about
     *     by the stream of its block
     */
    void row(long key, double uniform);
  }

  /**
   * Names the candidates of a z-step, ascending.
   *
   * @param update the z-step
   * @param chain the chain's number
   * @param candidate told each of them
   */
  void candidates(BrightnessUpdate update, int chain, Candidate candidate);
}
