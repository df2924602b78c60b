package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;

/** The contract of a {@link LocalTaylorBound} of one likelihood. */
public abstract class LocalTaylorBoundContract extends LocalBoundContract {
  private static final double STEP = 1e-5;

  /** Returns the likelihood. */
  protected abstract Likelihood likelihood();

  /** Returns labels of all kinds. */
  protected abstract double[] labels();

  @Override
  protected final LowerBound in(LaplaceApproximation laplace, double radius) {
    return new LocalTaylorBound(likelihood(), laplace, radius);
  }

  @Override
  protected final Model of(int columns) {
    return new LinearModel(likelihood(), columns);
  }

  /** To first order: a row's D is |log L‴|·r/3 in a small ball. */
  @Test
  @Override
  protected void theCurvatureIsTheLeastThatHolds() {
    double sum = 0;
    double sumOfLeast = 0;
    for (double y : labels()) {
      for (double eta = -4; eta <= 4; eta += 0.37) {
        double third =
            likelihood().secondDerivative(eta + STEP, y)
                - likelihood().secondDerivative(eta - STEP, y);
        double least = Math.abs(third) / (2 * STEP) / 3;
        double excess = excess(eta, y, STEP) / STEP;
        assertTrue(excess >= least - 1e-4, excess + " for " + least);
        sum += excess;
        sumOfLeast += least;
      }
    }
    assertEquals(sumOfLeast, sum, slack() * sumOfLeast);
  }

  /** Returns by which share D may be more, on average, than the least. */
  protected double slack() {
    return 1e-3;
  }
}
