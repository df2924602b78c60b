package org.lampyris.samplers.shards.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.random.Noise;

/**
 * Expectation propagation with a site for each shard: g(θ) = Π_s g_s(θ), all normal, started at the
 * moments of the subposteriors. In each round, every shard's chains draw from its tilted density,
 * f_s times the cavity g/g_s. With mean μ and covariance V of those draws, the matching site is
 *
 * <pre>g_s* = N(μ, V) / (g/g_s),</pre>
 *
 * <p>and the site's natural parameters move by the share {@code damping} towards g_s*, or by
 * repeated halves of it if g would not be normalisable. It ends when a round moves the means of g
 * by at most {@value #SETTLED_MEANS} of their sds (root mean square over coefficients) and its log
 * sds by {@value #SETTLED_SDS} on average. To both it adds twice the chance variation with n draws
 * of each shard, damping · √(S/n) and damping · √(S/(nd)). It also ends after {@code rounds}.
 * Unlike the product of subposteriors, a site is fitted where the posterior is. The draws are from
 * g, which is normal. Each shard has its share of the prior in f_s.
 *
 * <p>V⁻¹ is too large by a share proportional to 1/n for n draws, which the sum over S sites would
 * multiply. The estimate is therefore twice V⁻¹ minus the mean over both halves of the draws, which
 * have twice that share. Cost: a round is about as dear as the subposteriors' chains.
 *
 * <p>Source: Xu, Lakshminarayanan, Teh, Zhu and Zhang (2014), "Distributed Bayesian posterior
 * sampling via moment sharing", algorithm 1; Gelman, Vehtari, Jylänki and others (2020),
 * "Expectation propagation as a way of life", section 4.
 */
public final class ExpectationPropagation implements Combination {
  private static final double SETTLED_MEANS = 0.02;
  private static final double SETTLED_SDS = 0.005;
  private static final int WARMUP = 100;
  private static final int HALVINGS = 20;

  @Override
  public String name() {
    return "ep";
  }

  /** Natural parameters: precision Q and Qμ. */
  private record Site(double[] precision, double[] shift) {
    static Site of(Gaussian gaussian) {
      return new Site(gaussian.precision(), Gaussian.times(gaussian.precision(), gaussian.mean()));
    }

    /** Returns this plus a share of another one. */
    Site plus(double share, Site other) {
      return new Site(plus(precision, share, other.precision), plus(shift, share, other.shift));
    }

    private static double[] plus(double[] all, double share, double[] other) {
      double[] sum = all.clone();
      Arrays.setAll(sum, i -> sum[i] + share * other[i]);
      return sum;
    }

    /** Returns the normal distribution, if it is one. */
    Optional<Gaussian> gaussian() {
      return Cholesky.scaled(precision, shift.length)
          .map(factor -> Gaussian.of(factor.solve(shift), factor.inverse()));
    }
  }

  @Override
  public Combined combine(Subposteriors draws, Setting setting) {
    List<Site> sites = new ArrayList<>(Gaussian.ofShards(draws).stream().map(Site::of).toList());
    Gaussian global = sum(sites).gaussian().orElseThrow();
    double size = (double) draws.chains() * draws.perChain();
    double chance = 2 * setting.damping() * Math.sqrt(draws.shards() / size);
    double means = Double.POSITIVE_INFINITY;
    double sds = Double.POSITIVE_INFINITY;
    int round = 0;
    while (round < setting.rounds() && !hasSettled(means, sds, chance, draws.dimension())) {
      round++;
      List<Site> towards = towards(sites, global, draws, setting, round);
      Gaussian before = global;
      double share = update(sites, towards, setting.damping());
      global = sum(sites).gaussian().orElseThrow();
      // By how much the whole share would have moved, were it cut short.
      means = meansMoved(before, global) * setting.damping() / share;
      sds = sdsMoved(before, global) * setting.damping() / share;
    }
    Gaussian g = global;
    double[][][] out =
        draws.drawn(
            setting.randomness(),
            rng -> {
              Noise noise = Noise.of(rng);
              return () -> g.unwhitened(noise.normals(draws.dimension()));
            });
    return draws.combined(
        out,
        ("ep: %s after %d rounds. The last round moved means by %.2g of their sds, and sds by %.2g"
                + " %%. The draws are from a normal distribution.")
            .formatted(
                hasSettled(means, sds, chance, draws.dimension()) ? "settled" : "not settled",
                round,
                means,
                100 * sds));
  }

