package org.lampyris.samplers.austerity;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.samplers.minibatch.StudentDecision;

/**
 * Properties of a whole sequential test, by the normal approximation of its statistics.
 *
 * <p><b>Derivation.</b> After n of N rows, drawn without replacement, the mean has the variance
 * σ²/n·(N − n)/(N − 1). With r = n/(N − n) the statistic is t = (v̄ − μ_0)√((N − 1)r)/σ, with mean
 * μ_std√r, μ_std = (μ − μ_0)√(N − 1)/σ, and variance 1. Given the mean of the first k rows, the
 * mean of the first n &lt; k of them has the same expectation, so cov(v̄_n, v̄_k) = var(v̄_k), and
 * cov(t_n, t_k) = √(r_n/r_k). Hence y = t√r is a Brownian motion in r with the drift μ_std,
 * observed at multiples n of m, which stops at |y| &gt; G√r, G = Φ⁻¹(1 − ε), times the factor of
 * the {@linkplain StudentDecision.Boundary boundary}. Tests that reach N are decided exactly.
 *
 * <p>The density of y among continuing tests is propagated from look to look by Simpson's rule,
 * with at least {@value #LEAST_NODES} nodes, and two for each standard deviation of a step. Cost:
 * the number of looks times their square; of k looks the last has about 4G√k.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 5.1; the transition is derived here.
 *
 * @param error E, the probability of the wrong decision
 * @param dataUse π̄, the expected share of the rows that are looked at
 */
public record TestProperties(double error, double dataUse) {
  private static final int LEAST_NODES = 61;
  private static final double ROOT_2_PI = Math.sqrt(2 * Math.PI);

  /** Standard deviations beyond which the density is taken as 0. */
  private static final double FAR = 9;

  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /**
   * Computes both.
   *
   * @param standardized μ_std; its sign does not matter
   * @param batch m
   * @param epsilon ε, above 0
   */
  public static TestProperties of(double standardized, long rows, long batch, double epsilon) {
    return of(standardized, rows, new StudentDecision(batch, epsilon));
  }

  /**
   * Computes both.
   *
   * @param standardized μ_std; its sign does not matter
   * @param test of a chain's first iteration, with ε above 0
   */
  public static TestProperties of(double standardized, long rows, StudentDecision test) {
    double drift = Math.abs(standardized);
    long batch = test.batch();
    double epsilon = test.epsilon();
    double boundary = NORMAL.inverseSurvivalProbability(epsilon);
    double[] density = {1};
    double[] at = {0};
    double r = 0;
    double error = 0;
    double use = 0;
    double going = 1;
    for (long n = batch; n < rows; n += batch) {
      double next = (double) n / (rows - n);
      double mean = drift * (next - r);
      double sd = Math.sqrt(next - r);
      double edge = boundary * test.boundary().factor((double) n / rows) * Math.sqrt(next);
      double below = 0;
      double above = 0;
      for (int i = 0; i < at.length; i++) {
        below += density[i] * NORMAL.cumulativeProbability((-edge - at[i] - mean) / sd);
        above += density[i] * NORMAL.survivalProbability((edge - at[i] - mean) / sd);
      }
      error += below;
      use += (below + above) * n / rows;
      going -= below + above;
      int last = 2 * (int) Math.ceil(Math.max(0.5 * (LEAST_NODES - 1), 2 * edge / sd));
      double[] nodes = new double[last + 1];
      double[] weighted = new double[last + 1];
      for (int k = 0; k <= last; k++) {
        nodes[k] = edge * (2.0 * k / last - 1);
        double sum = 0;
        for (int i = 0; i < at.length; i++) {
          double z = (nodes[k] - at[i] - mean) / sd;
          sum += Math.abs(z) > FAR ? 0 : density[i] * Math.exp(-0.5 * z * z);
        }
        double weight = k == 0 || k == last ? 1 : k % 2 == 1 ? 4 : 2;
        weighted[k] = sum / (sd * ROOT_2_PI) * weight * edge * 2 / last / 3;
      }
      density = weighted;
      at = nodes;
      r = next;
    }
    return new TestProperties(error, use + Math.max(0, going));
  }
}
