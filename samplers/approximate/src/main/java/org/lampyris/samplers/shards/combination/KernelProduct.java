package org.lampyris.samplers.shards.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.lampyris.samplers.shards.combination.IndexChain.Components;

/**
 * Draws from the product of density estimates of the subposteriors. It is a mixture of n^S normal
 * components, one for each choice t of a draw of every shard, sampled by a Markov chain over t.
 *
 * <p>With θ_t the chosen draws, θ̄ their mean and h the bandwidth, a component of the kernel
 * product is N(θ̄, h²/S I) with weight w_t = Π_s N(θ_{t_s} | θ̄, h² I). A sweep proposes another
 * draw, uniformly, for each shard in turn and accepts by the ratio of weights; then θ is drawn from
 * the component. The bandwidth for draw i is i^(−1/(4+d)), times {@code bandwidth} if that is set.
 *
 * <p>Asymptotically exact as n grows and h vanishes. For a given n each estimate is wider than its
 * subposterior, by about √(1 + h²). The chain moves less for a smaller h, a larger d and
 * subposteriors that are farther apart: see the acceptance. Cost O(S n d), and O(S n d²) for the
 * coordinates.
 *
 * <p>Three choices are ours. Distances, and h, are in coordinates where the average of the
 * subposteriors' covariances is I, so no column's unit matters; h = 1 is one standard deviation of
 * a subposterior. There are {@value IndexChain#SWEEPS} sweeps for a draw instead of one, because
 * neighbouring states are much alike. And each chain begins with as many draws, at least {@value
 * #LEAST_WARMUP}, that are not returned: i counts them, too.
 *
 * <p>Source: Neiswanger, Wang and Xing (2014), "Asymptotically exact, embarrassingly parallel
 * MCMC", section 3.2, Algorithm 1; for the semiparametric product, section 3.3.
 */
public abstract sealed class KernelProduct implements Combination {
  private static final int LEAST_WARMUP = 1000;
  private static final double HARDLY_MOVES = 0.01;

  /** Returns whether kernels correct normal fits, or stand alone. */
  abstract boolean hasNormalFits();

  @Override
  public final Combined combine(Subposteriors draws, Setting setting) {
    Components components = Components.of(draws, hasNormalFits());
    double scale = setting.bandwidth() == null ? 1 : setting.bandwidth();
    double power = -1.0 / (4 + draws.dimension());
    int warmup = Math.max(LEAST_WARMUP, draws.perChain());
    List<IndexChain> chains = new ArrayList<>();
    double[][][] out =
        draws.drawn(
            setting.randomness(),
            rng -> {
              IndexChain chain = new IndexChain(components, rng, i -> scale * Math.pow(i, power));
              chains.add(chain);
              Stream.generate(chain).limit(warmup).forEach(draw -> {});
              return chain;
            });
    double[] acceptance = chains.stream().mapToDouble(IndexChain::acceptance).toArray();
    return new Combined(out, acceptance, notes(acceptance));
  }

  private List<String> notes(double[] acceptance) {
    double least = Arrays.stream(acceptance).min().orElseThrow();
    return least < HARDLY_MOVES
        ? List.of(
            ("%s: a chain accepted only %.2g %% of its proposals, so many of its draws are equal. A"
                    + " larger bandwidth accepts and smooths more.")
                .formatted(name(), 100 * least))
        : List.of();
  }

  /** The product of kernel estimates. */
  public static final class Nonparametric extends KernelProduct {
    @Override
    public String name() {
      return "kernel-product";
    }

    @Override
    boolean hasNormalFits() {
      return false;
    }
  }

  /**
   * Product of estimates that correct a normal fit by kernels, f̂_s(θ) ∝ N(θ | μ̂_s, Σ̂_s) Σ_i N(θ
   * | θ_{s,i}, h² I) / N(θ_{s,i} | μ̂_s, Σ̂_s). With N(μ̂, Σ̂) the product of the normal fits,
   * components are N(μ_t, Σ_t), Σ_t⁻¹ = S/h² I + Σ̂⁻¹, μ_t = Σ_t (S/h² θ̄ + Σ̂⁻¹ μ̂), with weights
   * W_t = w_t N(θ̄ | μ̂, Σ̂ + h²/S I) / Π_s N(θ_{t_s} | μ̂_s, Σ̂_s). It becomes the product of the
   * normal fits as h grows, so that too large a bandwidth costs less than without them.
   */
  public static final class Semiparametric extends KernelProduct {
    @Override
    public String name() {
      return "semiparametric";
    }

    @Override
    boolean hasNormalFits() {
      return true;
    }
  }
}
