package org.lampyris.samplers.chain;

/**
 * Sizes that determine a plan of segments.
 *
 * @param bytesPerRow what a row takes on its way to a chain
 * @param candidates how many candidates a chain has in an iteration; 0 where it has none, or looks
 *     at all rows
 * @param bright about how many rows a chain keeps from one iteration to the next
 * @param window how many iterations' candidates are drawn at once
 * @param exhausting the share of a chain's iterations that a pool does not suffice for
 */
public record SegmentSize(
    long rows, double bytesPerRow, double candidates, long bright, int window, double exhausting) {
  /** Describes pools that suffice. */
  public SegmentSize(long rows, double bytesPerRow, double candidates, long bright, int window) {
    this(rows, bytesPerRow, candidates, bright, window, 0);
  }
}
