package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.DispersedReference;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;

class BetaTest {

  private static List<DataBlock> shares() {
    return RandomBlocks.withOffset(
        43, 40, 6, random -> 1 / (1 + Math.exp(2 * random.nextGaussian())));
  }

  @Nested
  class KnownPrecision extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new BetaFamily.GivenLikelihood(4.5), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return shares();
    }
  }

  @Nested
  class SampledPrecision extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new DispersedModel(new BetaFamily.PrecisionLikelihood(), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return shares();
    }

    /** Moderate precisions: at e^300 differences say nothing. */
    @Override
    protected double[][] thetas(Model model) {
      double[][] thetas = super.thetas(model);
      thetas[2][COLUMNS] = 1.5;
      thetas[3][COLUMNS] = -2;
      return thetas;
    }
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    DispersedReference.assertAgrees(
        BetaTest.class,
        "beta.csv",
        new BetaFamily.PrecisionLikelihood(),
        8,
        (eta, tau, y, v) -> {
          double phi = Math.exp(tau);
          double mu = 1 / (1 + Math.exp(-eta));
          double nu = 1 / (1 + Math.exp(eta));
          double logs = 1 + Math.abs(tau) + Math.abs(eta) - Math.log(y) - Math.log1p(-y);
          double terms = 1 + phi * mu * nu * logs;
          double sum = logs + phi * (mu + nu) * Math.min(1, mu * nu * logs);
          return new double[] {
            sum * (1 + Math.abs(tau)), terms, sum, terms * (1 + Math.abs(tau)), terms, sum
          };
        });
  }

  @Test
  void theConstantsMakeADensity() {
    BetaFamily.GivenLikelihood likelihood = new BetaFamily.GivenLikelihood(6.5);
    double total = 0;
    double mean = 0;
    double square = 0;
    double step = 1e-3;
    for (double logit = -40; logit < 36; logit += step) {
      double y = 1 / (1 + Math.exp(-logit));
      double p = step * y * (1 - y) * Math.exp(likelihood.logLikelihood(0.7, y));
      total += p;
      mean += p * y;
      square += p * y * y;
    }
    double mu = 1 / (1 + Math.exp(-0.7));
    assertEquals(1, total, 1e-9);
    assertEquals(mu, mean, 1e-9);
    assertEquals(mu * (1 - mu) / 7.5, square - mean * mean, 1e-9);
  }

  @Test
  void aPrecisionMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new BetaFamily.GivenLikelihood(-1));
  }
}
