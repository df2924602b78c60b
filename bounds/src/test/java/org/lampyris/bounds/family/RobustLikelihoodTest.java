package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;

class RobustLikelihoodTest extends ModelContract {

  @Override
  protected Model model(int columns) {
    return new LinearModel(new RobustFamily.RobustLikelihood(4, 1.5), columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(32, ROWS, COLUMNS, random -> 20 * random.nextGaussian());
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(RobustLikelihoodTest.class, "robust.csv")) {
      double df = Double.parseDouble(f[0]);
      double scale = Double.parseDouble(f[1]);
      double eta = Double.parseDouble(f[2]);
      double y = Double.parseDouble(f[3]);
      RobustFamily.RobustLikelihood likelihood = new RobustFamily.RobustLikelihood(df, scale);
      String where = String.join(", ", List.of(f).subList(0, 4));
      // The residual y − η is rounded to a unit in its last place.
      assertClose(f[4], likelihood.logLikelihood(eta, y), where);
      assertClose(f[5], likelihood.derivative(eta, y), where);
      assertClose(f[6], likelihood.secondDerivative(eta, y), where);
    }
  }

  private static void assertClose(String reference, double actual, String where) {
    double expected = Double.parseDouble(reference);
    assertEquals(expected, actual, 1e-13 * Math.abs(expected), where);
  }

  @Test
  void oneDegreeOfFreedomIsACauchyAndManyAreANormal() {
    double cauchy = new RobustFamily.RobustLikelihood(1, 2).logLikelihood(1, 4);
    assertEquals(-Math.log(2 * Math.PI * (1 + 2.25)), cauchy, 1e-14);
    double normal = new RobustFamily.RobustLikelihood(1e12, 2).logLikelihood(1, 4);
    assertEquals(-1.125 - Math.log(2) - 0.5 * Math.log(2 * Math.PI), normal, 1e-11);
  }

  @Test
  void parametersMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> new RobustFamily.RobustLikelihood(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new RobustFamily.RobustLikelihood(4, -1));
    assertThrows(
        IllegalArgumentException.class, () -> new RobustFamily.RobustLikelihood(4, Double.NaN));
  }
}
