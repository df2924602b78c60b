package org.lampyris.driver.progress;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimate of a phase's remaining time from its last bursts of steps. The steps of a segment arrive
 * at once; single steps are collected for half a second. A burst that took more than {@value #MOST}
 * times the median pace, as when an executor is lost and what it held is computed again, counts as
 * that much.
 */
final class Pace {
  private static final int BURSTS = 64;
  private static final double MOST = 5;
  private static final double PAUSE_SECONDS = 0.1;
  private static final double BURST_SECONDS = 0.5;

  private record Burst(long steps, double seconds) {
    double pace() {
      return seconds / steps;
    }
  }

  private final Deque<Burst> bursts = new ArrayDeque<>();
  private long total;
  private long done;
  private long lastDone;
  private double last;
  private double first;
  private double begun;

  /** Starts a phase with a number of steps; 0 if unknown. */
  synchronized void start(long steps, double now) {
    bursts.clear();
    total = steps;
    done = 0;
    lastDone = 0;
    begun = now;
    first = now;
    last = now;
  }

  /** Notes how far the phase is. */
  synchronized void step(long steps, double now) {
    if (now - last >= PAUSE_SECONDS || now - first >= BURST_SECONDS) {
      if (done > lastDone) {
        bursts.addLast(new Burst(done - lastDone, last - begun));
        if (bursts.size() > BURSTS) {
          bursts.removeFirst();
        }
        lastDone = done;
        begun = last;
      }
      first = now;
    }
    done = steps;
    last = now;
  }

  /** Returns the remaining seconds; NaN if unknown. */
  synchronized double secondsLeft() {
    if (total <= 0 || bursts.size() < 2) {
      return Double.NaN;
    }
    double[] paces = bursts.stream().mapToDouble(Burst::pace).sorted().toArray();
    double median = paces[paces.length / 2];
    double seconds = 0;
    long steps = 0;
    for (Burst burst : bursts) {
      // Those that are much faster have been made before, by a process that this one goes on from.
      if (burst.pace() * MOST >= median) {
        seconds += Math.min(burst.pace(), MOST * median) * burst.steps();
        steps += burst.steps();
      }
    }
    return (total - done) * seconds / steps;
  }
}
