package org.lampyris.samplers.selection;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/**
 * Proposal probabilities of features to enter and to leave. With r_f the posterior odds of feature
 * f being in, given which others are, by the approximation,
 *
 * <pre>log r_f = log p(γ with f)/p(γ without f) + log p_f(0) + ½ μᵀS⁻¹μ + ½ log |2πS|,</pre>
 *
 * <p>μ and S the approximation's mean and covariance of the coefficients x of f in the model with f
 * and p_f their slab, a feature that is out is proposed with a weight of r_f/(1 + r_f), and one
 * that is in with 1/(1 + r_f), {@value #FLOOR}/D being added to each: those of which the data say
 * nearly for sure that they are in, or out, are not what a chain has to find out. With equal
 * weights, as in the paper, nearly every birth adds a feature without effect.
 *
 * <p>Source: Zanella (2020), section 2, with Barker's balancing function, and an approximation in
 * the place of the target.
 *
 * @param features what comes and goes
 * @param submodels the approximation
 * @param atZero log p_f(0) of each feature; with a {@link SharedScale}, at the scale of the mode
 * @param rate λ
 */
record CandidateFeatures(Features features, Submodels submodels, double[] atZero, double rate)
    implements Serializable {
  /** Sum of the constants added to the weights. */
  private static final double FLOOR = 0.1;

  /** Returns them, with the prior of models and coefficients. */
  static CandidateFeatures of(InclusionPrior prior, LaplaceApproximation laplace) {
    double usual = usualScale(prior, laplace.mode());
    double[] atZero =
        prior.features().elements().stream()
            .mapToDouble(own -> Arrays.stream(own).mapToDouble(j -> atZero(prior, j, usual)).sum())
            .toArray();
    return new CandidateFeatures(prior.features(), Submodels.of(laplace), atZero, prior.rate());
  }

  /** Returns the mean |θ_j| of all features at the mode, within the ends of a shared scale. */
  private static double usualScale(InclusionPrior prior, double[] mode) {
    SharedScale shared = prior.shared();
    double mean =
        prior.features().elements().stream()
            .flatMapToInt(Arrays::stream)
            .mapToDouble(j -> Math.abs(mode[j]))
            .average()
            .orElse(0);
    return shared == null ? Double.NaN : Math.min(shared.largest(), Math.max(shared.least(), mean));
  }

  private static double atZero(InclusionPrior prior, int j, double scale) {
    return prior.shared() == null
        ? prior.slab().factors().get(j).logDensity(0)
        : -Math.log(2 * scale);
  }

  /** Returns the model with the features that are in. */
  Submodels.Submodel model(boolean[] in) {
    return submodels.of(features.present(in));
  }

  /**
   * Returns the probabilities with which features are proposed to leave, or to enter; 0 for
   * features that cannot. Cost O(D|I|² + |I|³).
   *
   * @param in which features are in
   * @param leaving whether one of those is proposed to leave, or one of the others to enter
   * @param except a feature that is not proposed; −1 for none
   */
  double[] probabilities(boolean[] in, boolean leaving, int except) {
    int[] those = Features.numbers(in.length, f -> in[f] == leaving && f != except);
    double[] odds = leaving ? ofThose(in, those) : ofOthers(in, those);
    int k = Features.size(in) - (leaving ? 1 : 0);
    double prior = Math.log(rate / (in.length - k));
    double[] weights = new double[in.length];
    double sum = 0;
    for (int i = 0; i < those.length; i++) {
      double log = prior + atZero[those[i]] + odds[i];
      weights[those[i]] = FLOOR / in.length + 1 / (1 + Math.exp(leaving ? log : -log));
      sum += weights[those[i]];
    }
    for (int f : those) {
      weights[f] /= sum;
    }
    return weights;
  }

  /** Returns the approximation's share of log r_f for features that are in. */
  private double[] ofThose(boolean[] in, int[] those) {
    if (those.length == 0) {
      return new double[0];
    }
    int[] present = features.present(in);
    LaplaceApproximation density = submodels.of(present).density();
    return Arrays.stream(those)
        .mapToDouble(f -> logOdds(marginal(density, present, features.elements().get(f))))
        .toArray();
  }

  private static LaplaceApproximation marginal(
      LaplaceApproximation density, int[] present, int[] elements) {
    int g = elements.length;
    double[] mean = new double[g];
    double[] covariance = new double[g * g];
    for (int a = 0; a < g; a++) {
      int row = Arrays.binarySearch(present, elements[a]);
      mean[a] = density.mode()[row];
      for (int b = 0; b < g; b++) {
        int column = Arrays.binarySearch(present, elements[b]);
        covariance[a * g + b] = density.covariance()[row * present.length + column];
      }
    }
    return new LaplaceApproximation(mean, covariance);
  }

  /** Returns the approximation's share of log r_f for features that are out. */
  private double[] ofOthers(boolean[] in, int[] those) {
    Submodels.Submodel model = model(in);
    return Arrays.stream(those)
        .mapToDouble(f -> logOdds(model.entry(features.elements().get(f)).marginal()))
        .toArray();
  }

  private static double logOdds(LaplaceApproximation marginal) {
    int g = marginal.dimension();
    double distance = marginal.distance(new double[g]);
    double log = 0.5 * distance * distance + 0.5 * g * Math.log(2 * Math.PI);
    for (int a = 0; a < g; a++) {
      log += Math.log(marginal.lower()[a * g + a]);
    }
    return log;
  }
}
