package org.lampyris.samplers.shards.combination;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Weierstrass rejection sampler, two sets of draws at a time: shards 1 and 2, 3 and 4, …, then the
 * results, so that acceptance does not fall exponentially in S.
 *
 * <p>For sets with densities f, g and covariances F, G, a pair of draws x, y, chosen uniformly, is
 * accepted with probability exp(−(x − y)ᵀ(F + G)⁻¹(x − y)/(2h²)). The result is θ = x + F(F +
 * G)⁻¹(y − x), their mean weighted by precision. That is what Σ (x − θ)ᵀF⁻¹(x − θ)/h² over both
 * comes to: the kernels of the Weierstrass transforms have covariances h²F and h²G. The target is
 * exactly ∫ f(θ − F(F + G)⁻¹δ) g(θ + G(F + G)⁻¹δ) exp(−δᵀ(F + G)⁻¹δ/(2h²)) dδ: the product f g as h
 * → 0, with an error O(h²); consensus as h → ∞; and the product for every h if f and g are normal.
 *
 * <p>The transforms' own product has noise of covariance h²(F⁻¹ + G⁻¹)⁻¹ added to θ. It is left
 * out, as in the authors' implementation: it would widen normal subposteriors by √(1 + h²) at every
 * level. Without {@code bandwidth}, h is chosen such that about {@value #ACCEPTED} of pairs are
 * accepted, for each two sets, as in that implementation. Therefore h grows with d, and the result
 * tends to consensus: about 0.1 for d = 1, 0.5 for 3 and 1.3 for 10. With it, h is that number
 * everywhere: of standard deviations of the sets that meet. Cost O(S n d/acceptance).
 *
 * <p>Source: Wang and Dunson (2013), "Parallelizing MCMC via Weierstrass sampler", arXiv:1312.4605,
 * Theorem 3.
 */
public final class Weierstrass implements Combination {
  private static final double ACCEPTED = 0.1;

  /** Largest mean number of pairs tried for a draw. */
  private static final int MOST_TRIED = 100;

  @Override
  public String name() {
    return "weierstrass";
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    return new Tree(draws, setting).combined();
  }

  /** Draws that stand for the product of the subposteriors of neighbouring shards. */
  private record Product(double[][] rows, int first, int last) {
    @Override
    public String toString() {
      return first == last ? "shard " + first : "shards " + first + " to " + last;
    }
  }

  /** A run of the sampler. */
  private static final class Tree {
    private final Subposteriors draws;
    private final @Nullable Double bandwidth;
    private final List<UniformRandomProvider> streams;
    private final UniformRandomProvider pairing;
    private final long[] accepted;
    private final long[] tried;
    private final List<String> notes = new ArrayList<>();
    private double narrowest = Double.POSITIVE_INFINITY;
    private double widest;

    Tree(Subposteriors draws, Setting setting) {
      this.draws = draws;
      bandwidth = setting.bandwidth();
      pairing = setting.randomness().chain(0);
      streams =
          IntStream.rangeClosed(1, draws.chains()).mapToObj(setting.randomness()::chain).toList();
      accepted = new long[draws.chains()];
      tried = new long[draws.chains()];
    }

    Combined combined() {
      List<Product> products =
          IntStream.range(0, draws.shards())
              .mapToObj(s -> new Product(draws.pooled(s), s + 1, s + 1))
              .toList();
      while (products.size() > 1) {
        List<Product> next = new ArrayList<>();
        for (int i = 0; i + 1 < products.size(); i += 2) {
          next.add(product(products.get(i), products.get(i + 1)));
        }
        if (products.size() % 2 == 1) {
          next.add(products.get(products.size() - 1));
        }
        products = next;
      }
      double[] acceptance = new double[tried.length];
      Arrays.setAll(acceptance, c -> (double) accepted[c] / tried[c]);
      notes.add("weierstrass: bandwidths from %.3g to %.3g.".formatted(narrowest, widest));
      return new Combined(draws.asChains(products.get(0).rows), acceptance, notes);
    }

    private Product product(Product left, Product right) {
      Gaussian f = Gaussian.ofDraws(left.rows, left.toString());
      Gaussian g = Gaussian.ofDraws(right.rows, right.toString());
      // N(·, (F + G)/2): distances are twice those by F + G.
      Gaussian scale = Gaussian.average(List.of(f, g));
      double[] share = Gaussian.times(f.covariance(), scale.precision());
      double[][] x = scale.whitened(left.rows);
      double[][] y = scale.whitened(right.rows);
      double h = bandwidth == null ? bandwidth(x, y) : bandwidth;
      narrowest = Math.min(narrowest, h);
      widest = Math.max(widest, h);
      double[][] out = new double[left.rows.length][];
      long triedBefore = Arrays.stream(tried).sum();
      int taken = 0;
      for (int c = 0; c < streams.size(); c++) {
        int[][] pairs = pairs(x, y, h, c);
        if (pairs.length == 0) {
          throw noneAccepted(left, right);
        }
        taken += pairs.length;
        for (int i = 0; i < draws.perChain(); i++) {
          // What is missing is drawn again from what there is.
          int[] pair = pairs[i < pairs.length ? i : streams.get(c).nextInt(pairs.length)];
          out[c * draws.perChain() + i] = between(left.rows[pair[0]], right.rows[pair[1]], share);
        }
      }
      if (taken < out.length) {
        notes.add(
            ("weierstrass: combining %s with %s, %.2g %% of the pairs were accepted, so %d"
                    + " different draws represent %d. A larger bandwidth accepts more.")
                .formatted(
                    left,
                    right,
                    100.0 * taken / (Arrays.stream(tried).sum() - triedBefore),
                    Arrays.stream(out).map(DoubleBuffer::wrap).distinct().count(),
                    out.length));
      }
      return new Product(out, left.first, right.last);
    }

    /** Returns as many accepted pairs as a chain has draws, or fewer. */
    private int[][] pairs(double[][] x, double[][] y, double h, int chain) {
      UniformRandomProvider rng = streams.get(chain);
      List<int[]> pairs = new ArrayList<>();
      long most = (long) MOST_TRIED * draws.perChain();
      long proposals = 0;
      while (pairs.size() < draws.perChain() && proposals < most) {
        proposals++;
        int i = rng.nextInt(x.length);
        int j = rng.nextInt(y.length);
        if (rng.nextDouble() < probability(Gaussian.squaredDistance(x[i], y[j]), h)) {
          pairs.add(new int[] {i, j});
        }
      }
      tried[chain] += proposals;
      accepted[chain] += pairs.size();
      return pairs.toArray(int[][]::new);
    }

    /** Returns the bandwidth at which pairs are accepted with a given mean probability. */
    private double bandwidth(double[][] x, double[][] y) {
      double[] squares = new double[x.length];
      Arrays.setAll(
          squares,
          i ->
              Gaussian.squaredDistance(x[pairing.nextInt(x.length)], y[pairing.nextInt(y.length)]));
      double low = 1e-6;
      double high = 1e6;
      while (high / low > 1.001) {
        double h = Math.sqrt(low * high);
        if (Arrays.stream(squares).map(q -> probability(q, h)).average().orElseThrow() < ACCEPTED) {
          low = h;
        } else {
          high = h;
        }
      }
      return high;
    }

    private static double probability(double square, double h) {
      return Math.exp(-square / (4 * h * h));
    }

    /** Returns x + F(F + G)⁻¹(y − x). */
    private static double[] between(double[] x, double[] y, double[] share) {
      double[] theta = new double[x.length];
      Arrays.setAll(theta, j -> (y[j] - x[j]) / 2);
      double[] step = Gaussian.times(share, theta);
      Arrays.setAll(theta, j -> x[j] + step[j]);
      return theta;
    }

    private static UserException noneAccepted(Product left, Product right) {
      return UserException.usage(
          ("no draw of %s is near enough to one of %s for the bandwidth of weierstrass. Raise the"
                  + " bandwidth, or remove its key.")
              .formatted(left, right));
    }
  }
}
