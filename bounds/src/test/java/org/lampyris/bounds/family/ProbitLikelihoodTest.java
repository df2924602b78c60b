package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;

class ProbitLikelihoodTest extends ModelContract {
  private final ProbitFamily.ProbitLikelihood likelihood = new ProbitFamily.ProbitLikelihood();

  @Override
  protected Model model(int columns) {
    return new LinearModel(new ProbitFamily.ProbitLikelihood(), columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(38, ROWS, COLUMNS, random -> random.nextBoolean() ? 1 : -1);
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(ProbitLikelihoodTest.class, "probit.csv")) {
      double eta = Double.parseDouble(f[0]);
      double y = Double.parseDouble(f[1]);
      String where = "eta " + f[0] + ", y " + f[1];
      assertUlps(f[2], likelihood.logLikelihood(eta, y), 8, where);
      assertUlps(f[3], likelihood.derivative(eta, y), 8, where);
      // Just above the tail s + h is the difference of 4 and of 4.2.
      assertUlps(f[4], likelihood.secondDerivative(eta, y), 128, where);
    }
  }

  private static void assertUlps(String reference, double actual, double most, String where) {
    double ulps = Fixture.ulps(Double.parseDouble(reference), actual);
    assertTrue(ulps <= most, where + ": " + actual + " for " + reference + ", " + ulps + " ulp");
  }

  @Test
  void theTwoClassesAreComplementary() {
    for (double eta = -30; eta < 30; eta += 0.37) {
      double total =
          Math.exp(likelihood.logLikelihood(eta, 1)) + Math.exp(likelihood.logLikelihood(eta, -1));
      assertEquals(1, total, 1e-14);
    }
  }

  /** On ranges that end on either side of the largest third derivative, and far out. */
  @Test
  void boundsOnDerivativesHoldAndAreReached() {
    for (double from = -60; from < 45; from += 0.31) {
      for (double width : new double[] {1e-3, 0.4, 3, 50}) {
        for (double y : new double[] {1, -1}) {
          double low = y > 0 ? from : -from - width;
          for (int order : new int[] {2, 3}) {
            double bound = likelihood.derivativeBound(order, y, low, low + width);
            double largest = 0;
            for (int i = 0; i <= 400; i++) {
              largest = Math.max(largest, derivative(order, low + width * i / 400, y));
            }
            double rounding = 1e-9 * bound + 1e-13;
            String where = order + " from " + from + " by " + width;
            assertTrue(largest <= bound + rounding, where + ": " + largest + " above " + bound);
            double slack = from < -20 ? 0.03 : 5e-3;
            assertTrue(
                bound <= largest * (1 + slack) + 1e-11, where + ": " + bound + ", " + largest);
          }
        }
      }
    }
    double inf = Double.POSITIVE_INFINITY;
    assertEquals(1, likelihood.derivativeBound(2, 1, -inf, inf), 0);
    assertEquals(0.2957188191931231, likelihood.derivativeBound(3, -1, -inf, inf), 1e-15);
    assertEquals(0, likelihood.derivativeBound(3, 1, 60, inf), 0);
  }

  /** |log L″|, or log L‴ by its differences. */
  private double derivative(int order, double eta, double y) {
    if (order == 2) {
      return -likelihood.secondDerivative(eta, y);
    }
    // Of order 4, with rounding below 10⁻¹² of a curvature near 1.
    double h = 2e-3;
    double d1 = likelihood.secondDerivative(eta + h, y) - likelihood.secondDerivative(eta - h, y);
    double d2 =
        likelihood.secondDerivative(eta + 2 * h, y) - likelihood.secondDerivative(eta - 2 * h, y);
    return Math.abs((8 * d1 - d2) / (12 * h));
  }
}
