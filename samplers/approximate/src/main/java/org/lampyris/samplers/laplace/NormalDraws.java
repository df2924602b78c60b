package org.lampyris.samplers.laplace;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Independent draws from g, the normal approximation N(θ̂, Σ̂) restricted to the support of the
 * prior: θ̂ + Lz with z ~ N(0, I), drawn again as long as a coefficient is out of its bounds. Not
 * safe for use by several threads.
 */
final class NormalDraws {
  private static final int MOST_TRIES = 1000;

  private final LaplaceApproximation laplace;
  private final Prior prior;
  private final Preconditioner factor;
  private final Streams streams;
  private long tries;
  private long inside;

  NormalDraws(LaplaceApproximation laplace, Prior prior, Streams streams) {
    this.laplace = laplace;
    this.prior = prior;
    this.factor = Preconditioner.of(laplace);
    this.streams = streams;
  }

  /**
   * Returns the draw of a chain and number, both from 1; always the same one. Cost O(d²).
   *
   * @throws UserException (usage) if hardly any of the density lies in the support
   */
  double[] draw(int chain, long number) {
    UniformRandomProvider rng = streams.stream(Streams.Purpose.THETA, chain, number, 0);
    for (int i = 0; i < MOST_TRIES; i++) {
      double[] theta = laplace.mode().clone();
      factor.addTo(Noise.of(rng).normals(theta.length), 1, theta);
      tries++;
      if (isInside(theta)) {
        inside++;
        return theta;
      }
    }
    throw UserException.usage(
        Text.of(
            "sampler.algorithm: laplace drew %,d times from the normal approximation, and each time"
                + " a coefficient was outside the bounds of its prior. Set sampler.algorithm: auto.",
            MOST_TRIES));
  }

  private boolean isInside(double[] theta) {
    for (int j = 0; j < theta.length; j++) {
      if (theta[j] < prior.lower(j) || theta[j] > prior.upper(j)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the share of N(θ̂, Σ̂) outside the support, as the draws so far show it. */
  double outside() {
    return tries == 0 ? 0 : 1 - (double) inside / tries;
  }

  /**
   * Returns log p(θ) + Σ log L_n(θ) − log g(θ), up to a constant: the logarithm of the importance
   * weight of a draw.
   *
   * @param theta a draw. Not modified.
   * @param logPosterior log p(θ) + Σ log L_n(θ)
   */
  double logRatio(double[] theta, double logPosterior) {
    double distance = laplace.distance(theta);
    // A likelihood that is no number, far from the mode, counts as 0.
    return Double.isNaN(logPosterior)
        ? Double.NEGATIVE_INFINITY
        : logPosterior + 0.5 * distance * distance;
  }
}
