package org.lampyris.samplers.chain;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.rows.Stored;

/**
 * Plan for the iterations after the chains have started.
 *
 * @param segment how many iterations a segment has at most; 0 for one job an iteration
 * @param why what was chosen, and its reason
 */
public record ExecutionPlan(int segment, Decision why) implements Stored {
  private static final String TOPIC = "plan";

  /**
   * Bytes of a candidate in addition to its row: iteration, row, random number, and their sorting.
   */
  private static final double BYTES_PER_CANDIDATE = 40;

  /** Throughput of a pool's rows: shuffled and read. A cautious figure. */
  private static final double BYTES_PER_SECOND = 5e7;

  /** Seconds of a candidate, in addition to its row, on its way to the chain; measured 7e-8. */
  private static final double SECONDS_PER_CANDIDATE = 1e-7;

  private static final double MEBIBYTE = 1 << 20;

  /** Largest pool, because a chain's candidates are in arrays that double as they grow. */
  private static final double LARGEST_POOL = BYTES_PER_CANDIDATE * (1 << 29);

  /**
   * Chooses a plan. A segment takes two jobs; an iteration whose pool is too small takes a third
   * one, with a new pool for that chain.
   *
   * @param size the size of segments, or nothing if there can be none
   * @param jobLatency the seconds that an empty job takes; asked for only where it matters
   * @throws UserException (usage) if segments are asked for where there can be none
   */
  public static ExecutionPlan choose(
      PlanSettings settings, int chains, Optional<SegmentSize> size, DoubleSupplier jobLatency) {
    if (settings.plan() == PlanSettings.Plan.STEPWISE) {
      return stepwise(Map.of(), "plan: stepwise, as configured");
    }
    if (size.isEmpty()) {
      if (settings.plan() == PlanSettings.Plan.SEGMENT) {
        throw UserException.usage(
            "sampler.plan: segment needs an algorithm that draws few rows in each iteration, or a"
                + " table that fits into sampler.pool_mib. Remove sampler.plan.");
      }
      return stepwise(Map.of(), "plan: stepwise, one job an iteration");
    }
    SegmentSize s = size.get();
    double budget = Math.min(settings.poolBytes(), LARGEST_POOL);
    int iterations = longest(s, budget);
    String needs =
        s.candidates() > 0 || s.bright() == 0
            ? String.format(
                Locale.ROOT,
                "%.1f candidates an iteration, %d bright rows, %.0f bytes a row",
                s.candidates(),
                s.bright(),
                s.bytesPerRow())
            : String.format(
                Locale.ROOT, "all %,d rows, %.0f bytes a row", s.bright(), s.bytesPerRow());
    if (settings.plan() == PlanSettings.Plan.SEGMENT) {
      return segments(Math.max(1, iterations), s, needs);
    }
    double latency = jobLatency.getAsDouble();
    double segment = 2 * latency + chains * seconds(s, iterations);
    double segmented =
        segment / Math.max(1, iterations)
            + s.exhausting() * chains * (3 * latency + seconds(s, iterations));
    if (iterations < 2 || s.bright() * s.bytesPerRow() > budget || segmented > latency) {
      Map<String, Double> figures = figures(s);
      figures.put("job_milliseconds", 1e3 * latency);
      figures.put("segment_milliseconds_per_iteration", 1e3 * segmented);
      return stepwise(
          figures,
          String.format(
              Locale.ROOT,
              "plan: stepwise (%s; a job takes %.1f ms, a segment would take %.1f ms an iteration)",
              needs,
              1e3 * latency,
              1e3 * segmented));
    }
    return segments(iterations, s, needs);
  }

  /** Returns a plan of one job an iteration. */
  public static ExecutionPlan stepwise(Map<String, Double> figures, String line) {
    return new ExecutionPlan(0, new Decision(TOPIC, "stepwise", figures, line));
  }

  /** Returns the text of the choice. */
  public String line() {
    return why.text();
  }

  private static Map<String, Double> figures(SegmentSize size) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("candidates_per_iteration", size.candidates());
    figures.put("bright_rows", (double) size.bright());
    figures.put("bytes_per_row", size.bytesPerRow());
    return figures;
  }

  private static ExecutionPlan segments(int iterations, SegmentSize size, String needs) {
    Map<String, Double> figures = figures(size);
    figures.put("iterations", (double) iterations);
    figures.put("pool_mib", bytes(size, iterations) / MEBIBYTE);
    return new ExecutionPlan(
        iterations,
        new Decision(
            TOPIC,
            "segment",
            figures,
            String.format(
                Locale.ROOT,
                "plan: segments of up to %,d iterations (%s, pool of %.1f MiB a chain)",
                iterations,
                needs,
                bytes(size, iterations) / MEBIBYTE)));
  }

  /** Returns the bytes of a pool: every candidate, and every different row once. */
  private static double bytes(SegmentSize size, int iterations) {
    return size.candidates() * iterations * BYTES_PER_CANDIDATE + rowBytes(size, iterations);
  }

  private static double rowBytes(SegmentSize size, int iterations) {
    return Math.min(size.candidates() * iterations, (double) size.rows()) * size.bytesPerRow();
  }

  /** Returns how long a pool takes that a step would not: a step draws its candidates, too. */
  private static double seconds(SegmentSize size, int iterations) {
    return size.candidates() * iterations * SECONDS_PER_CANDIDATE
        + rowBytes(size, iterations) / BYTES_PER_SECOND;
  }

  /** Returns how many iterations' pool fits the budget: whole windows, if it is one at least. */
  private static int longest(SegmentSize size, double budget) {
    int low = 0;
    int high = 1 << 20;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (bytes(size, middle) <= budget) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low < size.window() ? low : low / size.window() * size.window();
  }
}
