package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.block.DataBlock;

class GaussianModelsTest {

  private static List<DataBlock> realBlocks() {
    return RandomBlocks.withOffset(38, 40, 6, random -> 3 * random.nextGaussian());
  }

  @Nested
  class KnownSigma extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new GaussianLikelihood(1.7), columns);
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
      Model known = new LinearModel(new GaussianLikelihood(sigma), 6);
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
  void parametersMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new GaussianLikelihood(-1));
    assertThrows(IllegalArgumentException.class, () -> new GaussianScaleModel(0));
  }
}
