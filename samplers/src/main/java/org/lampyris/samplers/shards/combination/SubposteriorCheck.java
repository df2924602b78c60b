package org.lampyris.samplers.shards.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.shards.combination.Combination.Subposterior;

/**
 * What can be seen of the subposteriors that makes combining them doubtful.
 *
 * <p>Were a shard's rows a random sample of the table, the mean μ_s of its subposterior would
 * differ from the others' by about its own covariance: Σ_s for tempered ones, S Σ_s for raised
 * ones, which are that much narrower. Three comparisons are built on that, each with a chance of
 * about {@value #RATE} of a false alarm:
 *
 * <ul>
 *   <li>Cochran's Q = Σ_s (μ_s − μ̂)ᵀΣ_s⁻¹(μ_s − μ̂), with μ̂ the mean of their normal product, is
 *       about χ² of (S − 1)d degrees of freedom. Since Σ_s⁻¹ is that of draws, too large by n/(n −
 *       d − 2), Q is reduced by as much, with the least effective sample size for n.
 *   <li>The overlapping coefficient ∫ min(f, g) of the normal fits of two shards' marginals: the
 *       least over all pairs and coefficients. It warns where means are farther apart, in standard
 *       errors, than any of so many pairs would be.
 *   <li>Skewness and excess kurtosis of each marginal of tempered subposteriors, in standard errors
 *       of so many independent draws as they are worth; kurtosis by the transformation of Anscombe
 *       and Glynn (1983), for it is far from normal itself. They warn only where large, too.
 * </ul>
 *
 * <p>Cost O(S d n log n + S n d² + S² d). Source: Cochran (1954), "The combination of estimates
 * from different experiments", Biometrics 10(1); Inman and Bradley (1989) for the overlap.
 *
 * @param figures by name, in the order of the list above
 * @param warnings in words, none where all is as it should be
 */
public record SubposteriorCheck(LinkedHashMap<String, Double> figures, List<String> warnings) {
  private static final double RATE = 1e-6;
  private static final double SIGMAS = 5;
  private static final double MOST_SKEWNESS = 0.5;
  private static final double MOST_KURTOSIS = 1;

  /**
   * Looks at draws.
   *
   * @param kind which subposteriors they are of
   * @param names of the coefficients
   * @throws org.lampyris.bounds.config.UserException (data) if a shard's covariance is singular
   */
  public static SubposteriorCheck of(Subposteriors draws, Subposterior kind, List<String> names) {
    SubposteriorCheck check = new SubposteriorCheck(new LinkedHashMap<>(), new ArrayList<>());
    double widened = kind == Subposterior.RAISED ? draws.shards() : 1;
    List<Gaussian> fits = Gaussian.ofShards(draws);
    check.heterogeneity(draws, fits, widened, names);
    check.overlap(fits, widened, names);
    check.normality(draws, kind, names);
    return check;
  }

  private void heterogeneity(
      Subposteriors draws, List<Gaussian> fits, double widened, List<String> names) {
    int d = names.size();
    Gaussian product = Gaussian.product(fits);
    double ess = leastEss(draws);
    double reduced = (ess - d - 2) / ess / widened;
    double q = 0;
    Place worst = new Place(0, 0, 0);
    double farthest = 0;
    for (int s = 0; s < fits.size(); s++) {
      Gaussian fit = fits.get(s);
      double distance = fit.squaredDistance(product.mean());
      q += distance * reduced;
      if (distance > farthest) {
        farthest = distance;
        worst = farthest(fit, product, widened, s);
      }
    }
    double degrees = (fits.size() - 1.0) * d;
    figures.put("cochran_q", q);
    figures.put("cochran_q_expected", degrees);
    double p = q > 0 ? ChiSquaredDistribution.of(degrees).survivalProbability(q) : 1;
    figures.put("cochran_q_p_value", p);
    if (p < RATE) {
      warnings.add(
          ("the shards disagree: Cochran's Q is %.4g where about %.4g is expected of rows dealt out"
                  + " at random; shard %d is farthest off, and there %s, by %.3g standard"
                  + " deviations. The rows of a shard are not like those of the table, or its chains"
                  + " have not converged; the combined draws are then not the posterior's. Deal the"
                  + " rows out at random, or into fewer shards.")
              .formatted(q, degrees, worst.shard + 1, names.get(worst.coefficient), worst.figure));
    }
  }

