package org.lampyris.experiments.bench;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Locale;
import java.util.Map;
import org.lampyris.bounds.config.Text;

/**
 * When the chains of a row have run long enough. A row is run again, from its beginning and with
 * more draws, until a run meets the goal; the earlier runs warm up the virtual machine.
 *
 * @param measure what is counted
 * @param amount how much of it
 */
public record Goal(Measure measure, double amount) {

  /** Largest growth of the next run. */
  private static final double MOST_GROWTH = 20;

  /** Safety margin for the draws that should meet a goal, because their rate is uncertain. */
  private static final double MARGIN = 1.15;

  /** A run that would be longer by less than this is not worth its while. */
  private static final double LEAST_GROWTH = 1.05;

  /** Measure of a goal. */
  public enum Measure {
    /** Draws of each chain. */
    DRAWS("draws", "%,.0f draws"),
    /** Seconds of the sampling phase. */
    SECONDS("sample_seconds", "%.0f s"),
    /** Effective draws of the worst coefficient. */
    ESS("ess_min", "ESS %,.0f");

    private final String figure;
    private final String format;

    Measure(String figure, String format) {
      this.figure = figure;
      this.format = format;
    }
  }

  /** Returns the goal in a map with one measure, such as {@code {seconds: 10}}. */
  @JsonCreator
  static Goal of(Map<String, Double> amounts) {
    if (amounts.size() != 1) {
      throw new IllegalArgumentException("a goal is one of draws, seconds and ess");
    }
    Map.Entry<String, Double> one = amounts.entrySet().iterator().next();
    return new Goal(Measure.valueOf(one.getKey().toUpperCase(Locale.ROOT)), one.getValue());
  }

  /** Returns which share of the goal a run has reached, 1 or more if it has met it. */
  double reached(Measurement run) {
    return run.get(measure.figure) / amount;
  }

  /**
   * Returns the draws per chain of the next run; 0 if this one was the last, because it met the
   * goal or a much longer one is not allowed.
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
    double draws = run.get("draws");
    double wanted =
        measure == Measure.DRAWS ? amount : draws * Math.min(MOST_GROWTH, MARGIN / reached);
    double inTime = draws * mostSeconds / run.get("sample_seconds");
    double next = Math.min(wanted, Math.min(inTime, mostDraws));
    return next < LEAST_GROWTH * draws ? 0 : (int) Math.ceil(next);
  }

  @Override
  public String toString() {
    return Text.of(measure.format, amount);
  }
}
