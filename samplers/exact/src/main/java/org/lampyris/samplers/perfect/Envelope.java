package org.lampyris.samplers.perfect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.run.Certificate;

/**
 * Envelope g ≥ p(θ) Π_n L_n(θ) of a log-concave posterior, that proposals are drawn from.
 *
 * <p>Let f be the log posterior density without the evidence, f̂ its value at θ̂, and δ = θ − θ̂.
 * The ball ‖δ‖ ≤ r_K is cut into shells at r_1 &lt; … &lt; r_K.
 *
 * <p><b>In shell k</b>, r_{k−1} &lt; ‖δ‖ ≤ r_k, the upper quadratics of the ball of r_k collapse to
 * one, −½δᵀU_kδ + bᵀδ above the log-likelihood. A normal prior adds its curvature C. Any other
 * log-concave prior lies below its tangent at θ̂. So f ≤ f̂ + gᵀδ − ½δᵀP_kδ with P_k = U_k + C and
 * g the gradient of f. This is a normal density of mean θ̂ + P_k⁻¹g and covariance P_k⁻¹, times
 *
 * <pre>Z_k = exp(f̂ + ½gᵀP_k⁻¹g) (2π)^{d/2} |P_k|^{−1/2}.</pre>
 *
 * <p><b>Beyond the ball</b>: where a ray from θ̂ leaves it, f has fallen by at least Δ = ½λr_K² −
 * ‖g‖r_K, with λ the smallest eigenvalue of P_K in the ball's metric. As f is concave along the
 * ray, f ≤ f̂ − Δ‖δ‖/r_K from there on, whatever the rows. With L of Σ̂ = LLᵀ, this has the mass
 *
 * <pre>Z_{K+1} = exp(f̂) |L| · 2π^{d/2}/Γ(d/2) · (r_K/Δ)^d Γ(d, Δ).</pre>
 *
 * <p>A try picks k in proportion to Z_k and draws from its whole density. The try is a proposal if
 * it lies in its own shell, and is dropped otherwise: dropped tries read no rows. Proposals then
 * have the density g/∫g, and ∫g = Σ Z_k times the share of tries that are proposals. Cost of a try:
 * O(d²).
 *
 * <p>Source: ours; von Neumann (1951) for rejection.
 */
final class Envelope {
  private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

  /** Work, in multiplications, that measuring the share of tries may take, and its most tries. */
  private static final double WORK = 4e8;

  private static final int MOST_TRIES = 200_000;

  private static final int FEWEST_TRIES = 1_000;

  /** Tries for each draw: their share adds a sixth to the evidence's error, where half are lost. */
  private static final int TRIES_OF_DRAW = 10;

  private final LaplaceApproximation laplace;
  private final double[] radii;
  private final ProductPrior prior;
  private final Tangent tangent;

  /** The normal densities of the shells. */
  private final List<Normal> normals;

  /** Δ. */
  private final double fall;

  /** log Z_k of the shells, and of the tail behind them: −∞ if there is none. */
  private final double[] logMasses;

  private final double logMass;

  private Envelope(
      LaplaceApproximation laplace,
      double[] radii,
      ProductPrior prior,
      Tangent tangent,
      List<Normal> normals,
      double fall) {
    this.laplace = laplace;
    this.radii = radii.clone();
    this.prior = prior;
    this.tangent = tangent;
    this.normals = normals;
    this.fall = fall;
    this.logMasses = new double[radii.length + 1];
    for (int k = 0; k < radii.length; k++) {
      logMasses[k] = normals.get(k).logMass;
    }
    double radius = radii[radii.length - 1];
    logMasses[radii.length] =
        Double.isInfinite(radius)
            ? Double.NEGATIVE_INFINITY
            : tangent.peak + logTail(laplace, radius, fall);
    double largest = Arrays.stream(logMasses).max().orElseThrow();
    this.logMass =
        largest + Math.log(Arrays.stream(logMasses).map(log -> Math.exp(log - largest)).sum());
  }

