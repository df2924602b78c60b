package org.lampyris.samplers.firefly;

/** Where the candidates of a chain come from. */
@FunctionalInterface
public interface CandidateSource {

  /**
   * Returns candidates that cover an iteration.
   *
   * @param kernel the update of brightness that they are for
   * @param chain the chain's number
   * @param iteration the iteration, from 1
   */
  CandidateWindow window(ImplicitBrightness kernel, int chain, long iteration);
}
