package org.lampyris.samplers.laplace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.run.Bias;

/**
 * Measured bias of the normal approximation g: the means and standard deviations of its draws
 * against those by importance weights, which are the posterior's.
 *
 * <p>With z of coefficient j in any unit, normalised weights w_s of S draws, m = Σ w_s z_s, v = Σ
 * w_s (z_s − m)², z̄ and v₀ the same with equal weights: the mean is off by (z̄ − m)/√v, and the
 * standard deviation by a factor of √(v₀/v). Both averages are over the same draws, so most of
 * their noise cancels. By the delta method, the squared standard errors are the mean squares over
 * draws of
 *
 * <pre>
 *   [(z_s − z̄) − S w_s (z_s − m)]/√v
 *   ½[((z_s − z̄)²/v₀ − 1) − S w_s ((z_s − m)²/v − 1)]
 * </pre>
 *
 * <p>divided by S. Source: Owen (2013), "Monte Carlo theory, methods and examples", section 9.2,
 * for self-normalised weights. Cost O(Sd), and three times the draws.
 */
final class ImportanceBias {
  private final List<String> names;
  private final Worst mean;
  private final Worst sd;

  /**
   * Largest difference of a figure over coefficients.
   *
   * @param index the coefficient
   */
  private record Worst(int index, double difference, double error) {
    static Worst of(double[] differences, double[] errors) {
      int worst = 0;
      for (int j = 1; j < differences.length; j++) {
        worst = Math.abs(differences[j]) > Math.abs(differences[worst]) ? j : worst;
      }
      return new Worst(worst, differences[worst], errors[worst]);
    }
  }

  /**
   * Measures.
   *
   * @param names the coefficients, in the order of θ
   * @param weights of the draws
   * @param thetas the draws, by number from 0
   */
  ImportanceBias(List<String> names, ImportanceWeights weights, IntFunction<double[]> thetas) {
    this.names = names;
    int d = names.size();
    int size = weights.size();
    double[] weighted = new double[d];
    double[] plain = new double[d];
    for (int s = 0; s < size; s++) {
      double[] z = thetas.apply(s);
      double w = weights.weight(s);
      for (int j = 0; j < d; j++) {
        weighted[j] += w * z[j];
        plain[j] += z[j] / size;
      }
    }
    double[] variance = new double[d];
    double[] plainVariance = new double[d];
    for (int s = 0; s < size; s++) {
      double[] z = thetas.apply(s);
      double w = weights.weight(s);
      for (int j = 0; j < d; j++) {
        variance[j] += w * (z[j] - weighted[j]) * (z[j] - weighted[j]);
        plainVariance[j] += (z[j] - plain[j]) * (z[j] - plain[j]) / size;
      }
    }
    double[] ofMeans = new double[d];
    double[] ofSds = new double[d];
    for (int s = 0; s < size; s++) {
      double[] z = thetas.apply(s);
      double w = size * weights.weight(s);
      for (int j = 0; j < d; j++) {
        double here = z[j] - plain[j];
        double there = z[j] - weighted[j];
        double ofMean = here - w * there;
        double ofSd =
            0.5 * (here * here / plainVariance[j] - 1)
                - 0.5 * w * (there * there / variance[j] - 1);
        ofMeans[j] += ofMean * ofMean / variance[j];
        ofSds[j] += ofSd * ofSd;
      }
    }
    double[] means = new double[d];
    double[] sds = new double[d];
    for (int j = 0; j < d; j++) {
      means[j] = (plain[j] - weighted[j]) / Math.sqrt(variance[j]);
      sds[j] = 0.5 * Math.log(plainVariance[j] / variance[j]);
      ofMeans[j] = Math.sqrt(ofMeans[j]) / size;
      ofSds[j] = Math.sqrt(ofSds[j]) / size;
    }
    mean = Worst.of(means, ofMeans);
    sd = Worst.of(sds, ofSds);
  }

  /**
   * Returns the measured bias.
   *
   * @param knob the key that lessens it, with its value
   * @param corrected whether the draws of the run are corrected by the weights
   */
  Bias of(ImportanceWeights weights, String knob, boolean corrected) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("weighted_draws", (double) weights.size());
    if (Double.isFinite(weights.k())) {
      figures.put("pareto_k", weights.k());
    }
    if (Double.isFinite(weights.tail())) {
      figures.put("pareto_tail", weights.tail());
    }
    figures.put("largest_mean_difference_in_sds", mean.difference);
    figures.put("its_monte_carlo_error", mean.error);
    figures.put("farthest_sd_ratio", Math.exp(sd.difference));
    figures.put("its_relative_monte_carlo_error", sd.error);
    return new Bias(
        knob,
        figures,
        Text.of(
            "%s by importance weights of %,d draws (%s): the mean of %s differs most, by %.2g"
                + " posterior sds (Monte-Carlo error %.2g), the sd of %s by a factor of %.3g"
                + " (relative Monte-Carlo error %.2g)%s (%s)",
            corrected ? "of the normal approximation, before its correction" : "measured",
            weights.size(),
            weights.shape(),
            names.get(mean.index),
            mean.difference,
            mean.error,
            names.get(sd.index),
            Math.exp(sd.difference),
            sd.error,
            corrected ? Text.of("; the weights are worth %,.0f draws", weights.effective()) : "",
            knob));
  }
}
