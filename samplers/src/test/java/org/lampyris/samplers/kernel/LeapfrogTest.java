package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.density.Point;

class LeapfrogTest {
  private static final double[] THETA = {0.3, 1.1, 0.9};
  private static final double[] MOMENTUM = {0.4, -0.2, 0.5};

  private static Leapfrog.State run(Leapfrog leapfrog, double[] theta, double[] momentum, int n) {
    Leapfrog.State state =
        leapfrog.begin(Point.evaluate(leapfrog.target(), theta), momentum.clone());
    for (int i = 0; i < n; i++) {
      state = leapfrog.step(state);
    }
    return state;
  }

  private static Leapfrog leapfrog(double stepSize) {
    return new Leapfrog(new SkewedTarget(), SkewedTarget.preconditioner(), stepSize);
  }

  @Test
  void theWayBackLeadsBack() {
    Leapfrog leapfrog = leapfrog(0.1);
    Leapfrog.State end = run(leapfrog, THETA, MOMENTUM, 20);
    double[] turned = end.momentum().clone();
    for (int i = 0; i < turned.length; i++) {
      turned[i] = -turned[i];
    }
    Leapfrog.State back = run(leapfrog, end.point().theta(), turned, 20);
    assertArrayEquals(THETA, back.point().theta(), 1e-12);
    for (int i = 0; i < turned.length; i++) {
      assertEquals(-MOMENTUM[i], back.momentum()[i], 1e-12);
    }
  }

  /** The Jacobian determinant of (θ, p) after six steps, by central differences. */
  @Test
  void volumeIsPreserved() {
    Leapfrog leapfrog = leapfrog(0.1);
    int d = THETA.length;
    DMatrixRMaj jacobian = new DMatrixRMaj(2 * d, 2 * d);
    double h = 1e-5;
    for (int column = 0; column < 2 * d; column++) {
      double[][] ends = new double[2][];
      for (int side = 0; side < 2; side++) {
        double[] theta = THETA.clone();
        double[] momentum = MOMENTUM.clone();
        (column < d ? theta : momentum)[column % d] += side == 0 ? -h : h;
        Leapfrog.State end = run(leapfrog, theta, momentum, 6);
        ends[side] = new double[2 * d];
        System.arraycopy(end.point().theta(), 0, ends[side], 0, d);
        System.arraycopy(end.momentum(), 0, ends[side], d, d);
      }
      for (int row = 0; row < 2 * d; row++) {
        jacobian.set(row, column, (ends[1][row] - ends[0][row]) / (2 * h));
      }
    }
    assertEquals(1, CommonOps_DDRM.det(jacobian), 1e-7);
  }

  /** Halving the step size at the same length of time quarters the energy error. */
  @Test
  void theEnergyErrorIsOfSecondOrder() {
    double begin = run(leapfrog(0.01), THETA, MOMENTUM, 0).energy();
    double coarse = run(leapfrog(0.01), THETA, MOMENTUM, 40).energy() - begin;
    double fine = run(leapfrog(0.005), THETA, MOMENTUM, 80).energy() - begin;
    assertEquals(4, coarse / fine, 0.05);
  }

  /** A gradient of the wrong sign leaves HMC exact, so it takes this test to find it. */
  @Test
  void aGradientOfTheWrongSignLosesEnergy() {
    Leapfrog turned =
        new Leapfrog(
            new Mutants.TurnedGradient(new SkewedTarget()), SkewedTarget.preconditioner(), 0.01);
    double begin = run(turned, THETA, MOMENTUM, 0).energy();
    double right = run(leapfrog(0.01), THETA, MOMENTUM, 40).energy() - begin;
    double wrong = run(turned, THETA, MOMENTUM, 40).energy() - begin;
    assertTrue(Math.abs(wrong) > 100 * Math.abs(right), wrong + " against " + right);
  }

  @Test
  void energyIsThatOfTheTargetAndTheMomentum() {
    Leapfrog.State state = run(leapfrog(0.1), THETA, MOMENTUM, 0);
    assertEquals(0.5 * 0.45 - new SkewedTarget().value(THETA), state.energy(), 1e-14);
  }
}
