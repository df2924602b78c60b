package org.lampyris.samplers.metropolis;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.Trial;

/**
 * Accepts with probability Π_i min(1, ρ_i), where Π_i ρ_i is the Metropolis–Hastings ratio. Factors
 * are tested in turn, so a proposal that an early factor rejects reads no further rows. There are
 * as many factors as batches, and one before them of all that no row is needed for: with proxies,
 * that one knows nearly all there is to know. Each factor alone is in balance: min(1, a) / min(1,
 * 1/a) = a. The batches come from the iteration's permutation, the same for the reverse move.
 *
 * <p>Source: Christen and Fox (2005); Banterle, Grazian, Lee and Robert (2015), who have the
 * prior's share in every batch's factor; Bardenet, Doucet and Holmes (2017), section 5.2.
 *
 * @param batches B
 */
public record DelayedAcceptance(int batches) implements BatchDecision {
  @Override
  public boolean accepts(Trial trial, UniformRandomProvider rng) {
    boolean accepted = passes(trial.rest(), rng);
    double before = 0;
    for (int i = 1; accepted && i <= batches; i++) {
      double sum = trial.lookAt(Math.multiplyExact(trial.rows(), (long) i) / batches).sum();
      accepted = passes(sum - before, rng);
      before = sum;
    }
    return accepted;
  }

  private static boolean passes(double logRatio, UniformRandomProvider rng) {
    return Math.log(rng.nextDouble()) < logRatio;
  }
}
