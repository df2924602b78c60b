package org.lampyris.samplers.shards.combination;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.sampling.distribution.AliasMethodDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;

/**
 * M-posterior: draws from the mixture Σ_s w_s f_s of raised subposteriors that is their geometric
 * median, argmin_Q Σ_s ‖Q − f_s‖. Here ‖·‖ is the distance of mean embeddings with the kernel k(x,
 * y) = exp(−|x − y|²/(2σ²)).
 *
 * <p>The weights are found by Weiszfeld's iteration w_s ∝ 1/‖Σ_r w_r f_r − f_s‖ from equal ones;
 * then those below 1/(2S) are set to 0, as in the paper. Fewer than half of the shards, however far
 * off, move the median by a bounded amount. It is no approximation of the posterior beyond that: it
 * is about as wide as one subposterior, and centred among theirs.
 *
 * <p>Ours are the coordinates, in which the average of the subposteriors' covariances is I, and σ,
 * the median distance between draws of all shards there. The distances are computed from at most
 * {@value #MOST_POINTS} draws a shard, evenly spaced: cost O(S² m² d), plus O(S n d²). Output draws
 * are taken from all of them.
 *
 * <p>Source: Minsker, Srivastava, Lin and Dunson (2017), "Robust and scalable Bayes via a median of
 * subset posterior measures", JMLR 18, Algorithms 1 and 2; first in ICML 2014.
 */
public final class MedianPosterior implements Combination {
  private static final int MOST_POINTS = 300;
  private static final int MOST_ITERATIONS = 1000;
  private static final double CONVERGED = 1e-10;

  @Override
  public String name() {
    return "m-posterior";
  }

  @Override
  public Subposterior subposterior() {
    return Subposterior.RAISED;
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    double[] weights = weights(draws);
    List<double[][]> pooled = draws.thinned(Integer.MAX_VALUE);
    double[][][] out =
        draws.drawn(
            setting.randomness(),
            rng -> {
              DiscreteSampler shard = AliasMethodDiscreteSampler.of(rng, weights);
              return () -> {
                double[][] rows = pooled.get(shard.sample());
                return rows[rng.nextInt(rows.length)].clone();
              };
            });
    long left = Arrays.stream(weights).filter(w -> w > 0).count();
    return draws.combined(
        out,
        "m-posterior: a mixture of %d of %d shards; the largest weight is %.3f."
            .formatted(left, weights.length, Arrays.stream(weights).max().orElseThrow()));
  }

  /** Returns the weight of each shard. */
  static double[] weights(Subposteriors draws) {
    Gaussian scale = Gaussian.average(Gaussian.ofShards(draws));
    List<double[][]> points = draws.thinned(MOST_POINTS).stream().map(scale::whitened).toList();
    double[] weights = median(gram(points, medianSquare(points)));
    double least = 0.5 / weights.length;
    double kept = Arrays.stream(weights).filter(w -> w >= least).sum();
    return Arrays.stream(weights).map(w -> w >= least ? w / kept : 0).toArray();
  }

  /** Returns the median of |x − y|² over pairs of some points of all shards. */
  private static double medianSquare(List<double[][]> points) {
    double[][] all = points.stream().flatMap(Arrays::stream).toArray(double[][]::new);
    int step = Math.max(1, all.length / MOST_POINTS);
    double[][] some = new double[(all.length + step - 1) / step][];
    Arrays.setAll(some, i -> all[i * step]);
    double[] squares = new double[some.length * (some.length - 1) / 2];
    int next = 0;
    for (int i = 0; i < some.length; i++) {
      for (int j = 0; j < i; j++) {
        squares[next++] = Gaussian.squaredDistance(some[i], some[j]);
      }
    }
    Arrays.sort(squares);
    return squares[squares.length / 2];
  }

  /** Returns ⟨f_s, f_r⟩, the mean of k over pairs of a point of either. */
  private static double[][] gram(List<double[][]> points, double sigmaSquare) {
    double[][] gram = new double[points.size()][points.size()];
    for (int s = 0; s < gram.length; s++) {
      for (int r = 0; r <= s; r++) {
        double sum = 0;
        for (double[] x : points.get(s)) {
          for (double[] y : points.get(r)) {
            sum += Math.exp(-Gaussian.squaredDistance(x, y) / (2 * sigmaSquare));
          }
        }
        gram[s][r] = sum / points.get(s).length / points.get(r).length;
        gram[r][s] = gram[s][r];
      }
    }
    return gram;
  }

  /** Returns the weights of the geometric median of vectors with these inner products. */
  static double[] median(double[][] gram) {
    double[] weights = new double[gram.length];
    Arrays.fill(weights, 1.0 / gram.length);
    double change = 1;
    for (int i = 0; i < MOST_ITERATIONS && change > CONVERGED; i++) {
      double[] inverse = inverseDistances(gram, weights);
      double sum = Arrays.stream(inverse).sum();
      change = 0;
      for (int s = 0; s < weights.length; s++) {
        change = Math.max(change, Math.abs(weights[s] - inverse[s] / sum));
        weights[s] = inverse[s] / sum;
      }
    }
    return weights;
  }

  /** Returns 1/‖Σ_r w_r f_r − f_s‖, where ‖·‖² = wᵀGw − 2(Gw)_s + G_ss. */
  private static double[] inverseDistances(double[][] gram, double[] weights) {
    double[] product = new double[weights.length];
    double square = 0;
    for (int s = 0; s < weights.length; s++) {
      for (int r = 0; r < weights.length; r++) {
        product[s] += gram[s][r] * weights[r];
      }
      square += weights[s] * product[s];
    }
    double[] inverse = new double[weights.length];
    for (int s = 0; s < weights.length; s++) {
      // Where the median is one of the subposteriors, its distance is 0 up to rounding.
      double distance = Math.max(square - 2 * product[s] + gram[s][s], Math.ulp(1.0));
      inverse[s] = 1 / Math.sqrt(distance);
    }
    return inverse;
  }
}
