package org.lampyris.samplers.program.mixture;

import static org.lampyris.samplers.program.Distributions.bernoulli;
import static org.lampyris.samplers.program.Distributions.beta;
import static org.lampyris.samplers.program.Distributions.gamma;
import static org.lampyris.samplers.program.Distributions.inverseGamma;
import static org.lampyris.samplers.program.Distributions.normal;

import org.lampyris.samplers.program.Clusters;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Program;
import org.lampyris.samplers.program.Term;
import org.lampyris.samplers.program.Trace;

/**
 * The three programs of Chen, Mansinghka and Ghahramani (2014): Figure 3, and Figure 7, above and
 * below; and the last by its innovations.
 */
public final class PaperPrograms {
  private PaperPrograms() {}

  /**
   * Bayesian logistic regression, equation 7: y = ±1 with log-odds wᵀx, and independent normal
   * elements of w.
   *
   * @param columns how many columns a row has, an intercept's ones included
   * @param sd of each element of w
   */
  public static Trace bayesLr(int columns, double sd) {
    Program program = new Program();
    Node w = program.global("w", normal(columns, 0, sd));
    program.perRow(
        row -> {
          Node eta = row.let("eta", w.dot());
          row.observe("y", bernoulli(eta), v -> v.response());
        });
    return program.trace();
  }

  /**
   * A Dirichlet-process mixture of logistic regressions, equations 8 and 9. The first column is an
   * intercept's; the others are normal in each cluster, and have their own regression there.
   *
   * @param base of the clusters' means and covariances, for all columns but the first
   * @param sd of each element of a cluster's weights
   */
  public static Trace jointDpm(NormalInverseWishart base, double sd) {
    int columns = base.columns() + 1;
    Program program = new Program();
    Node alpha = program.global("alpha", gamma(1, 1));
    Clusters crp = program.clusters("crp", alpha);
    Node w = program.perCluster("w", normal(columns, 0, sd));
    Node c = program.perCluster("c", base);
    program.perRow(
        row -> {
          Node z = row.latent("z", crp.label());
          row.observe("x", base.normal(c.of(z)), 1, columns);
          Node eta = row.let("eta", v -> v.dot(w.of(z)));
          row.observe("y", bernoulli(eta), v -> v.response());
        });
    return program.trace();
  }

  /**
   * Stochastic volatility, section 4.3: x_t = e^(h_t/2) ε_t, h_t ~ N(φh_{t−1}, σ²), h_0 = 0.
   *
   * @param length how many observations a series has, one a column
   */
  public static Trace volatility(int length) {
    Program program = new Program();
    Node phi = program.global("phi", beta(5, 1));
    Node variance = program.global("sigma2", inverseGamma(5, 0.05));
    Node sigma = program.let("sigma", v -> Math.sqrt(v.of(variance)));
    program.perGroup(
        length,
        series -> {
          Term last = v -> 0;
          for (int t = 0; t < length; t++) {
            int at = t;
            Term before = last;
            Node mean = series.let("mean", v -> v.of(phi) * before.at(v));
            Node h = series.latent("h", normal(mean, sigma));
            series.observe("x", normal(0, v -> Math.exp(v.of(h) / 2)), v -> v.feature(at));
            last = h;
          }
        });
    return program.trace();
  }

  /**
   * The same model by its innovations: h_t = σg_t, g_t = φg_{t−1} + e_t, e_t ~ N(0, 1). If x
   * carries little information on h, φ and σ² hardly depend on the innovations, but strongly on h
   * itself.
   *
   * @param length how many observations a series has, one a column
   */
  public static Trace volatilityByInnovations(int length) {
    Program program = new Program();
    Node phi = program.global("phi", beta(5, 1));
    Node variance = program.global("sigma2", inverseGamma(5, 0.05));
    Node sigma = program.let("sigma", v -> Math.sqrt(v.of(variance)));
    program.perGroup(
        length,
        series -> {
          Term last = v -> 0;
          for (int t = 0; t < length; t++) {
            int at = t;
            Term before = last;
            Node e = series.latent("e", normal(0, v -> 1));
            Node g = series.let("g", v -> v.of(phi) * before.at(v) + v.of(e));
            Node h = series.let("h", v -> v.of(sigma) * v.of(g));
            series.observe("x", normal(0, v -> Math.exp(v.of(h) / 2)), v -> v.feature(at));
            last = g;
          }
        });
    return program.trace();
  }
}
