package org.lampyris.samplers.shards.combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.shards.combination.Combination.Subposterior;

/**
 * Checks of the subposteriors that cast doubt on combining them.
 *
 * <p>If a shard's rows were a random sample of the table, the mean μ_s of its subposterior would
 * differ from the others' by about its own covariance: Σ_s for tempered ones, S Σ_s for raised
 * ones, which are narrower by that factor. Three comparisons, each with a chance of about {@value
 * #RATE} of a false alarm:
 *
 * <ul>
 *   <li>Cochran's Q = Σ_s (μ_s − μ̂)ᵀΣ_s⁻¹(μ_s − μ̂), with μ̂ the mean of their normal product, is
 *       about χ² of (S − 1)d degrees of freedom. The inverse of the covariance of n draws is too
 *       large by (n − 1)/(n − d − 2), which each term is divided by, with the mean effective sample
 *       size of the shard's coefficients for n. Q is NaN if that is below {@value
 *       #DRAWS_A_COEFFICIENT}(d + 2).
 *   <li>The overlapping coefficient ∫ min(f, g) of normal fits of marginals, for the pair of shards
 *       and the coefficient whose means are farthest apart in standard errors, if farther than
 *       chance among so many pairs.
 *   <li>Skewness and excess kurtosis of each marginal of tempered subposteriors, in standard errors
 *       for their effective number of draws, made normal by the transformations of D'Agostino
 *       (1970) and of Anscombe and Glynn (1983). They warn only where large, too.
 * </ul>
 *
 * <p>Cost O(S d n log n + S n d² + S² d). Source: Cochran (1954), "The combination of estimates
 * from different experiments", Biometrics 10(1); Inman and Bradley (1989) for the overlap.
 *
 * @param figures by name, in the order of the list above; after the first, the chance error of the
 *     combined draws' means, in posterior standard deviations, if weights are estimated as well:
 *     √((d + 2)/n) for n independent draws of each shard
 * @param warnings sentences; empty if there is no doubt
 */
public record SubposteriorCheck(LinkedHashMap<String, Double> figures, List<String> warnings) {
  private static final double RATE = 1e-6;
  private static final double MOST_SKEWNESS = 0.5;
  private static final double MOST_KURTOSIS = 1;
  private static final int DRAWS_A_COEFFICIENT = 4;

  /**
   * Checks the draws.
   *
   * @param kind the kind of subposteriors
   * @param names of the coefficients
   * @throws org.lampyris.bounds.config.UserException (data) if a shard's covariance is singular
   */
  public static SubposteriorCheck of(Subposteriors draws, Subposterior kind, List<String> names) {
    SubposteriorCheck check = new SubposteriorCheck(new LinkedHashMap<>(), new ArrayList<>());
    List<Gaussian> fits = Gaussian.ofShards(draws);
    double widened = kind == Subposterior.RAISED ? draws.shards() : 1;
    List<List<Marginal>> marginals = new ArrayList<>();
    for (int s = 0; s < draws.shards(); s++) {
      int shard = s;
      marginals.add(
          IntStream.range(0, names.size())
              .mapToObj(
                  j -> {
                    Shape shape = Shape.of(draws.marginal(shard, j));
                    double sd = Math.sqrt(widened) * shape.sd;
                    return new Marginal(shard, names.get(j), sd, shape);
                  })
              .toList());
    }
    check.heterogeneity(fits, marginals, widened);
    check.overlap(marginals);
    check.normality(marginals.stream().flatMap(List::stream).toList(), kind);
    return check;
  }

  private void heterogeneity(List<Gaussian> fits, List<List<Marginal>> marginals, double widened) {
    double[] centre = Gaussian.product(fits).mean();
    int d = centre.length;
    double degrees = (fits.size() - 1.0) * d;
    double q = 0;
    double largest = 0;
    double independent = 0;
    int farthest = 0;
    for (int s = 0; s < fits.size(); s++) {
      double ess = marginals.get(s).stream().mapToDouble(j -> j.shape.ess).average().orElseThrow();
      independent += ess / fits.size();
      double reduced =
          ess >= DRAWS_A_COEFFICIENT * (d + 2) ? (ess - d - 2) / (ess - 1) : Double.NaN;
      double term = reduced * fits.get(s).squaredDistance(centre) / widened;
      q += term;
      if (term > largest) {
        largest = term;
        farthest = s;
      }
    }
    double p = Double.isNaN(q) ? q : ChiSquaredDistribution.of(degrees).survivalProbability(q);
    figures.put("cochran_q", q);
    figures.put("cochran_q_expected", degrees);
    figures.put("cochran_q_p_value", p);
    figures.put("means_by_chance_in_sds", Math.sqrt((d + 2) / independent));
    if (p < RATE) {
      List<Marginal> shard = marginals.get(farthest);
      int worst =
          IntStream.range(0, d)
              .boxed()
              .max(Comparator.comparingDouble(j -> shard.get(j).deviation(centre[j])))
              .orElseThrow();
      warnings.add(
          ("the shards disagree: Cochran's Q is %.4g, but about %.4g is expected for rows dealt at"
                  + " random. Shard %d is farthest off: its %s is %.3g standard deviations from the"
                  + " mean of all shards. Either its rows differ from the others, or its chains"
                  + " have not converged. The combined draws are then not from the posterior. Deal"
                  + " the rows at random, or to fewer shards.")
              .formatted(
                  q,
                  degrees,
                  farthest + 1,
                  shard.get(worst).name,
                  shard.get(worst).deviation(centre[worst])));
    }
  }

