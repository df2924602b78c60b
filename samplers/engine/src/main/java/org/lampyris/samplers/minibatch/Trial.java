package org.lampyris.samplers.minibatch;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * A proposal on trial. With v_n of {@link Remainders}, the logarithm of the Metropolis–Hastings
 * ratio is
 *
 * <pre>rest + Σ_n v_n, rest = log p(θ′)q(θ | θ′)/(p(θ)q(θ′ | θ)) + Σ_n T_n(θ′) − T_n(θ),</pre>
 *
 * whose sum over the rows is estimated by a batch. Not safe for use by several threads.
 */
public final class Trial {
  private final BatchRows rows;
  private final long iteration;
  private final long offset;
  private final Remainders remainders;
  private final double[] from;
  private final double[] to;
  private final double rest;
  private final BatchRows.Term term;
  private BatchMoments seen = BatchMoments.NONE;
  private boolean replaced;

  /**
   * Begins.
   *
   * @param rows the rows as the chain sees them
   * @param iteration whose permutation they come in
   * @param offset at which position of it the first batch begins: those before are the last ones
   * @param remainders v_n
   * @param from θ; not copied
   * @param to θ′; not copied
   * @param rest what of the logarithm of the ratio is not in the rows
   */
  public Trial(
      BatchRows rows,
      long iteration,
      long offset,
      Remainders remainders,
      double[] from,
      double[] to,
      double rest) {
    this.rows = rows;
    this.iteration = iteration;
    this.offset = offset;
    this.remainders = remainders;
    this.from = from;
    this.to = to;
    this.rest = rest;
    this.term = remainders.changes(from, to);
  }

  /** Returns the iteration, from 1. */
  public long iteration() {
    return iteration;
  }

  /** Returns N. */
  public long rows() {
    return rows.rows();
  }

  /** Returns θ; not to be modified. */
  public double[] from() {
    return from;
  }

  /** Returns θ′; not to be modified. */
  public double[] to() {
    return to;
  }

  /** Returns v_n. */
  public Remainders remainders() {
    return remainders;
  }

  /** Returns the part of the ratio's logarithm that no row is needed for. */
  public double rest() {
    return rest;
  }

  /** Returns μ_0(u) = (log u − rest)/N: θ′ is accepted if the mean of all v_n is above it. */
  public double threshold(double u) {
    return (Math.log(u) - rest) / rows();
  }

  /** Reads further rows, up to {@code count} in all; returns their moments. */
  public BatchMoments lookAt(long count) {
    return lookAt(count, 0);
  }

  /**
   * Reads further rows, up to {@code count} in all; returns their moments.
   *
   * @param step how many rows each look after this one will add; 0 if that is not known
   */
  public BatchMoments lookAt(long count, long step) {
    long first = seen.count() + offset;
    long end = count + offset;
    long edge = rows();
    if (first < edge) {
      look(first, Math.min(end, edge), step);
    }
    if (end > edge) {
      look(Math.max(first, edge) - edge, end - edge, 0);
    }
    return seen;
  }

  /** Reads rows drawn with replacement, and no others; returns their moments. */
  public BatchMoments drawWithReplacement(int draws, UniformRandomProvider rng) {
    replaced = true;
    for (double[] one : rows.withReplacement(iteration, draws, term, rng)) {
      seen = seen.plus(new BatchMoments(1, one[0], one[1]));
    }
    return seen;
  }

  private void look(long low, long high, long step) {
    if (high > low) {
      double[] sums = rows.sum(iteration, low, high, step, term);
      seen = seen.plus(new BatchMoments(high - low, sums[0], sums[1]));
    }
  }

  /** Returns the number of rows read. */
  long looked() {
    return seen.count();
  }

  /** Returns whether all rows have been read. */
  boolean isComplete() {
    return !replaced && seen.count() == rows();
  }

  /** Returns min(1, e^(rest + N·mean)), the acceptance probability by the rows seen so far. */
  double estimatedProbability() {
    double log = rest + (seen.count() == 0 ? 0 : rows() * seen.mean());
    return log >= 0 ? 1 : Math.exp(log);
  }
}
