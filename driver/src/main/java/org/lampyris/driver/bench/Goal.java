package org.lampyris.driver.bench;

import java.util.Locale;

/**
 * When the chains of a row have run long enough. A row is run again, from its beginning and with
 * more draws, until a run meets the goal; the earlier runs warm up the virtual machine.
 *
 * @param measure what is counted
 * @param amount how much of it
 */
public record Goal(Measure measure, double amount) {

  /** How much longer the next run may be than the last. */
  private static final double MOST_GROWTH = 20;

  /** What is added to the draws that should meet a goal, as their rate is uncertain. */
  private static final double MARGIN = 1.15;

  /** A run that would be longer by less than this is not worth its while. */
  private static final double LEAST_GROWTH = 1.05;

  /** What a goal counts. */
  public enum Measure {
    /** Draws of each chain. */
    DRAWS,
    /** Seconds of the sampling phase. */
    SECONDS,
    /** Effective draws of the worst coefficient. */
    ESS
  }

  /** Returns which share of the goal a run has reached, 1 or more if it has met it. */
  double reached(Measurement run) {
    double have =
        switch (measure) {
          case DRAWS -> run.draws();
          case SECONDS -> run.samplingSeconds();
          case ESS -> run.efficiency().least();
        };
    return have / amount;
  }

  /**
   * Returns the draws per chain of the next run; 0 if this one was the last, as it has met the goal
   * or a much longer one is not allowed.
   *
   * @param run the run before
   * @param mostSeconds how long the sampling phase may take
   * @param mostDraws how many draws a chain may have
   */
  int next(Measurement run, double mostSeconds, double mostDraws) {
    double reached = reached(run);
    if (reached >= 1) {
      return 0;
    }
    double wanted =
        measure == Measure.DRAWS ? amount : run.draws() * Math.min(MOST_GROWTH, MARGIN / reached);
    double inTime = run.draws() * mostSeconds / run.samplingSeconds();
    double next = Math.min(wanted, Math.min(inTime, mostDraws));
    return next < LEAST_GROWTH * run.draws() ? 0 : (int) Math.ceil(next);
  }

  @Override
  public String toString() {
    return switch (measure) {
      case DRAWS -> String.format(Locale.ROOT, "%,.0f draws", amount);
      case SECONDS -> String.format(Locale.ROOT, "%.0f s", amount);
      case ESS -> String.format(Locale.ROOT, "ESS %,.0f", amount);
    };
  }
}
