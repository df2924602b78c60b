package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Pareto smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry 2024): the largest
 * weights are replaced by quantiles of the generalized Pareto distribution that fits them,
 * truncated at the largest raw weight.
 *
 * @param logWeights normalised: their exponentials add up to 1; not copied
 * @param k the tail's shape: above {@link #threshold} the estimate is unreliable; +∞ if the tail
 *     has too few draws; −∞ if the weights are as good as equal
 * @param excess the share of all weight that lies above the tail's threshold u: E(w − u)⁺/E w = M/S
 *     · σ/(1 − k)/w̄ for the M of S draws in the tail, σ the fitted scale and w̄ the mean weight;
 *     +∞ if k ≥ 1, or is not known. Unlike k, it depends on how much the weights vary.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ParetoSmoothing(double[] logWeights, double k, double excess) {
  private static final int FEWEST = 5;

  /**
   * Log ratios that differ by less are of draws that a row does not tell apart, such as a time that
   * is censored almost at 0. A tail fitted to them has any shape, which may be of rounding alone.
   */
  private static final double NEGLIGIBLE = 1e-8;

  /**
   * Smooths.
   *
   * @param logRatios one for each of S draws, up to a constant. Not modified.
   * @param efficiency how many independent draws a draw is worth for what is estimated
   */
  public static ParetoSmoothing of(double[] logRatios, double efficiency) {
    int size = logRatios.length;
    double most = Arrays.stream(logRatios).max().orElseThrow();
    double[] weights = Arrays.stream(logRatios).map(ratio -> ratio - most).toArray();
    int tail = (int) Math.ceil(Math.min(0.2 * size, 3 * Math.sqrt(size / efficiency)));
    double k = Double.POSITIVE_INFINITY;
    double above = Double.POSITIVE_INFINITY;
    if (Arrays.stream(weights).allMatch(below -> below > -NEGLIGIBLE)) {
      k = Double.NEGATIVE_INFINITY;
      above = 0;
    } else if (tail >= FEWEST && tail < size) {
      double[] sorted = weights.clone();
      Arrays.sort(sorted);
      double below = sorted[size - tail - 1];
      double cutoff = Math.exp(below);
      double[] excess = new double[tail];
      for (int i = 0; i < tail; i++) {
        excess[i] = Math.exp(sorted[size - tail + i]) - cutoff;
      }
      if (Math.abs(sorted[size - tail]) > Math.ulp(1.0)) {
        GeneralizedPareto fitted = GeneralizedPareto.fit(excess);
        k = fitted.k();
        above = k < 1 ? tail * fitted.sigma() / (1 - k) : Double.POSITIVE_INFINITY;
        if (Double.isFinite(k)) {
          int[] order = largest(weights, below, tail);
          for (int i = 0; i < tail; i++) {
            double smoothed = Math.log(fitted.quantile((i + 0.5) / tail) + cutoff);
            weights[order[i]] = Math.min(0, smoothed);
          }
        }
      } else {
        // All of the tail is equal: there is nothing to smooth, and nothing that is heavy.
        k = Double.NEGATIVE_INFINITY;
        above = 0;
      }
    }
    double sum = logSumExp(weights);
    for (int i = 0; i < size; i++) {
      weights[i] -= sum;
    }
    return new ParetoSmoothing(weights, k, above / Math.exp(sum));
  }

  /**
   * Returns the indices of the largest weights, in ascending order; among those equal to the
   * threshold, as many as are missing.
   */
  private static int[] largest(double[] weights, double below, int count) {
    int[] above = IntStream.range(0, weights.length).filter(i -> weights[i] > below).toArray();
    int[] equal =
        IntStream.range(0, weights.length)
            .filter(i -> weights[i] == below)
            .limit(count - above.length)
            .toArray();
    return IntStream.concat(
            Arrays.stream(equal),
            Arrays.stream(above)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> weights[i]))
                .mapToInt(i -> i))
        .toArray();
  }

  /** Returns the k above which S draws do not suffice: min(1 − 1/log₁₀ S, 0.7). */
  public static double threshold(int draws) {
    return Math.min(1 - 1 / Math.log10(draws), 0.7);
  }

  /**
   * Returns log p(y | the other rows) of a row.
   *
   * @param logLikelihoods of the row at each draw, those whose negatives the ratios were. Not
   *     modified.
   */
  public double logPredictiveDensity(double[] logLikelihoods) {
    double[] terms = new double[logWeights.length];
    Arrays.setAll(terms, s -> logWeights[s] + logLikelihoods[s]);
    return logSumExp(terms);
  }

  /**
   * Adds the influence of each draw on log p(y | the other rows), times a factor: S·w_s(p_s/p̂ −
   * 1), with the likelihood p_s at draw s, its normalised weight w_s, and the predictive density p̂
   * = Σ w_s p_s. To first order the estimate's error is the mean of the influences: the delta
   * method for a logarithm, the weights taken as they are.
   *
   * <p>Source: Vehtari, Gelman and Gabry (2017), section 2.1, and {@code mcse_elpd} of R's loo,
   * whose variance is the sum of the squares of these.
   *
   * @param logLikelihoods of the row at each draw. Not modified.
   * @param predictive log p̂, by {@link #logPredictiveDensity}
   * @param influence one element a draw, added to. Modified.
   */
  public void addInfluence(
      double[] logLikelihoods, double predictive, double factor, double[] influence) {
    for (int s = 0; s < logWeights.length; s++) {
      double weight = logWeights.length * Math.exp(logWeights[s]);
      influence[s] += factor * weight * Math.expm1(logLikelihoods[s] - predictive);
    }
  }

  /** Returns log Σ exp(x). */
  public static double logSumExp(double[] x) {
    double most = Arrays.stream(x).max().orElseThrow();
    if (!Double.isFinite(most)) {
      return most;
    }
    double sum = 0;
    for (double value : x) {
      sum += Math.exp(value - most);
    }
    return most + Math.log(sum);
  }
}
