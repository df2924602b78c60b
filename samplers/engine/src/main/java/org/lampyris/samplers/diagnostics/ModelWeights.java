package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Weights of K models for an average of their predictive densities, not negative and together 1.
 *
 * <p>They need e_ik = log p_k(y_i | the other rows) at m of the N rows that the models were fitted
 * to, of which row i stands for c_i. Source: Yao, Vehtari, Simpson and Gelman (2018), "Using
 * stacking to average Bayesian predictive distributions".
 */
public final class ModelWeights {
  /** Replicates of the Bayesian bootstrap. */
  private static final int REPLICATES = 1000;

  /** Distance of the mean log score from its maximum, in natural log. */
  private static final double TOLERANCE = 1e-7;

  private static final int MOST_STEPS = 200_000;

  private ModelWeights() {}

  /**
   * Returns the weights w that maximise the mean log score, Σ_i c_i log Σ_k w_k exp(e_ik): stacking
   * (equation 4).
   *
   * <p>With the gradient g_k = Σ_i c_i p_ik/Σ_l w_l p_il over Σ c_i, a step multiplies w_k by g_k,
   * which never lowers the score. The score is concave, so it is at most max g_k − 1 below its
   * maximum; the steps end if that is below 10⁻⁷. Cost O(Km) a step.
   *
   * @param elpd e, K × m, natural log. Not modified.
   * @param copies c. Not modified.
   */
  public static double[] stacking(double[][] elpd, double[] copies) {
    int models = elpd.length;
    int rows = copies.length;
    double[][] density = new double[models][rows];
    for (int i = 0; i < rows; i++) {
      int row = i;
      double most = Arrays.stream(elpd).mapToDouble(of -> of[row]).max().orElseThrow();
      for (int k = 0; k < models; k++) {
        density[k][i] = Math.exp(elpd[k][i] - most);
      }
    }
    double total = Arrays.stream(copies).sum();
    double[] weights = new double[models];
    Arrays.fill(weights, 1.0 / models);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] gradient = new double[models];
      for (int i = 0; i < rows; i++) {
        double mixture = 0;
        for (int k = 0; k < models; k++) {
          mixture += weights[k] * density[k][i];
        }
        for (int k = 0; k < models; k++) {
          gradient[k] += copies[i] / total * density[k][i] / mixture;
        }
      }
      if (Arrays.stream(gradient).max().orElseThrow() < 1 + TOLERANCE) {
        break;
      }
      double sum = 0;
      for (int k = 0; k < models; k++) {
        weights[k] *= gradient[k];
        sum += weights[k];
      }
      for (int k = 0; k < models; k++) {
        weights[k] /= sum;
      }
    }
    return weights;
  }

  /**
   * Returns pseudo-BMA+ weights (section 3.4): the mean over a Bayesian bootstrap of exp(z_k)/Σ_l
   * exp(z_l), z_k the elpd of a replicate.
   *
   * <p>With exponential numbers g_i, z_k = elpd_k + √(N/Σc) Σ_i √c_i (g_i − 1)(e_ik − ē_k)/ḡ, where
   * ē_k and ḡ are means weighted by c. If all rows are known and c_i = 1, that is N Σ α_i e_ik with
   * α from Dirichlet(1, …, 1). Otherwise its variance is what N rows would have.
   *
   * @param elpd e, K × m, natural log. Not modified.
   * @param copies c. Not modified.
   * @param totals elpd_k of all rows. Not modified.
   * @param all N
   */
  public static double[] pseudoBma(
      double[][] elpd, double[] copies, double[] totals, double all, UniformRandomProvider rng) {
    int models = elpd.length;
    int rows = copies.length;
    double known = Arrays.stream(copies).sum();
    double[] means = new double[models];
    for (int k = 0; k < models; k++) {
      for (int i = 0; i < rows; i++) {
        means[k] += copies[i] * elpd[k][i] / known;
      }
    }
    double scale = Math.sqrt(all / known);
    double[] weights = new double[models];
    for (int replicate = 0; replicate < REPLICATES; replicate++) {
      double[] moved = new double[models];
      double mean = 0;
      for (int i = 0; i < rows; i++) {
        double g = -Math.log1p(-rng.nextDouble());
        mean += copies[i] * g / known;
        double by = scale * Math.sqrt(copies[i]) * (g - 1);
        for (int k = 0; k < models; k++) {
          moved[k] += by * (elpd[k][i] - means[k]);
        }
      }
      for (int k = 0; k < models; k++) {
        moved[k] = totals[k] + moved[k] / mean;
      }
      double[] of = normalised(moved);
      for (int k = 0; k < models; k++) {
        weights[k] += of[k] / REPLICATES;
      }
    }
    return weights;
  }

  /** Returns exp(x_k)/Σ_l exp(x_l). Not modified. */
  public static double[] normalised(double[] x) {
    double sum = ParetoSmoothing.logSumExp(x);
    return Arrays.stream(x).map(value -> Math.exp(value - sum)).toArray();
  }
}
