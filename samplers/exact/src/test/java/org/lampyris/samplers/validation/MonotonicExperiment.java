package org.lampyris.samplers.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.StartingPoint;

/**
 * Logistic regression on nine rows with mo(x), x from 0 to 3: θ is (a, c_1, c_2, c_3), c_k =
 * 3·b·ζ_k.
 */
record MonotonicExperiment() implements Experiment {
  static final int D = 4;
  private static final int[] X = {0, 0, 1, 1, 2, 2, 2, 3, 3};

  @Override
  public String name() {
    return "mo(x)";
  }

  @Override
  public Model model() {
    return new LinearModel(new LogisticLikelihood(), D);
  }

  @Override
  public Optional<LowerBound> bound() {
    return Optional.of(new JaakkolaJordanBound(D));
  }

  @Override
  public Optional<LowerBound> local(LaplaceApproximation laplace, double radius) {
    return Optional.empty();
  }

  @Override
  public ProductPrior prior() {
    MonotonicPrior effect =
        new MonotonicPrior(
            List.of(
                new MonotonicPrior.Effect(
                    MonotonicColumns.of("mo(x)", List.of("0", "1", "2", "3")),
                    new int[] {1, 2, 3},
                    new UnivariatePrior.Normal(0.3, 0.8),
                    new double[] {1, 2, 0.8})));
    return ProductPrior.shared(new UnivariatePrior.Normal(0.4, 1.2), D).with(effect);
  }

  /** {@inheritDoc} By b and ζ, of which the prior of θ knows nothing. */
  @Override
  public double[] draw(UniformRandomProvider rng) {
    return StartingPoint.fromPrior(prior(), rng);
  }

  /** Far from the prior's centre, so that bounds are loose and brightness matters. */
  @Override
  public double[] reference() {
    double[] reference = new double[D];
    Arrays.fill(reference, 1.5);
    return reference;
  }

  @Override
  public DataBlock simulate(double[] theta, UniformRandomProvider rng) {
    double[] features = new double[D * X.length];
    double[] y = new double[X.length];
    for (int row = 0; row < y.length; row++) {
      double eta = 0;
      for (int j = 0; j < D; j++) {
        features[D * row + j] = X[row] >= j ? 1 : 0;
        eta += X[row] >= j ? theta[j] : 0;
      }
      y[row] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
    }
    return new DenseBlock(0, D, features, y, null);
  }
}
