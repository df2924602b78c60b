package org.lampyris.samplers.shards.combination;

import org.lampyris.samplers.random.Noise;

/**
 * Independent draws from N(μ̂, Σ̂), Σ̂ = (Σ_s Σ̂_s⁻¹)⁻¹, μ̂ = Σ̂ Σ_s Σ̂_s⁻¹ μ̂_s: the product of
 * the normal distributions with the moments of each shard's draws.
 *
 * <p>Exact, up to the error of the moments, where the subposteriors are normal, which they approach
 * as the shards' rows become many; whatever else they are is lost. Cost O(S n d² + S d³).
 *
 * <p>Source: Neiswanger, Wang and Xing (2014), "Asymptotically exact, embarrassingly parallel
 * MCMC", section 3.1.
 */
public final class GaussianProduct implements Combination {
  @Override
  public String name() {
    return "gaussian-product";
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    Gaussian product = Gaussian.product(Gaussian.ofShards(draws));
    return draws.combined(
        draws.drawn(
            setting.randomness(),
            rng -> {
              Noise noise = Noise.of(rng);
              return () -> product.unwhitened(noise.normals(draws.dimension()));
            }));
  }
}
