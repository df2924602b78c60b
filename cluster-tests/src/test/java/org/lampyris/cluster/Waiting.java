package org.lampyris.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting for other processes, which tell nobody. */
final class Waiting {
  private static final long POLL_MILLIS = 20;

  private Waiting() {}

  /** Waits until it is worth to look again. */
  static void briefly() {
    millis(POLL_MILLIS);
  }

  /** Waits for so long. */
  static void millis(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
