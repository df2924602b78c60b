package org.lampyris.samplers.rows;

/**
 * An iteration needs rows that are not in its pools. The segment ends before it, and whoever can
 * ask all rows makes that iteration, to the same bits.
 */
public final class PoolExhaustedException extends RuntimeException {
  /** Tells of it; without a stack trace, because it is no error. */
  public PoolExhaustedException(String what) {
    super("the pools do not suffice for " + what, null, false, false);
  }
}
