package org.lampyris.samplers.minibatch;

/**
 * Sums of v_n over a batch.
 *
 * @param count how many rows, t
 * @param sum Σ v_n
 * @param squares Σ v_n²
 */
public record BatchMoments(long count, double sum, double squares) {
  /** No rows. */
  static final BatchMoments NONE = new BatchMoments(0, 0, 0);

  BatchMoments plus(BatchMoments other) {
    return new BatchMoments(count + other.count, sum + other.sum, squares + other.squares);
  }

  /** Returns the mean. */
  public double mean() {
    return sum / count;
  }

  /** Returns the variance, with the divisor t − 1 instead of t if {@code unbiased}. */
  public double variance(boolean unbiased) {
    double centred = squares - sum * (sum / count);
    return Math.max(0, centred) / (unbiased ? count - 1 : count);
  }

  /** Returns the standard deviation of the mean of t rows drawn from N without replacement. */
  public double standardError(long rows) {
    double left = (double) (rows - count) / (rows - 1);
    return Math.sqrt(variance(true) / count * left);
  }
}
