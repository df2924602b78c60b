package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.lampyris.bounds.effects.EffectCovariance;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Rows with an intercept and x, of groups that lie together and, crossed with them, of others.
 *
 * @param groups how many groups lie together
 * @param others how many others there are; 0 for none
 * @param slopes whether x has effects of the former, too
 * @param together whether rows of the former are said to lie together
 */
record GroupedTable(int groups, int rowsOfEach, int others, boolean slopes, boolean together) {
  static final String SD = "half_normal(0, 1)";

  /** Returns the effects. */
  List<TableEffects> effects() {
    List<String> names = slopes ? List.of("(Intercept)", "x") : List.of("(Intercept)");
    List<TableEffects> all = new ArrayList<>();
    all.add(
        new TableEffects(
            new GroupingEffects("g", names, PriorParser.parse(SD), 2),
            0,
            slopes ? new int[] {-1, 1} : new int[] {-1},
            new double[names.size()],
            groups,
            together));
    if (others > 0) {
      all.add(
          new TableEffects(
              new GroupingEffects("h", List.of("(Intercept)"), PriorParser.parse(SD), 1),
              1,
              new int[] {-1},
              new double[1],
              others,
              false));
    }
    return all;
  }

  /** Draws y of a row. */
  @FunctionalInterface
  interface Response {
    double draw(double eta, UniformRandomProvider rng);

    Response LOGISTIC = (eta, rng) -> rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    Response POISSON =
        (eta, rng) -> PoissonSampler.of(rng, Math.max(1e-12, Math.exp(eta))).sample();
  }

  /**
   * Draws rows.
   *
   * @param beta the coefficients of the intercept and of x
   * @param phi the coordinates of each covariance
   */
  List<DataBlock> rows(
      double[] beta, double[][] phi, Response response, UniformRandomProvider rng) {
    List<double[]> effects = new ArrayList<>();
    List<TableEffects> of = effects();
    for (int g = 0; g < of.size(); g++) {
      effects.add(draw(of.get(g), phi[g], rng));
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int j = 0; j < groups; j++) {
      double[] x = new double[2 * rowsOfEach];
      double[] y = new double[rowsOfEach];
      long[][] keys = new long[of.size()][rowsOfEach];
      double middle = normal(rng);
      for (int i = 0; i < rowsOfEach; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = 0.7 * (middle + normal(rng));
        keys[0][i] = 7L * j;
        double eta = beta[0] + beta[1] * x[2 * i + 1];
        int q = of.get(0).size();
        eta += effects.get(0)[j * q] + (slopes ? effects.get(0)[j * q + 1] * x[2 * i + 1] : 0);
        if (others > 0) {
          int k = rng.nextInt(others);
          keys[1][i] = -k;
          eta += effects.get(1)[k];
        }
        y[i] = response.draw(eta, rng);
      }
      blocks.add(new DenseBlock(j, 2, x, y, null).grouped(keys));
    }
    return blocks;
  }

  private static double[] draw(TableEffects of, double[] phi, UniformRandomProvider rng) {
    int q = of.size();
    double[] l = new EffectCovariance(of.effects()).factor(phi);
    double[] all = new double[(int) of.levels() * q];
    for (int j = 0; j < of.levels(); j++) {
      double[] z = {normal(rng), normal(rng)};
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          all[j * q + e] += l[e * q + f] * z[f];
        }
      }
    }
    return all;
  }

  /** Draws φ of every covariance from its prior. */
  double[][] drawCovariances(UniformRandomProvider rng) {
    double[][] all = new double[effects().size()][];
    for (int g = 0; g < all.length; g++) {
      GroupingEffects of = effects().get(g).effects();
      all[g] = new double[of.parameters()];
      for (int e = 0; e < of.size(); e++) {
        all[g][e] = Math.log(Math.abs(normal(rng)));
      }
      if (of.size() == 2) {
        // LKJ(2) of two: p(ρ) ∝ 1 − ρ².
        double rho = inverse(u -> 0.25 * (2 + 3 * u - u * u * u), rng.nextDouble());
        all[g][2] = 0.5 * Math.log((1 + rho) / (1 - rho));
      }
    }
    return all;
  }

  private static double inverse(DoubleUnaryOperator cdf, double p) {
    double low = -1;
    double high = 1;
    for (int i = 0; i < 60; i++) {
      double middle = 0.5 * (low + high);
      if (cdf.applyAsDouble(middle) < p) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return 0.5 * (low + high);
  }

  static double normal(UniformRandomProvider rng) {
    return ZigguratSampler.NormalizedGaussian.of(rng).sample();
  }
}
