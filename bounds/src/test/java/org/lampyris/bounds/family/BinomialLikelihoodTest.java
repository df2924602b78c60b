package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;

class BinomialLikelihoodTest extends ModelContract {
  private final BinomialFamily.BinomialLikelihood likelihood =
      new BinomialFamily.BinomialLikelihood();

  @Override
  protected Model model(int columns) {
    return new LinearModel(new BinomialFamily.BinomialLikelihood(), columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(39, ROWS, COLUMNS, random -> random.nextInt(6) / 5.0);
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(BinomialLikelihoodTest.class, "binomial.csv")) {
      double eta = Double.parseDouble(f[0]);
      double y = Double.parseDouble(f[1]);
      String where = "eta " + f[0] + ", y " + f[1];
      assertClose(f[2], likelihood.logLikelihood(eta, y), 0, where);
      // y·σ(−η) and (1 − y)·σ(η) are rounded, and their difference may be small.
      double terms = y == 0 || y == 1 ? 0 : 2e-16;
      assertClose(f[3], likelihood.derivative(eta, y), terms, where);
      assertClose(f[4], likelihood.secondDerivative(eta, y), 0, where);
    }
  }

  private static void assertClose(String reference, double actual, double size, String where) {
    double expected = Double.parseDouble(reference);
    assertEquals(expected, actual, 1e-15 * Math.abs(expected) + size, where);
  }

  /** k of m trials are k rows of one class and m − k of the other. */
  @Test
  void aRowIsItsTrials() {
    LogisticLikelihood trial = new LogisticLikelihood();
    for (double eta = -40; eta < 40; eta += 1.7) {
      for (int k = 0; k <= 7; k++) {
        double expected = k * trial.logLikelihood(eta, 1) + (7 - k) * trial.logLikelihood(eta, -1);
        double found = 7 * likelihood.logLikelihood(eta, k / 7.0);
        assertEquals(expected, found, 1e-14 * Math.abs(expected));
      }
    }
  }
}
