package org.lampyris.samplers.rows;

/**
 * An iteration needs rows that are not in its pools. The segment ends before it, and whoever can
 * ask all rows makes that iteration, to the same bits.
 */
public final class PoolExhaustedException extends RuntimeException {
  /** Creates it without a stack trace, because it is not an error. */
  public PoolExhaustedException(String what) {
    super("the pools are too small for " + what, null, false, false);
  }
}