  /** Returns in which coefficient a shard is farthest from the rest, in its own deviations. */
  private static Place farthest(Gaussian fit, Gaussian product, double widened, int shard) {
    int d = fit.mean().length;
    Place worst = new Place(shard, 0, 0);
    for (int j = 0; j < d; j++) {
      double deviation =
          Math.abs(fit.mean()[j] - product.mean()[j])
              / Math.sqrt(widened * fit.covariance()[j * d + j]);
      worst = deviation > worst.figure ? new Place(shard, j, deviation) : worst;
    }
    return worst;
  }

  private static double leastEss(Subposteriors draws) {
    return IntStream.range(0, draws.shards() * draws.dimension())
        .mapToDouble(
            k -> Diagnostics.essMean(draws.marginal(k / draws.dimension(), k % draws.dimension())))
        .min()
        .orElseThrow();
  }

  private void overlap(List<Gaussian> fits, double widened, List<String> names) {
    int shards = fits.size();
    int d = names.size();
    double limit = new FalseAlarms(RATE, shards * (shards - 1) / 2 * d).sigmas();
    double least = 1;
    double sigmas = 0;
    int coefficient = 0;
    int[] pair = {0, 1};
    for (int s = 0; s < shards; s++) {
      for (int r = 0; r < s; r++) {
        for (int j = 0; j < d; j++) {
          double apart = Math.abs(fits.get(s).mean()[j] - fits.get(r).mean()[j]);
          double one = widened * fits.get(s).covariance()[j * d + j];
          double other = widened * fits.get(r).covariance()[j * d + j];
          double overlap = overlap(apart, Math.sqrt(one), Math.sqrt(other));
          if (overlap < least) {
            least = overlap;
            sigmas = apart / Math.sqrt(one + other);
            coefficient = j;
            pair = new int[] {r + 1, s + 1};
          }
        }
      }
    }
    figures.put("least_overlap", least);
    if (sigmas > limit) {
      warnings.add(
          ("the subposteriors of shards %d and %d hardly overlap in %s: they share %.2g of their"
                  + " mass. What depends on draws of one being near draws of the other"
                  + " (kernel-product, semiparametric, weierstrass) rests on their tails there, which"
                  + " few draws are from; look at what is different about their rows.")
              .formatted(pair[0], pair[1], names.get(coefficient), least));
    }
  }

  /** Returns ∫ min(N(x | 0, a²), N(x | apart, b²)) dx. */
  static double overlap(double apart, double a, double b) {
    double narrow = Math.min(a, b);
    double wide = Math.max(a, b);
    if (wide - narrow < 1e-9 * wide) {
      return 2 * NormalDistribution.of(0, 1).cumulativeProbability(-apart / (2 * wide));
    }
    // The narrow density is the larger one between the two points where they cross.
    double gap = 1 / (narrow * narrow) - 1 / (wide * wide);
    double centre = -apart / (wide * wide) / gap;
    double radius =
        Math.sqrt(
            centre * centre + (2 * Math.log(wide / narrow) + apart * apart / (wide * wide)) / gap);
    NormalDistribution within = NormalDistribution.of(0, narrow);
    NormalDistribution outside = NormalDistribution.of(apart, wide);
    return within.cumulativeProbability(centre - radius)
        + within.survivalProbability(centre + radius)
        + outside.probability(centre - radius, centre + radius);
  }

