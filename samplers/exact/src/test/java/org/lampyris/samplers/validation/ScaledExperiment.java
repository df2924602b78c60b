package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.HorseshoeScales;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.PriorParser;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Logistic regression on nine rows whose coefficients share scales that are drawn from their priors
 * too: θ is (β, b, φ).
 *
 * @param features the columns, row by row
 * @param own how many coefficients have priors of their own; the others have scales
 * @param groups the coefficients that share scales
 * @param drawn draws the φ of each group
 */
record ScaledExperiment(
    String name, double[] features, int own, List<ScaleGroup> groups, List<Drawn> drawn)
    implements Experiment {
  private static final double[] X = {-1.6, -0.9, -0.4, -0.1, 0.3, 0.7, 1.1, 1.8, 2.7};

  /** Draws φ of a group from its prior. */
  @FunctionalInterface
  interface Drawn {
    double[] phi(UniformRandomProvider rng);
  }

  /** Intercepts of three levels and, crossed with them, intercepts and slopes of two. */
  static ScaledExperiment levels() {
    double[] features = new double[9 * Experiments.ROWS];
    for (int row = 0; row < Experiments.ROWS; row++) {
      int at = 9 * row;
      features[at] = 1;
      features[at + 1] = X[row];
      features[at + 2 + row / 3] = 1;
      features[at + 5 + 2 * (row % 2)] = 1;
      features[at + 6 + 2 * (row % 2)] = X[row];
    }
    UnivariatePrior sd = PriorParser.parse("half_normal(0, 1)");
    List<String> both = List.of("(Intercept)", "x");
    return new ScaledExperiment(
        "levels",
        features,
        2,
        List.of(
            new LevelScales(new GroupingEffects("g", both.subList(0, 1), sd, 1), 2, 3),
            new LevelScales(new GroupingEffects("h", both, sd, 1), 5, 2)),
        List.of(
            rng -> new double[] {logHalfNormal(rng)},
            // LKJ(1) of two: ρ is uniform.
            rng ->
                new double[] {
                  logHalfNormal(rng), logHalfNormal(rng), atanh(2 * rng.nextDouble() - 1)
                }));
  }

  /** Two smooths of two coefficients each, all of which meet: the others follow each. */
  static ScaledExperiment smooths() {
    int d = 6;
    double[] features = new double[d * Experiments.ROWS];
    for (int row = 0; row < Experiments.ROWS; row++) {
      double x = X[row];
      double[] columns = {1, x, 0.5 * x * x, Math.sin(2 * x), Math.cos(3 * x), 0.6 * x * x - 1};
      System.arraycopy(columns, 0, features, d * row, d);
    }
    UnivariatePrior sd = PriorParser.parse("half_normal(0, 1)");
    Drawn drawn = rng -> new double[] {logHalfNormal(rng)};
    return new ScaledExperiment(
        "smooths",
        features,
        2,
        List.of(
            new LevelScales("sds_a", sd, new int[] {2, 3}),
            new LevelScales("sds_b", sd, new int[] {4, 5})),
        List.of(drawn, drawn));
  }

  /** Two coefficients with a horseshoe, regularised or not. */
  static ScaledExperiment horseshoe(SharedHorseshoe.@Nullable Slab slab) {
    double[] features = new double[3 * Experiments.ROWS];
    for (int row = 0; row < Experiments.ROWS; row++) {
      features[3 * row] = 1;
      features[3 * row + 1] = X[row];
      features[3 * row + 2] = row % 2;
    }
    SharedHorseshoe prior = new SharedHorseshoe(PriorParser.parse("half_normal(0, 1)"), slab);
    return new ScaledExperiment(
        slab == null ? "horseshoe" : "regularised horseshoe",
        features,
        1,
        List.of(new HorseshoeScales(prior, new int[] {1, 2}, new double[] {1, 2})),
        List.of(
            rng -> {
              double[] phi = new double[slab == null ? 3 : 4];
              phi[0] = logHalfNormal(rng);
              for (int j = 1; j <= 2; j++) {
                phi[j] = Math.log(Math.tan(0.5 * Math.PI * rng.nextDouble()));
              }
              if (slab != null) {
                // c² ~ Inv-Gamma(2, 2s²) where df = 4: 4s²/c² is a χ² of 4.
                double squares = -2 * Math.log(rng.nextDouble() * rng.nextDouble());
                phi[3] = 0.5 * Math.log(4 * slab.scale() * slab.scale() / squares);
              }
              return phi;
            }));
  }

  private static double logHalfNormal(UniformRandomProvider rng) {
    return Math.log(Math.abs(normal(rng)));
  }

  private static double atanh(double rho) {
    return 0.5 * Math.log((1 + rho) / (1 - rho));
  }

  private static double normal(UniformRandomProvider rng) {
    return ZigguratSampler.NormalizedGaussian.of(rng).sample();
  }

  /** Returns how many elements of θ the rows know. */
  int known() {
    return features.length / Experiments.ROWS;
  }

  /** Returns the scales' prior, with other groups in place of its own. */
  ScaledPrior scales(UnaryOperator<ScaleGroup> change) {
    int all = groups.stream().mapToInt(ScaleGroup::parameters).sum();
    double[] centre = new double[all];
    Arrays.fill(centre, -0.3);
    double[] spread = new double[all];
    Arrays.fill(spread, 0.6);
    return new ScaledPrior(known(), groups.stream().map(change).toList(), centre, spread);
  }

  /** Returns the prior of θ, with other groups in place of its own. */
  ProductPrior prior(UnaryOperator<ScaleGroup> change) {
    ScaledPrior scales = scales(change);
    List<UnivariatePrior> factors = new ArrayList<>();
    for (int j = 0; j < known() + scales.parameters(); j++) {
      factors.add(j < own ? new UnivariatePrior.Normal(0.4, 1.2) : new UnivariatePrior.Flat());
    }
    return ProductPrior.of(factors).times(scales);
  }

  @Override
  public ProductPrior prior() {
    return prior(UnaryOperator.identity());
  }

  @Override
  public double[] draw(UniformRandomProvider rng) {
    double[] theta = new double[prior().dimension()];
    for (int j = 0; j < own; j++) {
      theta[j] = 0.4 + 1.2 * normal(rng);
    }
    int at = known();
    for (int g = 0; g < groups.size(); g++) {
      ScaleGroup group = groups.get(g);
      double[] phi = drawn.get(g).phi(rng);
      double[] b = new double[group.coefficients().length];
      Arrays.setAll(b, i -> normal(rng));
      group.color(phi, b);
      for (int i = 0; i < b.length; i++) {
        theta[group.coefficients()[i]] = b[i];
      }
      System.arraycopy(phi, 0, theta, at, phi.length);
      at += phi.length;
    }
    return theta;
  }

  @Override
  public Model model() {
    return new LinearModel(new LogisticLikelihood(), known());
  }

  @Override
  public Optional<LowerBound> bound() {
    return Optional.of(new JaakkolaJordanBound(known()));
  }

  @Override
  public Optional<LowerBound> local(LaplaceApproximation laplace, double radius) {
    return Optional.empty();
  }

  /** Far from the priors' centres, so that bounds are loose and brightness matters. */
  @Override
  public double[] reference() {
    double[] reference = new double[known()];
    Arrays.fill(reference, 1.5);
    return reference;
  }

  @Override
  public DataBlock simulate(double[] theta, UniformRandomProvider rng) {
    double[] y = new double[Experiments.ROWS];
    for (int row = 0; row < y.length; row++) {
      double eta = 0;
      for (int j = 0; j < known(); j++) {
        eta += theta[j] * features[known() * row + j];
      }
      y[row] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
    }
    return new DenseBlock(0, known(), features, y, null);
  }
}
