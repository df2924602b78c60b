package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.rows.DataBlock;

class LogLinkLikelihoodsTest {

  @Nested
  class Gamma extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new GammaFamily.GammaLikelihood(2.5), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return RandomBlocks.withOffset(36, ROWS, COLUMNS, r -> Math.exp(2 * r.nextGaussian()));
    }
  }

  @Nested
  class Poisson extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new LinearModel(new PoissonFamily.PoissonLikelihood(), columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      return RandomBlocks.withOffset(37, ROWS, COLUMNS, r -> r.nextInt(12));
    }
  }

  @Test
  void gammaAgreesWithReferencesFarIntoTheTails() {
    for (String[] f :
        Fixture.read(LogLinkLikelihoodsTest.class, "/org/lampyris/bounds/family/gamma.csv")) {
      GammaFamily.GammaLikelihood likelihood =
          new GammaFamily.GammaLikelihood(Double.parseDouble(f[0]));
      double y = Double.parseDouble(f[2]);
      check(likelihood, Double.parseDouble(f[1]), y, f, 3, likelihood.secondDerivative(0, 1));
    }
  }

  @Test
  void poissonAgreesWithReferencesFarIntoTheTails() {
    PoissonFamily.PoissonLikelihood likelihood = new PoissonFamily.PoissonLikelihood();
    for (String[] f :
        Fixture.read(LogLinkLikelihoodsTest.class, "/org/lampyris/bounds/family/poisson.csv")) {
      double y = Double.parseDouble(f[1]);
      check(likelihood, Double.parseDouble(f[0]), y, f, 2, y);
    }
  }

  /**
   * Holds value and derivatives against a reference. An ulp of η is an ulp of η·e^|η| in them.
   *
   * @param size that of the terms that make up the derivative
   */
  private static void check(
      Likelihood likelihood, double eta, double y, String[] f, int at, double size) {
    String where = String.join(", ", List.of(f).subList(0, at));
    double relative = 3e-16 * (4 + Math.abs(eta) + Math.abs(Math.log(Math.max(y, 1e-300))));
    double value = Double.parseDouble(f[at]);
    double slope = Double.parseDouble(f[at + 1]);
    double curvature = Double.parseDouble(f[at + 2]);
    double slopeError = relative * (Math.abs(size) + Math.abs(curvature));
    // An error of δ in η moves the value by δ·slope.
    double valueError = 1e-15 * (4 + Math.abs(value)) + relative * Math.abs(slope);
    assertEquals(value, likelihood.logLikelihood(eta, y), valueError, where);
    assertEquals(slope, likelihood.derivative(eta, y), slopeError, where);
    double second = likelihood.secondDerivative(eta, y);
    assertEquals(curvature, second, relative * Math.abs(curvature), where);
  }

  @Test
  void theConstantsMakeDensities() {
    GammaFamily.GammaLikelihood gamma = new GammaFamily.GammaLikelihood(2.5);
    double total = 0;
    for (double logY = -30; logY < 8; logY += 1e-3) {
      total += 1e-3 * Math.exp(logY + gamma.logLikelihood(0.7, Math.exp(logY)));
    }
    assertEquals(1, total, 1e-9);
    PoissonFamily.PoissonLikelihood poisson = new PoissonFamily.PoissonLikelihood();
    double sum = 0;
    for (int y = 0; y < 600; y++) {
      sum += Math.exp(poisson.logLikelihood(5.5, y));
    }
    assertEquals(1, sum, 1e-12);
  }

  @Test
  void aShapeMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new GammaFamily.GammaLikelihood(0));
  }
}
