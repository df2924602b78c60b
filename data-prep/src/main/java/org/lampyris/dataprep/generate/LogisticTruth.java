package org.lampyris.dataprep.generate;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.Philox4x64;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The distribution that a synthetic table is drawn from.
 *
 * <p>Features are equicorrelated: x_j = w (√ρ z_0 + √(1 − ρ) z_j) with standard normal z. For
 * normal features w = 1. For heavy tails w = √((ν − 2)/χ²_ν) is common to the features of a row,
 * which makes them multivariate Student-t with ν degrees of freedom and unit variance. The label
 * follows η = b + xᵀθ as the {@link DrawnResponse} says, by default 1 with probability σ(η). Its
 * own parameter may follow xᵀγ, on the log scale or in log-odds.
 *
 * <p>Random numbers come from Philox4x64 (Salmon et al. 2011), keyed by the seed and the purpose
 * and counted by the chunk of rows, so a row depends on its number alone.
 */
final class LogisticTruth implements Serializable {
  /** Rows that are drawn from one stream. */
  static final int CHUNK_ROWS = 4096;

  private static final long COEFFICIENTS = 1;
  private static final long ROWS = 2;
  private static final long GROUPS = 3;
  private static final long MEMBERS = 4;
  private static final long OWN = 5;

  private final long seed;
  private final double correlation;
  private final double tailDf;
  private final double[] theta;
  private final double[] gamma;
  private final double intercept;
  private final GenerateSection.Grouping grouping;
  private final DrawnResponse response;
  private final double constant;

  /** Draws the coefficients and finds the intercept. */
  LogisticTruth(
      GenerateSection.Law law, GenerateSection.Grouping grouping, DrawnResponse response) {
    this.grouping = grouping;
    this.response = response;
    constant = response.parameter();
    seed = law.seed();
    correlation = law.correlation();
    Double df = law.tailDf();
    tailDf = df == null ? Double.POSITIVE_INFINITY : df;
    theta = coefficients(law, COEFFICIENTS, law.effectScale());
    gamma = law.ownScale() == 0 ? new double[0] : coefficients(law, OWN, law.ownScale());
    intercept = intercept(law.positiveRate(), law.effectScale(), tailDf);
  }

  private static UniformRandomProvider stream(long seed, long purpose, long counter) {
    // Key, then the 256-bit counter, least significant word first: chunks are 2^128 numbers apart.
    return new Philox4x64(new long[] {seed, purpose, 0, 0, counter, 0});
  }

  /**
   * Returns normal coefficients for the active features, followed by zeros, scaled to the wanted
   * spread of the linear predictor.
   */
  private static double[] coefficients(GenerateSection.Law law, long purpose, double scale) {
    var normal = ZigguratSampler.NormalizedGaussian.of(stream(law.seed(), purpose, 0));
    double[] theta = new double[law.features()];
    int active = law.active() == 0 ? theta.length : Math.min(law.active(), theta.length);
    double sum = 0;
    double squares = 0;
    for (int j = 0; j < active; j++) {
      theta[j] = normal.sample();
      sum += theta[j];
      squares += theta[j] * theta[j];
    }
    // Var(xᵀθ) = (1 − ρ) Σ θ_j² + ρ (Σ θ_j)²
    double variance = (1 - law.correlation()) * squares + law.correlation() * sum * sum;
    double factor = scale / Math.sqrt(variance);
    for (int j = 0; j < theta.length; j++) {
      theta[j] *= factor;
    }
    return theta;
  }

  /**
   * Returns the b at which E[σ(b + η)] is the wanted rate, by bisection; 0 without a rate.
   *
   * @param rate the wanted rate in (0, 1)
   * @param scale the standard deviation of η
   * @param df the degrees of freedom of η, scaled to that standard deviation; infinite for normal
   */
  static double intercept(@Nullable Double rate, double scale, double df) {
    if (rate == null) {
      return 0;
    }
    double low = -1;
    double high = 1;
    while (rate(low, scale, df) > rate) {
      low *= 2;
    }
    while (rate(high, scale, df) < rate) {
      high *= 2;
    }
    while (true) {
      double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) {
        return middle;
      }
      if (rate(middle, scale, df) < rate) {
        low = middle;
      } else {
        high = middle;
      }
    }
  }

  /**
   * Returns E[σ(b + η)], by the trapezoidal rule after the substitution x = sinh(u), which turns
   * even heavy tails into ones that fall off exponentially.
   */
  static double rate(double b, double scale, double df) {
    boolean normal = Double.isInfinite(df);
    double unit = normal ? scale : scale * Math.sqrt((df - 2) / df);
    DoubleUnaryOperator density =
        normal ? NormalDistribution.of(0, 1)::density : TDistribution.of(df)::density;
    double step = 1.0 / 64;
    double sum = 0;
    for (int k = -40 * 64; k <= 40 * 64; k++) {
      double x = Math.sinh(k * step);
      sum += density.applyAsDouble(x) * Math.cosh(k * step) * DrawnResponse.sigmoid(b + unit * x);
    }
    return sum * step;
  }

  /**
   * Draws the rows of a chunk.
   *
   * @param chunk the chunk's number, from 0
   * @param rows how many rows to draw, at most {@link #CHUNK_ROWS}
   * @param out takes them in order
   */
  void draw(long chunk, int rows, RowSink out) {
    UniformRandomProvider rng = stream(seed, ROWS, chunk);
    UniformRandomProvider members = stream(seed, MEMBERS, chunk);
    var normal = ZigguratSampler.NormalizedGaussian.of(rng);
    SharedStateContinuousSampler chiSquare =
        Double.isInfinite(tailDf)
            ? null
            : AhrensDieterMarsagliaTsangGammaSampler.of(rng, tailDf / 2, 2);
    double shared = Math.sqrt(correlation);
    double alone = Math.sqrt(1 - correlation);
    double base = gamma.length == 0 ? 0 : response.linked();
    double[] x = new double[theta.length];
    for (int n = 0; n < rows; n++) {
      double common = shared * normal.sample();
      double width = chiSquare == null ? 1 : Math.sqrt((tailDf - 2) / chiSquare.sample());
      double eta = intercept;
      double own = base;
      for (int j = 0; j < x.length; j++) {
        x[j] = width * (common + alone * normal.sample());
        eta += x[j] * theta[j];
        own += gamma.length == 0 ? 0 : x[j] * gamma[j];
      }
      long group = grouping.groups() == 0 ? 0 : members.nextLong(grouping.groups());
      eta += effect(group);
      out.row(x, group, response.draw(eta, ofRow(own), rng));
    }
  }

  /** Returns the parameter by its linear predictor, or what it is in all rows. */
  private double ofRow(double predictor) {
    return gamma.length == 0 ? constant : response.parameter(predictor);
  }

  /** Takes a row. */
  @FunctionalInterface
  interface RowSink {
    /** Takes the features, in an array that is used again for the next row, and the label. */
    void row(double[] x, long group, double label);
  }

  /** Returns the effect of a group. */
  double effect(long group) {
    return grouping.groups() == 0
        ? 0
        : grouping.groupSd()
            * ZigguratSampler.NormalizedGaussian.of(stream(seed, GROUPS, group)).sample();
  }

  /** Returns θ, copied. */
  double[] theta() {
    return theta.clone();
  }

  /** Returns γ of the family's own parameter, copied; empty if it is the same in all rows. */
  double[] gamma() {
    return gamma.clone();
  }

  /** Returns how a label follows η. */
  DrawnResponse response() {
    return response;
  }

  /** Returns b. */
  double intercept() {
    return intercept;
  }
}
