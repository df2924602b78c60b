package org.lampyris.samplers.firefly;

/**
 * The rows as one chain sees them: they resample its brightness and evaluate the bright ones. In
 * memory, carried to the chain, or spread over a cluster.
 *
 * @param <R> the chain's brightness, or what names it
 */
public interface FireflyRows<R> {
  /** What a question leads to: the brightness afterwards, and the answer. */
  record Answered<R>(R rows, FireflyAnswer answer) {}

  /** Returns the brightness that a chain begins with: all rows dark. */
  R dark();

  /** Answers a question of the chain of these rows, about a brightness. Not modified. */
  Answered<R> ask(R before, FireflyQuestion question);
}
