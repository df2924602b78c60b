package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Runs segments of all chains from pools. Not safe for use by several threads.
 *
 * @param <S> the state of a chain between two segments
 */
public interface Segments<S extends SamplerState> extends AutoCloseable {
  /**
   * What a segment leads to.
   *
   * @param state where the chain is: at the end of the segment, or before the iteration that its
   *     pools did not suffice for
   */
  record Segment<S extends SamplerState>(ChainState<S> state, ChainTrace trace)
      implements Serializable {}

  /**
   * Runs one segment of every chain, and returns what became of them, in their order.
   *
   * @param from where the chains are, in the same order
   * @param following what will probably be asked for next, whose pools are drawn meanwhile; or null
   */
  List<Segment<S>> run(
      List<ChainState<S>> from, SegmentRequest request, @Nullable SegmentRequest following);

  /** Returns how many jobs were run. */
  long jobs();

  @Override
  void close();
}