  private void normality(Subposteriors draws, Subposterior kind, List<String> names) {
    Place skewest = new Place(0, 0, 0);
    Place heaviest = new Place(0, 0, 0);
    Place warned = new Place(0, 0, 0);
    Shape shape = new Shape(0, 0, 0, 0);
    for (int s = 0; s < draws.shards(); s++) {
      for (int j = 0; j < names.size(); j++) {
        Shape here = Shape.of(draws.marginal(s, j));
        skewest = skewest.or(new Place(s, j, here.skewness));
        heaviest = heaviest.or(new Place(s, j, here.kurtosis));
        if (here.isFarFromNormal() && here.sigmas() > Math.abs(warned.figure)) {
          warned = new Place(s, j, here.sigmas());
          shape = here;
        }
      }
    }
    figures.put("skewness", skewest.figure);
    figures.put("excess_kurtosis", heaviest.figure);
    if (kind == Subposterior.TEMPERED && warned.figure > 0) {
      warnings.add(
          ("the subposterior of shard %d is far from normal in %s: its skewness is %.2f and its"
                  + " excess kurtosis %.2f, where both are 0 of a normal distribution. consensus and"
                  + " gaussian-product are biased there; fewer shards, of more rows each, are closer"
                  + " to normal.")
              .formatted(
                  warned.shard + 1, names.get(warned.coefficient), shape.skewness, shape.kurtosis));
    }
  }

  /** A figure of a coefficient of a shard, both from 0. */
  private record Place(int shard, int coefficient, double figure) {
    /** Returns the one with the larger figure, without sign. */
    Place or(Place other) {
      return Math.abs(other.figure) > Math.abs(figure) ? other : this;
    }
  }

  /** The shape of a marginal, and both figures in standard errors: NaN where not defined. */
  record Shape(double skewness, double skewnessSigmas, double kurtosis, double kurtosisSigmas) {
    static Shape of(double[][] draws) {
      double[] pooled = Arrays.stream(draws).flatMapToDouble(Arrays::stream).toArray();
      double mean = Arrays.stream(pooled).average().orElseThrow();
      double second = 0;
      double third = 0;
      double fourth = 0;
      for (double x : pooled) {
        double square = (x - mean) * (x - mean);
        second += square / pooled.length;
        third += square * (x - mean) / pooled.length;
        fourth += square * square / pooled.length;
      }
      double skewness = third / Math.pow(second, 1.5);
      double kurtosis = fourth / (second * second) - 3;
      return new Shape(
          skewness,
          Math.abs(skewness) / Math.sqrt(6 / Diagnostics.essMean(draws)),
          kurtosis,
          Math.abs(anscombe(kurtosis + 3, Diagnostics.essSd(draws))));
    }

    boolean isFarFromNormal() {
      return Math.abs(skewness) > MOST_SKEWNESS && skewnessSigmas > SIGMAS
          || Math.abs(kurtosis) > MOST_KURTOSIS && kurtosisSigmas > SIGMAS;
    }

    double sigmas() {
      return Math.max(skewnessSigmas, kurtosisSigmas);
    }

    /** Returns the kurtosis of n normal draws as about a standard normal number. */
    static double anscombe(double kurtosis, double n) {
      double mean = 3 * (n - 1) / (n + 1);
      double variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1) * (n + 3) * (n + 5));
      double skewness =
          6
              * (n * n - 5 * n + 2)
              / ((n + 7) * (n + 9))
              * Math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)));
      double a = 6 + 8 / skewness * (2 / skewness + Math.sqrt(1 + 4 / (skewness * skewness)));
      double x = (kurtosis - mean) / Math.sqrt(variance);
      double ratio = (1 - 2 / a) / (1 + x * Math.sqrt(2 / (a - 4)));
      // So light are the tails of no n normal draws.
      double root = ratio > 0 ? Math.cbrt(ratio) : Double.POSITIVE_INFINITY;
      return (1 - 2 / (9 * a) - root) / Math.sqrt(2 / (9 * a));
    }
  }
}
