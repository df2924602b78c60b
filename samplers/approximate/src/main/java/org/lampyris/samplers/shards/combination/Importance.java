package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;
import org.lampyris.samplers.random.Noise;

/**
 * Importance sampling: {@value #PROPOSALS} times as many draws as are wanted from the product of
 * the shards' normal distributions ({@link GaussianProduct}), resampled by the weights p(θ) Π
 * L_n(θ)/N(θ; μ̂, Σ̂) over all rows, with their tail smoothed (PSIS).
 *
 * <p>Right as far as the weights allow: their effective sample size is 1/Σ w². It is reported, with
 * the shape of their tail, and weights worth fewer than {@value #FEWEST} draws are refused.
 *
 * <p>Cost: {@value #PROPOSALS} evaluations of every row for each draw, in a few passes. Source:
 * Huang and Gelman (2005), "Sampling for Bayesian computation with large datasets".
 */
public final class Importance implements Combination {
  private static final int PROPOSALS = 4;
  private static final double FEWEST = 20;

  @Override
  public String name() {
    return "importance";
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    Gaussian product = Gaussian.product(Gaussian.ofShards(draws));
    int wanted = draws.chains() * draws.perChain();
    UniformRandomProvider rng = setting.randomness().chain(0);
    Noise noise = Noise.of(rng);
    double[][] thetas = new double[PROPOSALS * wanted][];
    double[] logRatios = new double[thetas.length];
    for (int i = 0; i < thetas.length; i++) {
      double[] z = noise.normals(draws.dimension());
      logRatios[i] = 0.5 * Arrays.stream(z).map(x -> x * x).sum();
      thetas[i] = product.unwhitened(z);
    }
    double[] logPosteriors = setting.rows().logPosteriors(thetas);
    Arrays.setAll(logRatios, i -> logRatios[i] + logPosteriors[i]);
    double[] weights = new double[thetas.length];
    double k = Double.POSITIVE_INFINITY;
    if (Arrays.stream(logRatios).anyMatch(Double::isFinite)) {
      ParetoSmoothing smoothed = ParetoSmoothing.of(logRatios, 1);
      Arrays.setAll(weights, i -> Math.exp(smoothed.logWeights()[i]));
      k = smoothed.k();
    }
    double squares = Arrays.stream(weights).map(w -> w * w).sum();
    double effective = squares > 0 ? 1 / squares : 0;
    if (!(effective >= FEWEST)) {
      throw UserException.data(
          Text.of(
              "sampler.shards.combine: importance has %,d proposals, but their weights are worth"
                  + " only %.1f draws: the product of the shards' normal distributions is far from"
                  + " the posterior. Set sampler.shards.combine: exact, or fewer shards.",
              thetas.length, effective));
    }
    int[] chosen = resampled(weights, wanted, rng);
    double limit = ParetoSmoothing.threshold(thetas.length);
    String found =
        Text.of(
            "importance weights of %,d proposals are worth %,.0f draws; %,d different ones are taken"
                + " (Pareto k-hat %.2f, reliable up to %.2f)",
            thetas.length, effective, Arrays.stream(chosen).distinct().count(), k, limit);
    double[][] taken =
        Arrays.stream(chosen).mapToObj(i -> thetas[i].clone()).toArray(double[][]::new);
    return draws.combined(
        draws.asChains(taken),
        k > limit
            ? new String[] {
              found,
              "The importance weights are unreliable: do not trust the tails of the combined draws."
                  + " Set sampler.shards.combine: exact."
            }
            : new String[] {found});
  }

  /** Returns indices, each as often as its weight says, rounded up or down, in random order. */
  private static int[] resampled(double[] weights, int count, UniformRandomProvider rng) {
    double u = rng.nextDouble();
    int[] chosen = new int[count];
    double upTo = 0;
    int k = 0;
    for (int i = 0; i < weights.length; i++) {
      upTo += weights[i];
      // The weights add up to 1 within rounding.
      while (k < count && ((k + u) / count < upTo || i == weights.length - 1)) {
        chosen[k++] = i;
      }
    }
    PermutationSampler.shuffle(rng, chosen);
    return chosen;
  }
}