  private void overlap(List<List<Marginal>> marginals) {
    int shards = marginals.size();
    int d = marginals.get(0).size();
    Marginal one = marginals.get(0).get(0);
    Marginal other = one;
    for (int s = 0; s < shards; s++) {
      for (int r = 0; r < s; r++) {
        for (int j = 0; j < d; j++) {
          Marginal left = marginals.get(r).get(j);
          Marginal right = marginals.get(s).get(j);
          if (left.apart(right) > one.apart(other)) {
            one = left;
            other = right;
          }
        }
      }
    }
    double overlap = overlap(Math.abs(one.shape.mean - other.shape.mean), one.sd, other.sd);
    figures.put("least_overlap", overlap);
    if (one.apart(other) > new FalseAlarms(RATE, shards * (shards - 1) / 2 * d).sigmas()) {
      warnings.add(
          ("the subposteriors of shards %d and %d hardly overlap in %s: they share %.2g of their"
                  + " mass. kernel-product, semiparametric and weierstrass then rest on few draws"
                  + " in the tails. Methods that fit normal distributions rest on those tails too."
                  + " Check how the rows of the two shards differ.")
              .formatted(one.shard + 1, other.shard + 1, one.name, overlap));
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

  private void normality(List<Marginal> marginals, Subposterior kind) {
    double limit = new FalseAlarms(RATE, 2 * marginals.size()).sigmas();
    figures.put("skewness", largest(marginals, marginal -> marginal.shape.skewness));
    figures.put("excess_kurtosis", largest(marginals, marginal -> marginal.shape.kurtosis));
    marginals.stream()
        .filter(marginal -> marginal.shape.isFarFromNormal(limit))
        .filter(marginal -> kind == Subposterior.TEMPERED)
        .max(Comparator.comparingDouble(marginal -> marginal.shape.sigmas()))
        .ifPresent(
            worst ->
                warnings.add(
                    ("the subposterior of shard %d is far from normal in %s: its skewness is %.2f"
                            + " and its excess kurtosis %.2f. Both are 0 for a normal distribution."
                            + " consensus and gaussian-product are biased there. Use fewer shards"
                            + " with more rows each, which are closer to normal.")
                        .formatted(
                            worst.shard + 1,
                            worst.name,
                            worst.shape.skewness,
                            worst.shape.kurtosis)));
  }

  /** Returns the figure that is farthest from 0. */
  private static double largest(List<Marginal> marginals, ToDoubleFunction<Marginal> figure) {
    return marginals.stream()
        .mapToDouble(figure)
        .boxed()
        .max(Comparator.comparingDouble(Math::abs))
        .orElseThrow();
  }

  /**
   * One coefficient of one shard, from 0.
   *
   * @param sd the standard deviation of its tempered subposterior
   */
  private record Marginal(int shard, String name, double sd, Shape shape) {
    double deviation(double centre) {
      return Math.abs(shape.mean - centre) / sd;
    }

    /** Returns the distance of means in standard errors, including the draws' error. */
    double apart(Marginal other) {
      double variance =
          sd * sd * (1 + 1 / shape.ess) + other.sd * other.sd * (1 + 1 / other.shape.ess);
      return Math.abs(shape.mean - other.shape.mean) / Math.sqrt(variance);
    }
  }

  /**
   * The moments of draws of one coefficient.
   *
   * @param ess the effective sample size for the mean; NaN where that is not defined
   * @param kurtosis that in excess of a normal distribution's
   * @param kurtosisSigmas that in standard errors
   */
  record Shape(
      double mean, double sd, double ess, double skewness, double kurtosis, double kurtosisSigmas) {
    static Shape of(double[][] draws) {
      double[] pooled = Arrays.stream(draws).flatMapToDouble(Arrays::stream).toArray();
      double mean = Arrays.stream(pooled).average().orElseThrow();
      double[] moments = new double[5];
      for (double x : pooled) {
        for (int power = 2; power < moments.length; power++) {
          moments[power] += Math.pow(x - mean, power) / pooled.length;
        }
      }
      double sd = Math.sqrt(moments[2]);
      double kurtosis = moments[4] / Math.pow(sd, 4);
      return new Shape(
          mean,
          sd,
          Diagnostics.essMean(draws),
          moments[3] / Math.pow(sd, 3),
          kurtosis - 3,
          anscombe(kurtosis, Diagnostics.essSd(draws)));
    }

    double skewnessSigmas() {
      return dAgostino(skewness, ess);
    }

    boolean isFarFromNormal(double sigmas) {
      boolean isSkewed = Math.abs(skewness) > MOST_SKEWNESS && Math.abs(skewnessSigmas()) > sigmas;
      boolean isPeaked = Math.abs(kurtosis) > MOST_KURTOSIS && Math.abs(kurtosisSigmas) > sigmas;
      return isSkewed || isPeaked;
    }

    double sigmas() {
      return Math.max(Math.abs(skewnessSigmas()), Math.abs(kurtosisSigmas));
    }

    /** Returns the skewness of n normal draws as about a standard normal number. */
    static double dAgostino(double skewness, double n) {
      double y = skewness * Math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)));
      double fourth =
          3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
      double square = Math.sqrt(2 * (fourth - 1)) - 1;
      double x = y / Math.sqrt(2 / (square - 1));
      return Math.log(x + Math.sqrt(x * x + 1)) / Math.sqrt(Math.log(square) / 2);
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
