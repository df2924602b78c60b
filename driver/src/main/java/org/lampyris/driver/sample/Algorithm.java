package org.lampyris.driver.sample;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.TransitionKernel;

/** An algorithm with its resident rows, ready to run chains. */
interface Algorithm extends AutoCloseable {

  /**
   * A phase in which all chains ask the rows questions, and leave when they ask no more.
   *
   * @param kernels the kernel of each chain, from 1
   * @param batcher gathers the chains' questions
   */
  record Questions(IntFunction<TransitionKernel> kernels, QuestionBatcher<?, ?> batcher) {}

  /** Begins a phase of questions. */
  Questions questions();

  /**
   * What a plan of segments goes by.
   *
   * @param rows how many rows the table has
   * @param bytesPerRow what a row takes on its way to a chain
   * @param candidates how many candidates a chain has in an iteration
   * @param bright how many bright rows the chain has that has most of them
   * @param window how many iterations' candidates are drawn at once
   */
  record SegmentSize(long rows, double bytesPerRow, double candidates, long bright, int window) {}

  /** Returns the size of segments of the chains as they are, or nothing if there can be none. */
  default Optional<SegmentSize> segmentSize() {
    return Optional.empty();
  }

  /** Chains that go on in segments. */
  interface Segments extends AutoCloseable {

    /**
     * Makes iterations of every chain.
     *
     * @param iterations how many
     * @param following how many will be asked for next, 0 if none
     * @return what the iterations left behind, for each chain
     */
    List<ChainTrace> run(int iterations, int following);

    /** Returns how many Spark jobs were run. */
    long jobs();

    @Override
    void close();
  }

  /**
   * Lets the chains go on in segments.
   *
   * @param runner the length of the chains
   * @param states where the chains are
   */
  default Segments segments(ChainRunner runner, List<ChainState> states) {
    throw new IllegalStateException("this algorithm has no segments");
  }

  /**
   * What the coefficients are confined to.
   *
   * @param ball the ball
   * @param remedy what to do where the posterior reaches its edge
   */
  record Confinement(Ball ball, String remedy) {}

  /** Returns what the coefficients are confined to, if they are. */
  default Optional<Confinement> confinement() {
    return Optional.empty();
  }

  /** Returns how often all rows have been read, in passes other than those of questions. */
  long passes();

  /** Drops what is resident. */
  @Override
  void close();
}
