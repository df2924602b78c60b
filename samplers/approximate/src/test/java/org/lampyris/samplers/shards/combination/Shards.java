package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.shards.combination.Combination.Combined;
import org.lampyris.samplers.shards.combination.Combination.Setting;

/** Independent draws of subposteriors that are known, and what combinations are given. */
final class Shards {
  private Shards() {}

  /** Returns draws of each shard, chains × perChain, one after the other. */
  static Subposteriors draws(
      int shards, int chains, int perChain, IntFunction<Supplier<double[]>> shard) {
    double[][][][] draws = new double[shards][chains][perChain][];
    for (int s = 0; s < shards; s++) {
      Supplier<double[]> next = shard.apply(s);
      for (double[][] chain : draws[s]) {
        Arrays.setAll(chain, i -> next.get());
      }
    }
    return new Subposteriors(draws);
  }

  /** Returns draws of normal distributions. */
  static Supplier<double[]> normal(Gaussian gaussian, UniformRandomProvider rng) {
    Noise noise = Noise.of(rng);
    return () -> gaussian.unwhitened(noise.normals(gaussian.mean().length));
  }

  /** Returns draws of a Gamma distribution, in one dimension. */
  static Supplier<double[]> gamma(double shape, double rate, UniformRandomProvider rng) {
    ContinuousSampler gamma = AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, 1 / rate);
    return () -> new double[] {gamma.sample()};
  }

  static UniformRandomProvider rng(long seed, int what) {
    return new Streams(seed).iteration(what, 1);
  }

  static Setting setting(long seed, @Nullable Double bandwidth) {
    return new Setting(bandwidth, 10, 0.5, chain -> rng(seed, 1000 + chain), new NoRows());
  }

  static double[][] pooled(Combined combined) {
    return Arrays.stream(combined.draws()).flatMap(Arrays::stream).toArray(double[][]::new);
  }

  /** Returns settings whose rows have a log posterior. */
  static Setting onRows(long seed, ToDoubleFunction<double[]> logPosterior) {
    NoRows rows =
        new NoRows() {
          @Override
          public double[] logPosteriors(double[][] thetas) {
            return Arrays.stream(thetas).mapToDouble(logPosterior).toArray();
          }
        };
    return new Setting(null, 10, 0.5, chain -> rng(seed, 1000 + chain), rows);
  }

  /** Pure functions of the draws ask for no rows. */
  private static class NoRows implements ShardRows {
    @Override
    public double[][][][] tilted(List<Tilts> shards, int warmup, int draws, int round) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double[] logPosteriors(double[][] thetas) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Combined corrected(double[] mean, double[] covariance) {
      throw new UnsupportedOperationException();
    }
  }
}
