package org.lampyris.samplers.program.series;

import static org.lampyris.samplers.program.Distributions.beta;
import static org.lampyris.samplers.program.Distributions.coin;
import static org.lampyris.samplers.program.Distributions.gamma;
import static org.lampyris.samplers.program.Distributions.normal;

import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;

/**
 * Programs of panels of series with hidden states, whose likelihoods are known without Monte Carlo:
 * by the forward algorithm and by Kalman's filter. {@link ParticleGibbs} draws the states.
 */
public final class StatePrograms {
  private StatePrograms() {}

  /**
   * Hidden Markov model of two states: h_t = 1 with probability {@code stay} after 1, and {@code
   * enter} after 0; h_0 = 0 and x_t ~ N(±μ, 1), with + for h_t = 1.
   *
   * @param length how many observations a series has, one a column
   */
  public static Trace hiddenMarkov(int length) {
    Program program = new Program();
    Node stay = program.global("stay", beta(4, 2));
    Node enter = program.global("enter", beta(2, 4));
    Node mu = program.global("mu", normal(1, v -> 0.5));
    program.perGroup(
        length,
        series -> {
          Term last = v -> 0;
          for (int t = 0; t < length; t++) {
            int at = t;
            Term before = last;
            Node p = series.let("p", v -> v.of(enter) + before.at(v) * (v.of(stay) - v.of(enter)));
            Node h = series.latent("h", coin(p));
            series.observe(
                "x", normal(v -> v.of(mu) * (2 * v.of(h) - 1), v -> 1), v -> v.feature(at));
            last = h;
          }
        });
    return program.trace();
  }

  /**
   * Linear state space: h_t ~ N(φh_{t−1}, τ²), h_0 = 0, x_t ~ N(h_t, σ²).
   *
   * @param length how many observations a series has, one a column
   */
  public static Trace linear(int length) {
    Program program = new Program();
    Node phi = program.global("phi", beta(4, 2));
    Node tau = program.global("tau", gamma(4, 5));
    Node sigma = program.global("sigma", gamma(4, 5));
    program.perGroup(
        length,
        series -> {
          Term last = v -> 0;
          for (int t = 0; t < length; t++) {
            int at = t;
            Term before = last;
            Node mean = series.let("mean", v -> v.of(phi) * before.at(v));
            Node h = series.latent("h", normal(mean, tau));
            series.observe("x", normal(h, sigma), v -> v.feature(at));
            last = h;
          }
        });
    return program.trace();
  }
}