  /**
   * Returns the envelope; empty if an upper quadratic is no peak, or the posterior is not known to
   * fall towards the edge of the ball.
   *
   * @param laplace N(θ̂, Σ̂)
   * @param radii r_1 &lt; … &lt; r_K; +∞ for the only one if its quadratic is the log-likelihood
   * @param uppers for each, a quadratic about θ̂ that touches the log-likelihood there and lies
   *     above it in the ball
   * @param prior p(θ), log-concave
   */
  static Optional<Envelope> of(
      LaplaceApproximation laplace,
      double[] radii,
      List<CollapsedQuadratic> uppers,
      ProductPrior prior) {
    int last = radii.length - 1;
    Tangent tangent = Tangent.of(laplace.mode(), uppers.get(last), prior);
    List<Normal> normals = new ArrayList<>();
    for (CollapsedQuadratic upper : uppers) {
      Optional<Normal> normal = tangent.normal(upper);
      if (normal.isEmpty()) {
        return Optional.empty();
      }
      normals.add(normal.get());
    }
    double radius = radii[last];
    double fall = Double.POSITIVE_INFINITY;
    if (Double.isFinite(radius)) {
      double slope =
          LaplaceApproximation.norm(Preconditioner.of(laplace).transposed(tangent.gradient));
      double least = Certificate.leastCurvature(laplace, uppers.get(last), prior);
      fall = 0.5 * least * radius * radius - slope * radius;
      if (!(fall > 0)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Envelope(laplace, radii, prior, tangent, normals, fall));
  }

  /** Returns log(|L| · 2π^{d/2}/Γ(d/2) · (R/Δ)^d Γ(d, Δ)). */
  private static double logTail(LaplaceApproximation laplace, double radius, double fall) {
    int d = laplace.dimension();
    double[] lower = laplace.lower();
    double log = Math.log(2) + 0.5 * d * Math.log(Math.PI) - LogGamma.value(0.5 * d);
    for (int j = 0; j < d; j++) {
      log += Math.log(lower[j * d + j]);
    }
    log += d * Math.log(radius / fall) + LogGamma.value(d);
    return log + Math.log(GammaDistribution.of(d, 1).survivalProbability(fall));
  }

  /** Returns log Σ Z_k, natural log. */
  double logMass() {
    return logMass;
  }

  /** Returns log Z_{K+1}: an upper bound on the posterior's mass beyond the ball, with f. */
  double logTailMass() {
    return logMasses[radii.length];
  }

  /** Returns the radius of the ball, r_K. */
  double radius() {
    return radii[radii.length - 1];
  }

  /** Returns log of ∫ of the normal approximation with the peak f̂: f̂ + ½ log |2πΣ̂|. */
  double logLaplace() {
    int d = laplace.dimension();
    double[] lower = laplace.lower();
    double log = tangent.peak + 0.5 * d * LOG_TWO_PI;
    for (int j = 0; j < d; j++) {
      log += Math.log(lower[j * d + j]);
    }
    return log;
  }

  /**
   * Estimate of the share of tries that are proposals.
   *
   * @param share the share
   * @param error the standard error of its logarithm
   * @param squares the mean of ‖θ − θ̂‖² of proposals, by shell, each 0 in the others
   * @param tail the share of proposals beyond the ball
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Tries(double share, double error, double[] squares, double tail) {}

  /** Returns how many tries are made for a number of draws. */
  static int tries(int dimension, double draws) {
    double d = dimension;
    double most = Math.min(MOST_TRIES, WORK / (2 * d * d + 50 * d));
    return (int) Math.max(FEWEST_TRIES, Math.min(most, TRIES_OF_DRAW * draws));
  }

  /** Makes tries that read no rows, and counts proposals. */
  Tries tries(UniformRandomProvider rng, double draws) {
    int all = tries(laplace.dimension(), draws);
    int proposals = 0;
    double[] squares = new double[radii.length];
    int beyond = 0;
    for (int i = 0; i < all; i++) {
      Proposal made = attempt(rng);
      if (made != null) {
        proposals++;
        if (made.shell < radii.length) {
          squares[made.shell] += made.height;
        } else {
          beyond++;
        }
      }
    }
    int of = Math.max(1, proposals);
    double share = (double) of / all;
    return new Tries(
        share,
        Math.sqrt((1 - share) / of),
        Arrays.stream(squares).map(sum -> sum / of).toArray(),
        (double) beyond / of);
  }

  /**
   * A proposal.
   *
   * @param theta θ
   * @param shell its shell, from 0; the number of shells if it lies beyond the ball
   * @param height ‖θ − θ̂‖²
   * @param least beyond the ball, the log-likelihood that accepts it; else NaN
   * @param isPossible false if the prior has rejected it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Proposal(double[] theta, int shell, double height, double least, boolean isPossible) {}

  /** Draws a proposal. */
  Proposal propose(UniformRandomProvider rng) {
    while (true) {
      Proposal made = attempt(rng);
      if (made != null) {
        return made;
      }
    }
  }

  /** Makes a try; null if it is dropped. */
  private @Nullable Proposal attempt(UniformRandomProvider rng) {
    double position = rng.nextDouble();
    int k = 0;
    double share = Math.exp(logMasses[0] - logMass);
    while (k < radii.length && !(position < share)) {
      k++;
      share += Math.exp(logMasses[k] - logMass);
    }
    if (k == radii.length) {
      return logMasses[k] > Double.NEGATIVE_INFINITY ? beyond(rng) : null;
    }
    double[] theta = normals.get(k).mean.clone();
    normals.get(k).factor.addTo(Noise.of(rng).normals(theta.length), 1, theta);
    double distance = laplace.distance(theta);
    if (distance > radii[k] || (k > 0 && distance <= radii[k - 1])) {
      return null;
    }
    boolean possible = tangent.isExact || rng.nextDouble() < Math.exp(tangent.below(theta));
    return new Proposal(theta, k, distance * distance, Double.NaN, possible);
  }

  /** Draws beyond the ball: t = Δ‖δ‖/R has the density t^{d−1}e^{−t}, t > Δ, in any direction. */
  private Proposal beyond(UniformRandomProvider rng) {
    int d = laplace.dimension();
    GammaDistribution gamma = GammaDistribution.of(d, 1);
    double above = gamma.survivalProbability(fall) * (1 - rng.nextDouble());
    double t = Math.max(fall, gamma.inverseSurvivalProbability(above));
    double[] direction = Noise.of(rng).normals(d);
    double length = t * radius() / fall;
    double[] theta = laplace.mode().clone();
    Preconditioner.of(laplace)
        .addTo(direction, length / LaplaceApproximation.norm(direction), theta);
    double logPrior = prior.logDensity(theta);
    double least = tangent.peak - t + Math.log(rng.nextDouble()) - logPrior;
    boolean possible = logPrior > Double.NEGATIVE_INFINITY;
    return new Proposal(theta, radii.length, length * length, least, possible);
  }

  /** A normal density times a constant: its mean, its factor, and the logarithm of its integral. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Normal(double[] mean, Preconditioner factor, double logMass) {}

  /**
   * f and its slope at θ̂, with the prior's part in them.
   *
   * @param peak f̂
   * @param gradient g
   * @param logPrior log p(θ̂)
   * @param slope the gradient of log p at θ̂; at a kink, one between its one-sided slopes
   * @param precision C, d × d
   * @param isExact whether the prior is normal, and so is its own quadratic
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Tangent(
      double[] mode,
      ProductPrior prior,
      double peak,
      double[] gradient,
      double logPrior,
      double[] slope,
      double[] precision,
      boolean isExact) {
    static Tangent of(double[] mode, CollapsedQuadratic upper, ProductPrior prior) {
      int d = mode.length;
      double[] slope = new double[d];
      double logPrior = prior.addGradient(mode, slope);
      double[] packed = upper.packed();
      double[] gradient = slope.clone();
      for (int j = 0; j < d; j++) {
        gradient[j] += packed[packed.length - d - 1 + j];
      }
      return new Tangent(
          mode,
          prior,
          packed[packed.length - 1] + logPrior,
          gradient,
          logPrior,
          slope,
          prior.normalPrecision(),
          prior.factors().stream().allMatch(UnivariatePrior.Normal.class::isInstance));
    }

    /** Returns the normal density of an upper quadratic and the prior; empty if it has no peak. */
    Optional<Normal> normal(CollapsedQuadratic upper) {
      int d = mode.length;
      double[] p = precision.clone();
      int at = 0;
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          double curvature = -2 * upper.packed()[at++];
          p[i * d + j] += curvature;
          p[j * d + i] += i == j ? 0 : curvature;
        }
      }
      return Cholesky.scaled(p, d)
          .map(
              factor -> {
                double[] shift = factor.solve(gradient);
                double[] mean = new double[d];
                double gain = 0;
                for (int j = 0; j < d; j++) {
                  mean[j] = mode[j] + shift[j];
                  gain += 0.5 * gradient[j] * shift[j];
                }
                return new Normal(
                    mean,
                    Preconditioner.of(new LaplaceApproximation(mean, factor.inverse())),
                    peak + gain + 0.5 * (d * LOG_TWO_PI - factor.logDeterminant()));
              });
    }

    /** Returns log p(θ) minus the quadratic above it, which is not positive. */
    double below(double[] theta) {
      int d = mode.length;
      double quadratic = logPrior;
      for (int i = 0; i < d; i++) {
        double bent = 0;
        for (int j = 0; j < d; j++) {
          bent += precision[i * d + j] * (theta[j] - mode[j]);
        }
        quadratic += (theta[i] - mode[i]) * (slope[i] - 0.5 * bent);
      }
      return prior.logDensity(theta) - quadratic;
    }
  }
}
