package org.lampyris.samplers.firefly.rows;

/**
 * The rows as one chain sees them: they resample its brightness and evaluate the bright ones. In
 * memory, carried to the chain, or spread over a cluster.
 *
 * @param <R> the chain's brightness, or what names it
 */
public interface FireflyRows<R> {
  /**
   * What a question leads to.
   *
   * @param <R> the chain's brightness
   * @param rows the brightness afterwards
   * @param answer the answer
   */
  record Answered<R>(R rows, FireflyAnswer answer) {}

  /** Returns the brightness that a chain begins with: all rows dark. */
  R dark();

  /**
   * Answers a question.
   *
   * @param before the brightness that it is asked about. Not modified.
   * @param question asked by the chain that these rows belong to
   */
  Answered<R> ask(R before, FireflyQuestion question);
}
