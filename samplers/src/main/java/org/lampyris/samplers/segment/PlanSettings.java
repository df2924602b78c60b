package org.lampyris.samplers.segment;

/**
 * How iterations are spread over jobs: a part of the section {@code sampler}.
 *
 * @param plan the plan
 * @param poolMib how many MiB the candidates of a chain may take in a segment
 * @param checkpointInterval every how many iterations the lineage of row states is cut
 */
public record PlanSettings(Plan plan, int poolMib, int checkpointInterval) {
  /** How iterations are spread over jobs. */
  public enum Plan {
    /** Whichever is faster, by the candidates and bytes an iteration needs and the job latency. */
    AUTO,
    /** One job answers the questions of all chains for one iteration. */
    STEPWISE,
    /** One job draws the candidates of many iterations and makes them. */
    SEGMENT
  }
}
