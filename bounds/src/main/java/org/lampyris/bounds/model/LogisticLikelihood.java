package org.lampyris.bounds.model;

import org.lampyris.bounds.numeric.StableMath;

/**
 * Logistic regression: log L(η; y) = log σ(s) = −log(1 + e⁻ˢ), s = y·η, y ∈ {−1, +1}, natural log.
 *
 * <p>dlog L/dη = y·σ(−s), d²log L/dη² = −σ(s)·σ(−s). Accurate to a few units in the last place at
 * any η: nothing overflows, and nothing cancels in the tails.
 */
public final class LogisticLikelihood implements Likelihood {
  private static final long serialVersionUID = 1L;

  /** max |σ(s)σ(−s)(1 − 2σ(s))|, reached where σ(s) = ½ ± 1/(2√3). */
  private static final double LARGEST_THIRD = 1 / (6 * Math.sqrt(3));

  @Override
  public String family() {
    return "logistic";
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
    double e = Math.exp(-Math.abs(eta));
    double onePlus = 1 + e;
    return -e / (onePlus * onePlus);
  }

  /** {@inheritDoc} Here |log L″| ≤ ¼ and |log L‴| ≤ 1/(6√3). */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return order == 2 ? 0.25 : LARGEST_THIRD;
  }
}
