package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.random.Noise;

/**
 * The Weierstrass refinement sampler: Gibbs sampling of
 *
 * <pre>Π_s f_s(t_s) N(t_s | θ, B),   B = S h² Σ̂,
 * t_s | θ ∝ f_s(t_s) N(t_s | θ, B), on the rows of shard s,
 * θ | t_1 … t_S ~ N(mean of the t_s, B/S).</pre>
 *
 * <p>Each draw of the product of normal distributions ({@link GaussianProduct}, Σ̂ its covariance)
 * is refined by so many rounds of its own, all at once, a job a round. As h → 0 the target is the
 * product of the f_s. For normal ones it widens the variance to (1 + h²)Σ̂, and a round forgets a
 * share of about h²/(1 + h²) of its start. A step on t_s is {@value #STEPS} iterations of the
 * chains' kernel, from the last t_s, and to begin with from where it would be for normal f_s. Our
 * choice: B has the shape of Σ̂, where the authors have a diagonal. Cost of a round: as many
 * iterations on every shard for every draw.
 *
 * <p>Source: Wang and Dunson (2013), "Parallelizing MCMC via Weierstrass sampler", arXiv:1312.4605,
 * section 3 (refinement sampling, Gibbs updates).
 */
public final class WeierstrassGibbs implements Combination {
  private static final double BANDWIDTH = 0.3;
  private static final int STEPS = 3;

  @Override
  public String name() {
    return "weierstrass-gibbs";
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    List<Gaussian> shards = Gaussian.ofShards(draws);
    Gaussian product = Gaussian.product(shards);
    double h = setting.bandwidth() == null ? BANDWIDTH : setting.bandwidth();
    Gaussian spread = Gaussian.of(product.mean(), scaled(product.covariance(), h * h));
    List<Noise> noise =
        IntStream.rangeClosed(1, draws.chains())
            .mapToObj(c -> Noise.of(setting.randomness().chain(c)))
            .toList();
    double[][] theta =
        IntStream.range(0, draws.chains() * draws.perChain())
            .mapToObj(k -> product.unwhitened(normals(noise, draws, k)))
            .toArray(double[][]::new);
    List<double[][]> last =
        shards.stream()
            .map(shard -> normalGiven(theta, shard, precision(spread, shards.size()), noise))
            .toList();
    for (int round = 1; round <= setting.rounds(); round++) {
      double[][][][] moved =
          setting.rows().tilted(tilts(shards, spread, theta, last), 0, STEPS, round);
      last =
          Arrays.stream(moved)
              .map(shard -> Arrays.stream(shard).map(c -> c[STEPS - 1]).toArray(double[][]::new))
              .toList();
      for (int k = 0; k < theta.length; k++) {
        int at = k;
        double[] mean = Gaussian.mean(last.stream().map(shard -> shard[at]).toList());
        double[] step = Gaussian.times(spread.lower(), normals(noise, draws, k));
        theta[k] = new double[mean.length];
        Arrays.setAll(theta[k], j -> mean[j] + step[j]);
      }
    }
    return draws.combined(
        draws.asChains(theta),
        ("weierstrass-gibbs: %d rounds with a bandwidth of %.3g, which widens the sds of a normal"
                + " posterior by %.2g %%")
            .formatted(setting.rounds(), h, 100 * (Math.sqrt(1 + h * h) - 1)));
  }

  private static double[] normals(List<Noise> noise, Subposteriors draws, int k) {
    return noise.get(k / draws.perChain()).normals(draws.dimension());
  }

  /** Returns B⁻¹. */
  private static double[] precision(Gaussian spread, int shards) {
    return scaled(spread.precision(), 1.0 / shards);
  }

  /** Draws t_s | θ as for a normal f_s: the start of the chains. */
  private static double[][] normalGiven(
      double[][] theta, Gaussian shard, double[] precision, List<Noise> noise) {
    double[] own = Gaussian.times(shard.precision(), shard.mean());
    Gaussian about = Gaussian.of(shard.mean(), conditional(shard, precision));
    int each = theta.length / noise.size();
    return IntStream.range(0, theta.length)
        .mapToObj(
            k -> {
              double[] shift = Gaussian.times(precision, theta[k]);
              Arrays.setAll(shift, j -> shift[j] + own[j]);
              double[] mean = Gaussian.times(about.covariance(), shift);
              double[] t = about.unwhitened(noise.get(k / each).normals(shift.length));
              Arrays.setAll(t, j -> t[j] + mean[j] - about.mean()[j]);
              return t;
            })
        .toArray(double[][]::new);
  }

  private static double[] conditional(Gaussian shard, double[] precision) {
    double[] sum = shard.precision().clone();
    Arrays.setAll(sum, i -> sum[i] + precision[i]);
    return Cholesky.scaled(sum, shard.mean().length).orElseThrow().inverse();
  }

  /** Returns t_s | θ for every shard and draw. */
  private static List<ShardRows.Tilts> tilts(
      List<Gaussian> shards, Gaussian spread, double[][] theta, List<double[][]> last) {
    double[] precision = precision(spread, shards.size());
    List<double[]> shifts =
        Arrays.stream(theta).map(center -> Gaussian.times(precision, center)).toList();
    return IntStream.range(0, shards.size())
        .mapToObj(
            s ->
                new ShardRows.Tilts(
                    precision, conditional(shards.get(s), precision), shifts, List.of(last.get(s))))
        .toList();
  }

  private static double[] scaled(double[] matrix, double factor) {
    return Arrays.stream(matrix).map(x -> factor * x).toArray();
  }
}
