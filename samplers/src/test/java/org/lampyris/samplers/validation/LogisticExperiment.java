package org.lampyris.samplers.validation;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ProductPrior;

/** Logistic regression on nine rows with priors that are wide, skew the posterior and differ. */
final class LogisticExperiment implements Experiment {
  static final double[] FEATURES = {
    1, -1.6, 1, -0.9, 1, -0.4, 1, -0.1, 1, 0.3, 1, 0.7, 1, 1.1, 1, 1.8, 1, 2.7
  };
  private static final int D = 2;

  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public Model model() {
    return new LinearModel(new LogisticLikelihood(), D);
  }

  @Override
  public LowerBound bound() {
    return new JaakkolaJordanBound(D);
  }

  @Override
  public ProductPrior prior() {
    return ProductPrior.parse(java.util.List.of("normal(0.5, 1.5)", "student_t(5, 1, 1)"));
  }

  @Override
  public DataBlock simulate(double[] theta, UniformRandomProvider rng) {
    double[] y = new double[FEATURES.length / D];
    for (int i = 0; i < y.length; i++) {
      double eta = theta[0] * FEATURES[D * i] + theta[1] * FEATURES[D * i + 1];
      y[i] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
    }
    return new DenseBlock(0, D, FEATURES, y, null);
  }
}
