package org.lampyris.samplers.testdata;

import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.kernel.Preconditioner;

/** What shapes proposals in tests. */
public final class Factors {
  private Factors() {}

  /** Returns the lower Cholesky factor of a covariance, row-major d × d. */
  public static Preconditioner choleskyOf(double[] covariance, int dimension) {
    return Preconditioner.of(new LaplaceApproximation(new double[dimension], covariance));
  }
}
