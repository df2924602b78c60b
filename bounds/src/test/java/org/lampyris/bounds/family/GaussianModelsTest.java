package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class GaussianModelsTest {

  private static List<DataBlock> realBlocks() {
    return RandomBlocks.withOffset(38, 40, 6, random -> 3 * random.nextGaussian());
  }

  @Nested
  class KnownSigma extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new GaussianFamily.GaussianLikelihood(1.7), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return realBlocks();
    }
  }

  @Nested
  class SampledSigma extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new GaussianScaleModel(columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return realBlocks();
    }
  }

  /** At any σ the two are one density. */
  @Test
  void theTwoAgree() {
    double[] beta = RandomBlocks.normal(RandomBlocks.random(6), 6, 1);
    for (double sigma : new double[] {0.01, 1.7, 400}) {
      Model known = new LinearModel(new GaussianFamily.GaussianLikelihood(sigma), 6);
      double[] theta = Arrays.copyOf(beta, 7);
      theta[6] = Math.log(sigma);
      for (DataBlock block : realBlocks()) {
        double[] expected = new double[6];
        double[] gradient = new double[7];
        double value = known.addHessians(block, beta, expected, new double[36]);
        double size = 1e-13 * Math.abs(value);
        double actual =
            new GaussianScaleModel(6).addHessians(block, theta, gradient, new double[49]);
        assertEquals(value, actual, size);
        assertArrayEquals(expected, Arrays.copyOf(gradient, 6), size * (1 + 1 / sigma));
      }
    }
  }

  @Test
  void knownSigmaAgreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(GaussianModelsTest.class, "gaussian.csv")) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      GaussianFamily.GaussianLikelihood likelihood = new GaussianFamily.GaussianLikelihood(v[0]);
      String where = String.join(", ", List.of(f).subList(0, 3));
      double size = 1e-15 * (1 + Math.abs(Math.log(v[0])) + Math.abs(v[3]));
      assertEquals(v[3], likelihood.logLikelihood(v[1], v[2]), size, where);
      assertEquals(v[4], likelihood.derivative(v[1], v[2]), 1e-15 * Math.abs(v[4]), where);
      assertEquals(v[5], likelihood.secondDerivative(v[1], v[2]), 1e-15 * Math.abs(v[5]), where);
    }
  }

  /** An ulp of τ is an ulp of τ·e^−2τ in what it multiplies. */
  @Test
  void sampledSigmaAgreesWithReferencesFarIntoTheTails() {
    GaussianScaleModel model = new GaussianScaleModel(1);
    for (String[] f : Fixture.read(GaussianModelsTest.class, "gaussian-scale.csv")) {
      double[] v = Arrays.stream(f).mapToDouble(Double::parseDouble).toArray();
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[2]}, null);
      double[] gradient = new double[2];
      double[] hessian = new double[4];
      double value = model.addHessian(row, 0, new double[] {v[0], v[1]}, gradient, hessian);
      String where = String.join(", ", List.of(f).subList(0, 3));
      double relative = 2e-15 * (1 + Math.abs(v[1]) / 8);
      assertEquals(v[3], value, relative * (1 + Math.abs(v[3])), where);
      assertEquals(v[4], gradient[0], relative * Math.abs(v[4]), where);
      assertEquals(v[5], gradient[1], relative * (1 + Math.abs(v[5])), where);
      assertEquals(v[6], hessian[0], relative * Math.abs(v[6]), where);
      assertEquals(v[7], hessian[2], relative * Math.abs(v[7]), where);
      assertEquals(v[8], hessian[3], relative * Math.abs(v[8]), where);
    }
  }

  @Test
  void parametersMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new GaussianFamily.GaussianLikelihood(-1));
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleModel(0));
  }
}
