package org.lampyris.samplers.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Evidence of a model, ∫ p(θ) Π L_n(θ) dθ, by bridge sampling from kept draws of any exact
 * algorithm: one pass over the rows, for {@value #DRAWS} of the draws and {@value #DRAWS} draws of
 * a normal density g.
 *
 * <p>g has the mean and covariance of the first half of the draws. With q = p Π L_n, and draws θ_i
 * of the second half and θ̃_j of g, the evidence r is the fixed point of
 *
 * <pre>r = [mean_j q(θ̃_j)/(s₁q(θ̃_j) + s₂ r g(θ̃_j))] / [mean_i g(θ_i)/(s₁q(θ_i) + s₂ r g(θ_i))],
 * </pre>
 *
 * <p>s₁ and s₂ being the shares of the effective draws of both kinds: the optimal bridge. The
 * squared standard error of log r is the sum of the relative variances of the two means, the second
 * one by its effective sample size. Where scales are sampled, θ has the effects of groups, the
 * coefficients of smooths and the scales' coordinates too, and p is the density of all of them.
 *
 * <p>Source: Meng and Wong (1996), equation 4.1; Gronau et al. (2017), equations 15 and 16;
 * Frühwirth-Schnatter (2004), section 3, for the error.
 */
public final class BridgeSampling {
  /** Draws of each kind. */
  static final int DRAWS = 500;

  /** Fewest draws of all chains' first halves for each element of θ. */
  private static final int PER_ELEMENT = 5;

  /** Fewest draws of a chain's half. */
  private static final int FEWEST = 20;

  private static final int MOST_STEPS = 1000;
  private static final double TOLERANCE = 1e-12;

  /** Where the evidence comes from. */
  public enum When {
    /** From algorithms that know it. */
    OWN,
    /** By bridge sampling, unless the algorithm knows it. */
    BRIDGE
  }

  private BridgeSampling() {}

  /**
   * Returns the evidence, or why there is none.
   *
   * @param settings which algorithm has drawn
   * @param chains its draws, in chains of equal length
   */
  public static Decision evidence(
      SamplerSettings settings, SamplingContext context, List<ChainTrace> chains) {
    ProductPrior prior = context.model().prior();
    String reason = obstacle(settings, context, chains);
    if (!reason.isEmpty()) {
      return Decision.of(Decision.EVIDENCE, "no evidence, because " + reason);
    }
    LaplaceApproximation g;
    try {
      g = fitted(chains);
    } catch (IllegalArgumentException e) {
      return Decision.of(
          Decision.EVIDENCE, "no evidence, because the draws do not vary in all directions");
    }
    int each = Math.min(chains.get(0).size() / 2, Math.max(FEWEST, DRAWS / chains.size()));
    List<double[]> thetas = new ArrayList<>();
    for (ChainTrace chain : chains) {
      int half = chain.size() - chain.size() / 2;
      for (int i = 0; i < each; i++) {
        thetas.add(chain.draws().get(half + (int) ((long) i * (chain.size() / 2) / each)));
      }
    }
    int drawn = thetas.size();
    UniformRandomProvider rng = context.streams().stream(Streams.Purpose.BRIDGE, 0, 0, 0);
    Preconditioner factor = Preconditioner.of(g);
    for (int j = 0; j < DRAWS; j++) {
      double[] theta = g.mode().clone();
      factor.addTo(Noise.of(rng).normals(theta.length), 1, theta);
      thetas.add(theta);
    }
    double[] logs = logRatios(context, prior, g, thetas);
    double[][] ofDraws =
        IntStream.range(0, chains.size())
            .mapToObj(c -> Arrays.copyOfRange(logs, c * each, (c + 1) * each))
            .toArray(double[][]::new);
    Bridge bridge = Bridge.of(ofDraws, Arrays.copyOfRange(logs, drawn, logs.length));
    return Decision.of(
        Decision.EVIDENCE,
        Map.of(Decision.LOG_EVIDENCE, bridge.logEvidence, Decision.STANDARD_ERROR, bridge.error),
        Text.of(
            "log evidence %.4f, standard error %.2g, by bridge sampling",
            bridge.logEvidence, bridge.error));
  }

  private static String obstacle(
      SamplerSettings settings, SamplingContext context, List<ChainTrace> chains) {
    ProductPrior prior = context.model().prior();
    SamplingAlgorithm algorithm = settings.type().orElseThrow();
    if (!algorithm.isExact(settings.own()) || algorithm.prior(context, settings.own()) != prior) {
      return Text.of(
          "the draws of %s are not from the posterior of this model. Set sampler.algorithm: auto",
          algorithm.name());
    }
    if (prior.monotonic() != null) {
      return "bridge sampling does not know the constant of the prior of monotonic effects, mo(x)";
    }
    boolean levels = prior.term() instanceof ScaledPrior scales && scales.logConstant().isPresent();
    if (!levels && prior.term() != null) {
      return "bridge sampling needs proper priors of scales, and does not integrate over"
          + " horseshoes";
    }
    if (!levels && !context.model().random().isEmpty()) {
      return "bridge sampling integrates over effects of groups only if they are coefficients. Set"
          + " sampler.algorithm: metropolis";
    }
    return prior.improper(context.model().coefficients()).orElseGet(() -> tooFew(chains));
  }

  /** Returns that there are too few draws for a normal density of their moments; empty if not. */
  private static String tooFew(List<ChainTrace> chains) {
    int d = chains.get(0).draws().get(0).length;
    int fewest = Math.max(2 * FEWEST, 2 * PER_ELEMENT * d / chains.size());
    return chains.get(0).size() < fewest
        ? Text.of("it takes %,d draws of each chain. Raise sampler.draws", fewest)
        : "";
  }

  /** Returns the normal density with the moments of the first half of the draws. */
  private static LaplaceApproximation fitted(List<ChainTrace> chains) {
    int d = chains.get(0).draws().get(0).length;
    double[] mean = new double[d];
    double[] covariance = new double[d * d];
    int half = chains.get(0).size() - chains.get(0).size() / 2;
    double count = (double) half * chains.size();
    for (ChainTrace chain : chains) {
      for (double[] theta : chain.draws().subList(0, half)) {
        for (int j = 0; j < d; j++) {
          mean[j] += theta[j] / count;
        }
      }
    }
    for (ChainTrace chain : chains) {
      for (double[] theta : chain.draws().subList(0, half)) {
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            covariance[i * d + j] += (theta[i] - mean[i]) * (theta[j] - mean[j]) / (count - 1);
          }
        }
      }
    }
    return new LaplaceApproximation(mean, covariance);
  }

  /** Returns log q(θ) − log g(θ), in one pass over the rows. */
  private static double[] logRatios(
      SamplingContext context, ProductPrior prior, LaplaceApproximation g, List<double[]> thetas) {
    double[] logs = LogPosteriors.at(context, prior, thetas.size(), thetas::get);
    int d = g.dimension();
    double constant = 0.5 * d * Math.log(2 * Math.PI);
    if (prior.term() instanceof ScaledPrior scales) {
      constant += scales.logConstant().orElseThrow();
    }
    for (int j = 0; j < d; j++) {
      constant += Math.log(g.lower()[j * d + j]);
    }
    for (int i = 0; i < logs.length; i++) {
      double distance = g.distance(thetas.get(i));
      logs[i] += constant + 0.5 * distance * distance;
    }
    return logs;
  }

  /** log r and its standard error. */
  record Bridge(double logEvidence, double error) {
    /**
     * Solves for r.
     *
     * @param ofDraws log q − log g of posterior draws, chains × draws. Not modified.
     * @param ofNormal log q − log g of draws of g. Not modified.
     */
    static Bridge of(double[][] ofDraws, double[] ofNormal) {
      double[] pooled = Arrays.stream(ofDraws).flatMapToDouble(Arrays::stream).sorted().toArray();
      double shift = pooled[pooled.length / 2];
      double effective = effective(ofDraws);
      double s1 = effective / (effective + ofNormal.length);
      double s2 = 1 - s1;
      double r = 1;
      for (int step = 0; step < MOST_STEPS; step++) {
        double at = r;
        double above =
            Arrays.stream(ofNormal)
                .map(l -> 1 / (s1 + s2 * at * Math.exp(shift - l)))
                .average()
                .orElseThrow();
        double below =
            Arrays.stream(pooled)
                .map(l -> 1 / (s1 * Math.exp(l - shift) + s2 * at))
                .average()
                .orElseThrow();
        r = above / below;
        if (Math.abs(r - at) <= TOLERANCE * r) {
          break;
        }
      }
      double log = shift + Math.log(r);
      double[] f1 = Arrays.stream(ofNormal).map(l -> 1 / (s1 + s2 * Math.exp(log - l))).toArray();
      double[][] f2 =
          Arrays.stream(ofDraws)
              .map(chain -> Arrays.stream(chain).map(l -> 1 / (s1 * Math.exp(l - log) + s2)))
              .map(chain -> chain.toArray())
              .toArray(double[][]::new);
      double[] allF2 = Arrays.stream(f2).flatMapToDouble(Arrays::stream).toArray();
      double squared = relativeVariance(f1) / f1.length + relativeVariance(allF2) / effective(f2);
      return new Bridge(log, Math.sqrt(squared));
    }

    private static double effective(double[][] draws) {
      double most = (double) draws.length * draws[0].length;
      double ess = Diagnostics.essMean(draws);
      return ess > 0 ? Math.min(most, ess) : most;
    }

    private static double relativeVariance(double[] values) {
      double mean = Arrays.stream(values).average().orElseThrow();
      double square =
          Arrays.stream(values).map(x -> (x - mean) * (x - mean)).average().orElseThrow();
      return square / (mean * mean);
    }
  }
}
