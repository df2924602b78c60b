package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;

class LogisticLikelihoodTest extends ModelContract {

  @Override
  protected Model model(int columns) {
    return new LinearModel(new LogisticLikelihood(), columns);
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    LogisticLikelihood likelihood = new LogisticLikelihood();
    for (String[] f : Fixture.read(LogisticLikelihoodTest.class, "logistic.csv")) {
      double eta = Double.parseDouble(f[0]);
      double y = Double.parseDouble(f[1]);
      String where = "eta " + f[0] + ", y " + f[1];
      assertUlps(Double.parseDouble(f[2]), likelihood.logLikelihood(eta, y), where);
      assertUlps(Double.parseDouble(f[3]), likelihood.derivative(eta, y), where);
      assertUlps(Double.parseDouble(f[4]), likelihood.secondDerivative(eta, y), where);
    }
  }

  private static void assertUlps(double expected, double actual, String where) {
    double ulps = Fixture.ulps(expected, actual);
    assertTrue(ulps <= 4, () -> where + ": " + actual + " for " + expected + ", " + ulps + " ulp");
  }

  @Test
  void theTwoClassesAreComplementary() {
    LogisticLikelihood likelihood = new LogisticLikelihood();
    for (double eta = -30; eta < 30; eta += 0.37) {
      double total =
          Math.exp(likelihood.logLikelihood(eta, 1)) + Math.exp(likelihood.logLikelihood(eta, -1));
      assertEquals(1, total, 1e-14);
    }
  }
}
