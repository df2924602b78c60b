package org.lampyris.bounds.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.LogScalePrior;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Coefficients with a {@link SharedHorseshoe}: b_j has the standard deviation s_j = unit_j·τ·λ̃_j,
 * and φ is (log τ, log λ_1, …, log λ_J), with log c at the end if it is regularised. Reported are τ
 * and c.
 */
public final class HorseshoeScales implements ScaleGroup {
  private final SharedHorseshoe prior;
  private final LogScalePrior global;
  private final int[] coefficients;
  private final double[] unit;

  /**
   * Makes the group.
   *
   * @param coefficients their indices in θ, ascending; not copied
   * @param unit what a coefficient is for η to change by 1 where its column changes by its standard
   *     deviation; not copied
   */
  public HorseshoeScales(SharedHorseshoe prior, int[] coefficients, double[] unit) {
    this.prior = prior;
    this.global = new LogScalePrior(prior.global());
    this.coefficients = coefficients;
    this.unit = unit;
  }

  /** Returns φ where a search for it may begin. */
  public double[] start() {
    double[] phi = new double[parameters()];
    phi[0] = Math.log(prior.typicalGlobal());
    SharedHorseshoe.Slab slab = prior.slab();
    if (slab != null) {
      phi[phi.length - 1] = Math.log(slab.scale());
    }
    return phi;
  }

  @Override
  public int parameters() {
    return 1 + coefficients.length + (prior.slab() == null ? 0 : 1);
  }

  @Override
  public int[] coefficients() {
    return coefficients;
  }

  private double logSd(double[] phi, int j) {
    double log = Math.log(unit[j]) + phi[0] + phi[1 + j];
    if (prior.slab() == null) {
      return log;
    }
    // c²t²/(c² + t²) with t = τλ
    return log - 0.5 * Math.log1p(Math.exp(2 * (phi[0] + phi[1 + j] - phi[phi.length - 1])));
  }

  /** log p(log λ) of a half-Cauchy: t − log(1 + e^(2t)), without its constant. */
  private static double local(double t) {
    return t - Math.log1p(Math.exp(2 * t));
  }

  private double logPriorOfShared(double[] phi) {
    double log = global.logDensity(phi[0]);
    SharedHorseshoe.Slab slab = prior.slab();
    if (slab != null) {
      double c = phi[phi.length - 1];
      log -= slab.df() * (c + 0.5 * slab.scale() * slab.scale() * Math.exp(-2 * c));
    }
    return log;
  }

  @Override
  public List<ScaleCoordinate> coordinates() {
    List<ScaleCoordinate> coordinates = new ArrayList<>();
    coordinates.add(new ScaleCoordinate.LogScale(prior.global()));
    UnivariatePrior local = new HalfPrior(new UnivariatePrior.Cauchy(0, 1));
    for (int j = 0; j < coefficients.length; j++) {
      coordinates.add(new ScaleCoordinate.LogScale(local));
    }
    SharedHorseshoe.Slab slab = prior.slab();
    if (slab != null) {
      double df = slab.df();
      coordinates.add(
          new ScaleCoordinate.LogSlab(0.5 * df, 0.5 * df * slab.scale() * slab.scale()));
    }
    return coordinates;
  }

  @Override
  public double logPrior(double[] phi) {
    double log = logPriorOfShared(phi);
    for (int j = 0; j < coefficients.length; j++) {
      log += local(phi[1 + j]);
    }
    return Double.isNaN(log) ? Double.NEGATIVE_INFINITY : log;
  }

  /** {@inheritDoc} For a λ only what depends on it. */
  @Override
  public double logConditional(int k, double[] phi, double[] b) {
    if (k == 0 || k > coefficients.length) {
      return ScaleGroup.super.logConditional(k, phi, b);
    }
    double log = logSd(phi, k - 1);
    double u = b[k - 1] * Math.exp(-log);
    double value = local(phi[k]) - log - 0.5 * u * u;
    return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
  }

  @Override
  public void whiten(double[] phi, double[] b) {
    for (int j = 0; j < b.length; j++) {
      b[j] *= Math.exp(-logSd(phi, j));
    }
  }

  @Override
  public void color(double[] phi, double[] u) {
    for (int j = 0; j < u.length; j++) {
      u[j] *= Math.exp(logSd(phi, j));
    }
  }

  @Override
  public double[] sds(double[] phi) {
    return IntStream.range(0, coefficients.length)
        .mapToDouble(j -> Math.exp(logSd(phi, j)))
        .toArray();
  }

  @Override
  public double logDeterminant(double[] phi) {
    return IntStream.range(0, coefficients.length).mapToDouble(j -> logSd(phi, j)).sum();
  }

  @Override
  public void addPrecision(double[] phi, double[] matrix, int d) {
    for (int j = 0; j < coefficients.length; j++) {
      matrix[coefficients[j] * d + coefficients[j]] += Math.exp(-2 * logSd(phi, j));
    }
  }

  @Override
  public void addGradient(double[] phi, double[] b, double[] gradient) {
    for (int j = 0; j < b.length; j++) {
      gradient[coefficients[j]] -= b[j] * Math.exp(-2 * logSd(phi, j));
    }
  }

  /** {@inheritDoc} Here τ and c. */
  @Override
  public int[] shared() {
    return prior.slab() == null ? new int[] {0} : new int[] {0, parameters() - 1};
  }

  /** {@inheritDoc} Without a slab τ multiplies all, and λ_j its own. */
  @Override
  public int @Nullable [] multiplied(int k) {
    return prior.slab() == null ? governed(k) : null;
  }

  @Override
  public int[] governed(int k) {
    return k == 0 || k > coefficients.length
        ? IntStream.range(0, coefficients.length).toArray()
        : new int[] {k - 1};
  }

  /** {@inheritDoc} A coefficient looks at τλ_j and at c. */
  @Override
  public int[] compensating(int k) {
    return k == 0 ? IntStream.rangeClosed(1, coefficients.length).toArray() : new int[0];
  }

  @Override
  public List<String> names() {
    return prior.slab() == null ? List.of("hs_global") : List.of("hs_global", "hs_slab");
  }

  @Override
  public List<String> priors() {
    List<String> priors = new ArrayList<>(List.of(prior.global().toString()));
    SharedHorseshoe.Slab slab = prior.slab();
    if (slab != null) {
      priors.add(
          "square root of inv_gamma("
              + slab.df() / 2
              + ", "
              + slab.df() * slab.scale() * slab.scale() / 2
              + ")");
    }
    return priors;
  }

  @Override
  public double[] reported(double[] phi) {
    return Arrays.stream(shared()).mapToDouble(k -> Math.exp(phi[k])).toArray();
  }
}
