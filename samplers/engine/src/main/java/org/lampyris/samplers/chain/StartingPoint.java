package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.CauchyDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaleCoordinate;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.GammaPrior;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.HorseshoePrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.LogitSharePrior;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Noise;

/** Starting points of chains. */
public final class StartingPoint {

  /** Scale of over-dispersed starting points relative to the Laplace approximation. */
  public static final double OVERDISPERSION = 2;

  private StartingPoint() {}

  /** Distribution of starting points. */
  public enum Init {
    /** Draws from the Laplace approximation. */
    LAPLACE,
    /**
     * Draws wider than the Laplace approximation, so that R̂ detects chains that have not mixed.
     */
    OVERDISPERSED,
    /** Draws from the prior. */
    PRIOR
  }

  /**
   * Returns the starting point of a chain, from its own stream. Scales of the prior start about
   * their posterior. Coefficients that share a scale start given it, if from the prior.
   *
   * @throws UserException (usage) if it is to be drawn from a prior that is not proper
   */
  public static double[] of(
      Init init, LaplaceApproximation laplace, ProductPrior prior, UniformRandomProvider rng) {
    if (prior.term() instanceof ScaledPrior scales) {
      return scaled(init, laplace, prior.ofKnown(), scales, rng);
    }
    if (init != Init.PRIOR) {
      double width = init == Init.LAPLACE ? 1 : OVERDISPERSION;
      Preconditioner factor = Preconditioner.of(laplace).within(prior);
      return laplace(laplace.mode(), factor, width, rng);
    }
    try {
      double[] drawn = independent(prior, prior.factors(), rng);
      InterceptShift point = prior.point();
      return point == null ? drawn : point.toStored(drawn);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "sampler.init: prior needs proper priors, but %s. Choose another prior, or init: laplace."
              .formatted(e.getMessage()),
          e);
    }
  }

  /**
   * Draws θ from its prior: coefficients given their scales, intercepts at the prior's point, and
   * scales from their own priors.
   *
   * @throws IllegalArgumentException if a prior is flat, which nothing can be drawn from
   */
  public static double[] fromPrior(ProductPrior prior, UniformRandomProvider rng) {
    ScaledPrior scales = prior.term() instanceof ScaledPrior of ? of : null;
    List<ScaleGroup> groups = scales == null ? List.of() : scales.groups();
    ProductPrior known = prior.ofKnown();
    List<UnivariatePrior> proper = new ArrayList<>(known.factors());
    for (ScaleGroup group : groups) {
      for (int j : group.coefficients()) {
        proper.set(j, new UnivariatePrior.Normal(0, 1));
      }
    }
    double[] gamma = independent(prior, proper, rng);
    double[] phi = new double[scales == null ? 0 : scales.parameters()];
    int at = 0;
    for (ScaleGroup group : groups) {
      double[] own = fromPrior(group, rng);
      System.arraycopy(own, 0, phi, at, own.length);
      at += own.length;
      int[] places = group.coefficients();
      double[] b = Arrays.stream(places).mapToDouble(j -> gamma[j]).toArray();
      group.color(own, b);
      for (int i = 0; i < b.length; i++) {
        gamma[places[i]] = b[i];
      }
    }
    double[] stored = known.point() == null ? gamma : known.point().toStored(gamma);
    double[] theta = Arrays.copyOf(stored, stored.length + phi.length);
    System.arraycopy(phi, 0, theta, stored.length, phi.length);
    return theta;
  }

  /** Draws φ of a group from its prior. */
  public static double[] fromPrior(ScaleGroup group, UniformRandomProvider rng) {
    return group.coordinates().stream().mapToDouble(one -> coordinate(one, rng)).toArray();
  }

  /** Draws each element from its factor, and coefficients of monotonic effects from their prior. */
  private static double[] independent(
      ProductPrior prior, List<UnivariatePrior> factors, UniformRandomProvider rng) {
    MonotonicPrior monotonic = prior.monotonic();
    if (monotonic == null) {
      return prior(factors, rng);
    }
    List<UnivariatePrior> proper = new ArrayList<>(factors);
    for (MonotonicPrior.Effect one : monotonic.effects()) {
      Arrays.stream(one.places()).forEach(j -> proper.set(j, new UnivariatePrior.Normal(0, 1)));
    }
    double[] drawn = prior(proper, rng);
    for (MonotonicPrior.Effect one : monotonic.effects()) {
      double b = draw(one.slope(), rng);
      double[] gammas =
          Arrays.stream(one.alpha())
              .map(a -> GammaDistribution.of(a, 1).inverseCumulativeProbability(rng.nextDouble()))
              .toArray();
      double sum = Arrays.stream(gammas).sum();
      for (int k = 0; k < gammas.length; k++) {
        drawn[one.places()[k]] = one.size() * b * gammas[k] / sum;
      }
    }
    return drawn;
  }

  private static double coordinate(ScaleCoordinate of, UniformRandomProvider rng) {
    double u = rng.nextDouble();
    if (of instanceof ScaleCoordinate.LogScale log) {
      return Math.log(quantile(log.scale(), u));
    }
    if (of instanceof ScaleCoordinate.PartialCorrelation correlation) {
      double b =
          BetaDistribution.of(correlation.shape(), correlation.shape())
              .inverseCumulativeProbability(u);
      return 0.5 * (Math.log(b) - Math.log1p(-b)); // artanh(2b − 1)
    }
    ScaleCoordinate.LogSlab slab = (ScaleCoordinate.LogSlab) of;
    double precision =
        GammaDistribution.of(slab.shape(), 1 / slab.rate()).inverseCumulativeProbability(u);
    return -0.5 * Math.log(precision);
  }

  private static double[] scaled(
      Init init,
      LaplaceApproximation laplace,
      ProductPrior prior,
      ScaledPrior scales,
      UniformRandomProvider rng) {
    List<UnivariatePrior> proper = new ArrayList<>(prior.factors());
    if (init == Init.PRIOR) {
      scales
          .groups()
          .forEach(
              group ->
                  Arrays.stream(group.coefficients())
                      .forEach(j -> proper.set(j, new UnivariatePrior.Normal(0, 1))));
    }
    ProductPrior own = ProductPrior.of(proper).about(prior.point());
    MonotonicPrior monotonic = prior.monotonic();
    double[] known = of(init, laplace, monotonic == null ? own : own.with(monotonic), rng);
    double[] z = Noise.of(rng).normals(scales.parameters());
    double[] theta = Arrays.copyOf(known, known.length + z.length);
    double width = init == Init.LAPLACE ? 1 : OVERDISPERSION;
    for (int k = 0; k < z.length; k++) {
      theta[known.length + k] = scales.centre()[k] + width * scales.spread()[k] * z[k];
    }
    if (init == Init.PRIOR) {
      for (int g = 0; g < scales.groups().size(); g++) {
        double[] b = scales.coefficients(g, theta);
        scales.groups().get(g).color(scales.phi(g, theta), b);
        int[] at = scales.groups().get(g).coefficients();
        for (int i = 0; i < b.length; i++) {
          theta[at[i]] = b[i];
        }
      }
    }
    return theta;
  }

  /**
   * Draws θ̂ + width · Lz, z ~ N(0, I), reflected at the edges of the support; θ̂ is not modified.
   *
   * @param covarianceFactor L, with LLᵀ the Laplace covariance
   * @param width 1 for the Laplace approximation, {@link #OVERDISPERSION} to start beyond the
   *     posterior, so that R̂ detects chains that have not met
   */
  public static double[] laplace(
      double[] mode, Preconditioner covarianceFactor, double width, UniformRandomProvider rng) {
    double[] theta = mode.clone();
    covarianceFactor.move(Noise.of(rng).normals(mode.length), width, theta);
    return theta;
  }

  /**
   * Draws each element from its prior.
   *
   * @throws IllegalArgumentException if a prior is flat, which nothing can be drawn from
   */
  public static double[] prior(List<? extends UnivariatePrior> priors, UniformRandomProvider rng) {
    return priors.stream().mapToDouble(prior -> draw(prior, rng)).toArray();
  }

  private static double draw(UnivariatePrior prior, UniformRandomProvider rng) {
    if (prior instanceof HorseshoePrior p) {
      double local = quantile(new UnivariatePrior.Cauchy(0, p.scale()), rng.nextDouble());
      return local * quantile(new UnivariatePrior.Normal(0, 1), rng.nextDouble());
    }
    return quantile(prior, rng.nextDouble());
  }

  /** Returns the value below which the prior has mass u. */
  private static double quantile(UnivariatePrior prior, double u) {
    if (prior instanceof HalfPrior p) {
      return quantile(p.symmetric(), 0.5 + 0.5 * u);
    } else if (prior instanceof ExponentialPrior p) {
      return -Math.log1p(-u) / p.rate();
    } else if (prior instanceof LogScalePrior p) {
      return Math.log(quantile(p.ofScale(), u));
    } else if (prior instanceof LogitSharePrior p) {
      double share = quantile(p.ofShare(), u);
      return Math.log(share) - Math.log1p(-share);
    } else if (prior instanceof UnivariatePrior.StudentT p) {
      return p.location() + p.scale() * TDistribution.of(p.df()).inverseCumulativeProbability(u);
    }
    return distribution(prior).inverseCumulativeProbability(u);
  }

  private static ContinuousDistribution distribution(UnivariatePrior prior) {
    if (prior instanceof UnivariatePrior.Normal p) {
      return NormalDistribution.of(p.mean(), p.sd());
    } else if (prior instanceof UnivariatePrior.Laplace p) {
      return LaplaceDistribution.of(p.location(), p.scale());
    } else if (prior instanceof UnivariatePrior.Cauchy p) {
      return CauchyDistribution.of(p.location(), p.scale());
    } else if (prior instanceof UnivariatePrior.Uniform p) {
      return UniformContinuousDistribution.of(p.lower(), p.upper());
    } else if (prior instanceof GammaPrior p) {
      return GammaDistribution.of(p.shape(), 1 / p.rate());
    }
    throw new IllegalArgumentException(
        "no starting point can be drawn from the prior " + prior + ", which is improper");
  }
}
