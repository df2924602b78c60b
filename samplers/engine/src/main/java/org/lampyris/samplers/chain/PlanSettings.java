package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;

/**
 * The keys of the section {@code sampler} about the jobs that iterations are spread over.
 *
 * @param poolMib how many MiB the candidates of a chain may take in a segment
 * @param checkpointInterval every how many iterations the lineage of row states is cut
 * @param checkpointMinutes minutes between checkpoints, from which an ended run can resume; 0 for
 *     none
 */
public record PlanSettings(Plan plan, int poolMib, int checkpointInterval, double checkpointMinutes)
    implements Serializable {
  /** Default minutes between checkpoints. */
  public static final double MINUTES = 5;

  /** How iterations are spread over jobs. */
  public enum Plan {
    /** Whichever is faster, by the candidates and bytes an iteration needs and the job latency. */
    AUTO,
    /** One job answers the questions of all chains for one iteration. */
    STEPWISE,
    /** One job draws the candidates of many iterations and makes them. */
    SEGMENT
  }

  /** Returns how many bytes the candidates of a chain may take. */
  public double poolBytes() {
    return poolMib * (double) (1 << 20);
  }

  /** Reads the keys. */
  public static PlanSettings read(Section section) {
    return new PlanSettings(
        section.choice("plan", Plan.AUTO),
        section.whole("pool_mib", 64, 1, 1_000_000),
        section.whole("checkpoint_interval", 100, 1, 1_000_000_000),
        section.number("checkpoint_minutes", MINUTES, Interval.NON_NEGATIVE));
  }
}
