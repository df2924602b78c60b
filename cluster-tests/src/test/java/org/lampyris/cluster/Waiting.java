package org.lampyris.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for other processes, which tell nobody. */
final class Waiting {
  /** After so long what is waited for hangs, however busy the machine is. */
  static final long MOST_MINUTES = 15;

  private static final long POLL_MILLIS = 20;

  private Waiting() {}

  /** Waits until it is worth to look again. */
  static void briefly() {
    millis(POLL_MILLIS);
  }

  /** Waits for something to be so; says otherwise after minutes that no machine needs. */
  static void until(BooleanSupplier so, Supplier<String> otherwise) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MOST_MINUTES);
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(otherwise.get());
      }
      briefly();
    }
  }

  /** Waits for so long. */
  static void millis(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
