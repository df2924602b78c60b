package org.lampyris.driver.sample;

import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.samplers.kernel.TransitionKernel;

/** An algorithm with its resident rows, ready to run chains. */
interface Algorithm extends AutoCloseable {

  /** Returns the kernel of a chain, from 1. */
  TransitionKernel kernel(int chain);

  /** Returns what gathers the chains' questions. */
  QuestionBatcher<?, ?> batcher();

  /** Returns how often all rows have been read. */
  long passes();

  /** Drops what is resident. */
  @Override
  void close();
}
