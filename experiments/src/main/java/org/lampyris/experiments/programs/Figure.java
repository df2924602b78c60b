package org.lampyris.experiments.programs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;

/** A figure of a program: its table and its pictures. */
interface Figure {
  /** Cached, because looking it up takes longer than the timed code. */
  ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Returns files by their names; {@code table.md} is shown. */
  Map<String, String> files();

  /** Returns the number of seconds since a moment of the clock. */
  static double since(long nanoTime) {
    return 1e-9 * (System.nanoTime() - nanoTime);
  }

  /** Returns the seconds that this thread has had of a processor: others' work is not in them. */
  static double processorTime() {
    return 1e-9 * THREADS.getCurrentThreadCpuTime();
  }
}
