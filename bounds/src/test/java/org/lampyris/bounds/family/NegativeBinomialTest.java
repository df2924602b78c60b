package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.DispersedReference;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;

class NegativeBinomialTest {

  private static List<DataBlock> counts() {
    return RandomBlocks.withOffset(41, 40, 6, random -> random.nextInt(90));
  }

  @Nested
  class KnownShape extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new NegativeBinomialFamily.GivenLikelihood(1.7), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return counts();
    }
  }

  @Nested
  class SampledShape extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new DispersedModel(new NegativeBinomialFamily.ShapeLikelihood(), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return counts();
    }

    /** Moderate shapes: at e^300 differences say nothing. */
    @Override
    protected double[][] thetas(Model model) {
      double[][] thetas = super.thetas(model);
      thetas[2][COLUMNS] = 2.5;
      thetas[3][COLUMNS] = -2;
      return thetas;
    }
  }

  @Nested
  class Bound extends LowerBoundContract {
    private final NegativeBinomialFamily.GivenLikelihood likelihood =
        new NegativeBinomialFamily.GivenLikelihood(2.5);

    @Override
    protected LowerBound bound(int columns) {
      return new NegativeBinomialFamily.Bound(
          new NegativeBinomialFamily.GivenLikelihood(2.5), columns);
    }

    @Override
    protected Model model(int columns) {
      return new LinearModel(likelihood, columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return RandomBlocks.inEveryLayout(42, ROWS, COLUMNS, random -> random.nextInt(9));
    }

    @Override
    protected Anchors someAnchors(RandomGenerator random, int rows) {
      return beginning(random, rows, 0, 1e-9, 900, -30);
    }
  }

  /** An ulp of τ is one of τ·φ in what is a multiple of φ, and one of u in t and s. */
  @Test
  void agreesWithReferencesFarIntoTheTails() {
    DispersedReference.assertAgrees(
        NegativeBinomialTest.class,
        "negative-binomial.csv",
        new NegativeBinomialFamily.ShapeLikelihood(),
        4,
        (eta, tau, y, v) -> {
          double u = 1 + Math.abs(eta) + Math.abs(tau);
          double slope = u * (Math.abs(v[6]) + Math.abs(v[4]));
          double shape = Math.exp(tau);
          double share = 1 + u * Math.min(shape, y * y / shape);
          return new double[] {
            share + u * Math.abs(v[4]),
            slope,
            share + slope,
            u * Math.abs(v[6]),
            u * Math.abs(v[6]) + slope,
            share + slope
          };
        });
  }

  @Test
  void theConstantsMakeADensity() {
    NegativeBinomialFamily.GivenLikelihood likelihood =
        new NegativeBinomialFamily.GivenLikelihood(2.5);
    double sum = 0;
    double mean = 0;
    double square = 0;
    for (int y = 0; y < 3000; y++) {
      double p = Math.exp(likelihood.logLikelihood(3.5, y));
      sum += p;
      mean += p * y;
      square += p * y * y;
    }
    assertEquals(1, sum, 1e-12);
    double mu = Math.exp(3.5);
    assertEquals(mu, mean, 1e-10 * mu);
    assertEquals(mu + mu * mu / 2.5, square - mean * mean, 1e-9 * square);
  }

  @Test
  void aLargeShapeIsPoisson() {
    NegativeBinomialFamily.GivenLikelihood likelihood =
        new NegativeBinomialFamily.GivenLikelihood(1e15);
    PoissonFamily.PoissonLikelihood poisson = new PoissonFamily.PoissonLikelihood();
    for (int y : new int[] {0, 1, 7, 100}) {
      for (double eta : new double[] {-20, -1, 0, 2, 5}) {
        double expected = poisson.logLikelihood(eta, y);
        assertEquals(expected, likelihood.logLikelihood(eta, y), 1e-11 * (1 + Math.abs(expected)));
        double slope = poisson.derivative(eta, y);
        assertEquals(slope, likelihood.derivative(eta, y), 1e-11 * (1 + Math.abs(slope)));
      }
    }
  }

  @Test
  void aShapeMustBePositive() {
    assertThrows(
        IllegalArgumentException.class, () -> new NegativeBinomialFamily.GivenLikelihood(0));
  }
}