  private static boolean hasSettled(double means, double sds, double chance, int dimension) {
    return means <= SETTLED_MEANS + chance && sds <= SETTLED_SDS + chance / Math.sqrt(dimension);
  }

  /** Returns the sites that would give the moments of the tilted densities. */
  private static List<Site> towards(
      List<Site> sites, Gaussian global, Subposteriors draws, Setting setting, int round) {
    Site all = sum(sites);
    List<Site> cavities = sites.stream().map(site -> all.plus(-1, site)).toList();
    List<ShardRows.Tilts> tilts = new ArrayList<>();
    for (Site cavity : cavities) {
      // The tilted density is about g, from which its chains begin.
      List<double[]> starts = new ArrayList<>();
      for (int c = 0; c < draws.chains(); c++) {
        Noise noise = Noise.of(setting.randomness().chain(c + 1));
        starts.add(global.unwhitened(noise.normals(draws.dimension())));
      }
      tilts.add(
          new ShardRows.Tilts(
              cavity.precision(),
              global.covariance(),
              Collections.nCopies(draws.chains(), cavity.shift()),
              starts));
    }
    double[][][][] tilted = setting.rows().tilted(tilts, WARMUP, draws.perChain(), round);
    return IntStream.range(0, sites.size())
        .mapToObj(
            s -> {
              double[][] pooled =
                  Arrays.stream(tilted[s]).flatMap(Arrays::stream).toArray(double[][]::new);
              Gaussian moments = Gaussian.ofDraws(pooled, "shard " + (s + 1));
              double[] precision = precision(pooled, moments);
              return new Site(precision, Gaussian.times(precision, moments.mean()))
                  .plus(-1, cavities.get(s));
            })
        .toList();
  }

  private static double[] precision(double[][] draws, Gaussian moments) {
    int half = draws.length / 2;
    String whose = "half of a shard's chains";
    double[] first = Gaussian.ofDraws(Arrays.copyOf(draws, half), whose).precision();
    double[] second =
        Gaussian.ofDraws(Arrays.copyOfRange(draws, half, draws.length), whose).precision();
    double[] precision = new double[first.length];
    Arrays.setAll(precision, i -> 2 * moments.precision()[i] - 0.5 * (first[i] + second[i]));
    return precision;
  }

  /**
   * Moves the sites, modified, as far as their product stays normal; returns the share of the step,
   * NaN if none.
   */
  private static double update(List<Site> sites, List<Site> towards, double damping) {
    double share = damping;
    for (int halved = 0; halved < HALVINGS; halved++) {
      List<Site> moved = new ArrayList<>();
      for (int s = 0; s < sites.size(); s++) {
        Site from = sites.get(s);
        moved.add(from.plus(-share, from).plus(share, towards.get(s)));
      }
      if (sum(moved).gaussian().isPresent()) {
        Collections.copy(sites, moved);
        return share;
      }
      share /= 2;
    }
    return Double.NaN;
  }

  private static Site sum(List<Site> sites) {
    Site sum = sites.get(0);
    for (Site site : sites.subList(1, sites.size())) {
      sum = sum.plus(1, site);
    }
    return sum;
  }

  /** Returns the root mean square of the means' differences, in sds of the second. */
  private static double meansMoved(Gaussian before, Gaussian after) {
    return Math.sqrt(after.squaredDistance(before.mean()) / before.mean().length);
  }

  /** Returns by how much log sds differ on average over directions. */
  private static double sdsMoved(Gaussian before, Gaussian after) {
    int d = before.mean().length;
    double sum = 0;
    for (int j = 0; j < d; j++) {
      sum += Math.log(after.lower()[j * d + j] / before.lower()[j * d + j]);
    }
    return Math.abs(sum) / d;
  }
}
