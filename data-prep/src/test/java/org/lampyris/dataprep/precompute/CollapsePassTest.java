package org.lampyris.dataprep.precompute;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lampyris.bounds.algebra.DerivedLikelihood;
import org.lampyris.bounds.algebra.Term;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class CollapsePassTest {
  /** Poisson counts whose mean is η itself: log η has no derivatives at 0. */
  private static final class Identity extends DerivedLikelihood {
    @Override
    protected Term logLikelihood(Term eta, double y) {
      return eta.log().times(y).minus(eta);
    }
  }

  private static void collapse(double sd) {
    double[] mode = {1};
    LaplaceApproximation laplace = new LaplaceApproximation(mode, new double[] {sd * sd});
    LowerBound local = new LocalTaylorBound(new Identity(), laplace, 3);
    DataBlock block = new DenseBlock(7, 1, new double[] {0.1, 1}, new double[] {0, 4}, null);
    double[] out = new double[CollapsePass.length(1)];
    CollapsePass.addTo(local, true, mode, block, out);
  }

  /** The second row's η reaches from −0.2 to 2.2 in the ball, so that its logarithm may be none. */
  @Test
  void aRowWithoutAFiniteBoundIsRefused() {
    collapse(0.2);
    UserException e = assertThrows(UserException.class, () -> collapse(0.4));
    String message = String.valueOf(e.getMessage());
    assertTrue(
        message.startsWith("row 1 of block 7, label 4.0, has no local bound: near η = 1.000,"),
        message);
    assertTrue(
        message.contains("Set a smaller precompute.radius. Or rewrite the likelihood"), message);
  }
}
