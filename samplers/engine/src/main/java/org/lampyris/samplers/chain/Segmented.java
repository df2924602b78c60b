package org.lampyris.samplers.chain;

import java.util.List;

/** Chains that go on in segments. */
public interface Segmented extends AutoCloseable {
  /**
   * Makes iterations of every chain, and returns what they left behind, for each chain; {@code
   * following} ones will be asked for next, 0 if none.
   */
  List<ChainTrace> run(int iterations, int following);

  /** Returns where the chains are, all at the same iteration, in their order. */
  List<ChainState<?>> states();

  /** Returns how many jobs were run. */
  long jobs();

  @Override
  void close();
}
