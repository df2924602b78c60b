package org.lampyris.bounds.family;

import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Logistic regression: log L(η; y) = log σ(s) = −log(1 + e⁻ˢ), s = y·η, y ∈ {−1, +1}, natural log.
 *
 * <p>dlog L/dη = y·σ(−s), d²log L/dη² = −σ(s)·σ(−s). Accurate to a few units in the last place at
 * any η: nothing overflows, and nothing cancels in the tails.
 */
public final class LogisticLikelihood implements Likelihood {
  /** Number of factors 1 + e⁻ˢ, each between 1 and 2, that share one logarithm. */
  private static final int FACTORS = 256;

  private static final long ONE = Double.doubleToRawLongBits(1);

  /** max |σ(s)σ(−s)(1 − 2σ(s))|, reached at σ(s) = ½ ± 1/(2√3). */
  private static final double LARGEST_THIRD = 1 / (6 * Math.sqrt(3));

  private static final double LARGEST_THIRD_AT = Math.log(2 + Math.sqrt(3));

  /** {@inheritDoc} Here d²log L/dη² = −σ(η)σ(−η). */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    return StableMath.logSigmoid(y * eta);
  }

  @Override
  public double derivative(double eta, double y) {
    return y * StableMath.sigmoid(-y * eta);
  }

  @Override
  public double secondDerivative(double eta, double y) {
    double e = StableMath.exp(-Math.abs(eta));
    double onePlus = 1 + e;
    return -e / (onePlus * onePlus);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One exponential a row, and one logarithm for {@value #FACTORS} rows without weights: Σ log(1
   * + e) = log Π(1 + e). The rounding error of 1 + e is added to first order, so that rows far in
   * the tail are accurate to their last digits.
   */
  @Override
  public double sum(DataBlock block, int from, int to, double[] eta) {
    if (block.isWeighted()) {
      return Likelihood.super.sum(block, from, to, eta);
    }
    double linear = 0;
    double log = 0;
    double product = 1;
    for (int row = from; row < to; row++) {
      double s = block.response(row) * eta[row - from];
      double e = StableMath.exp(-Math.abs(s));
      double onePlus = 1 + e;
      linear += 0.5 * (s - Math.abs(s));
      // As in slopes: a value has the same bits with a gradient and without.
      log += (e - (onePlus - 1)) * (1 / onePlus);
      product *= onePlus;
      if ((row - from) % FACTORS == FACTORS - 1) {
        log += Math.log(product);
        product = 1;
      }
    }
    return linear - (log + Math.log(product));
  }

  /**
   * {@inheritDoc}
   *
   * <p>As in {@link #sum}; the derivative uses the same exponential and no branch. Measured: 5 ns a
   * row instead of 22 one row at a time, where half is for unpredictable branches.
   */
  @Override
  public double slopes(DataBlock block, int from, int to, double[] eta) {
    if (block.isWeighted()) {
      return weightedSlopes(block, from, to, eta);
    }
    double linear = 0;
    double log = 0;
    double product = 1;
    for (int row = from; row < to; row++) {
      double y = block.response(row);
      double s = y * eta[row - from];
      double e = StableMath.exp(-Math.abs(s));
      double onePlus = 1 + e;
      double inverse = 1 / onePlus;
      linear += 0.5 * (s - Math.abs(s));
      log += (e - (onePlus - 1)) * inverse;
      product *= onePlus;
      eta[row - from] = y * (oneIfNegative(s, e) * inverse);
      if ((row - from) % FACTORS == FACTORS - 1) {
        log += Math.log(product);
        product = 1;
      }
    }
    return linear - (log + Math.log(product));
  }

  private static double weightedSlopes(DataBlock block, int from, int to, double[] eta) {
    double sum = 0;
    for (int row = from; row < to; row++) {
      double y = block.response(row);
      double w = block.weight(row);
      double s = y * eta[row - from];
      double e = StableMath.exp(-Math.abs(s));
      sum += w * (0.5 * (s - Math.abs(s)) - StableMath.log1pSmall(e));
      eta[row - from] = w * y * (oneIfNegative(s, e) / (1 + e));
    }
    return sum;
  }

  /** {@inheritDoc} Here by one exponential a row. */
  @Override
  public void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    for (int row = from; row < to; row++) {
      int i = row - from;
      double y = block.response(row);
      double w = block.weight(row);
      double s = y * eta[i];
      double e = StableMath.exp(-Math.abs(s));
      double inverse = 1 / (1 + e);
      value[i] = w * (0.5 * (s - Math.abs(s)) - StableMath.log1pSmall(e));
      curvature[i] = -w * e * inverse * inverse;
      eta[i] = w * y * (oneIfNegative(s, e) * inverse);
    }
  }

  /** Returns s < 0 ? 1 : e, without a branch. */
  private static double oneIfNegative(double s, double e) {
    long negative = Double.doubleToRawLongBits(s) >> 63;
    return Double.longBitsToDouble((Double.doubleToRawLongBits(e) & ~negative) | (ONE & negative));
  }

  /**
   * {@inheritDoc}
   *
   * <p>|log L″| = w = σ(η)σ(−η) is ¼ at 0 and falls with |η|; |log L‴| = w·tanh(|η|/2) rises up to
   * 1/(6√3) at |η| = log(2 + √3), and falls from there.
   */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    double near = Math.max(0, Math.max(low, -high));
    if (order == 2) {
      return -secondDerivative(near, y);
    }
    double at = Math.max(near, Math.min(Math.max(-low, high), LARGEST_THIRD_AT));
    return at == LARGEST_THIRD_AT ? LARGEST_THIRD : -secondDerivative(at, y) * Math.tanh(0.5 * at);
  }
}
