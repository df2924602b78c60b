package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.testdata.Factors;

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

  private static final double[] MODE = {0.5, 1, 0.7};

  private static Leapfrog leapfrog(double stepSize) {
    return leapfrog(null, stepSize);
  }

  private static Leapfrog leapfrog(double @Nullable [] mode, double stepSize) {
    return new Leapfrog(new SkewedTarget(), SkewedTarget.preconditioner(), mode, stepSize);
  }

  static Stream<double[]> modes() {
    return Stream.of(null, MODE);
  }

  @ParameterizedTest
  @MethodSource("modes")
  void theWayBackLeadsBack(double @Nullable [] mode) {
    Leapfrog leapfrog = leapfrog(mode, 0.1);
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
  @ParameterizedTest
  @MethodSource("modes")
  void volumeIsPreserved(double @Nullable [] mode) {
    Leapfrog leapfrog = leapfrog(mode, 0.1);
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
  @ParameterizedTest
  @MethodSource("modes")
  void theEnergyErrorIsOfSecondOrder(double @Nullable [] mode) {
    double begin = run(leapfrog(mode, 0.01), THETA, MOMENTUM, 0).energy();
    double coarse = run(leapfrog(mode, 0.01), THETA, MOMENTUM, 40).energy() - begin;
    double fine = run(leapfrog(mode, 0.005), THETA, MOMENTUM, 80).energy() - begin;
    assertEquals(4, coarse / fine, 0.05);
  }

  /** Any step, however long: u turned by a right angle is the momentum, whatever u was. */
  @Test
  void aNormalTargetsMotionIsExact() {
    double[] covariance = {4, 1.2, -0.3, 1.2, 1, 0, -0.3, 0, 0.25};
    Preconditioner shape = Factors.choleskyOf(covariance, 3);
    NormalTarget target = new NormalTarget(MODE, shape);
    Leapfrog.State begin = run(new Leapfrog(target, shape, MODE, 1), THETA, MOMENTUM, 0);
    for (double angle : new double[] {0.1, 1, Math.PI / 2}) {
      Leapfrog leapfrog = new Leapfrog(target, shape, MODE, angle);
      assertEquals(begin.energy(), run(leapfrog, THETA, MOMENTUM, 3).energy(), 1e-12);
    }
    double[] expected = MODE.clone();
    shape.addTo(MOMENTUM, 1, expected);
    Leapfrog quarter = new Leapfrog(target, shape, MODE, Math.PI / 2);
    assertArrayEquals(expected, run(quarter, THETA, MOMENTUM, 1).point().theta(), 1e-12);
  }

  /** A gradient of the wrong sign leaves HMC exact, so it takes this test to find it. */
  @Test
  void aGradientOfTheWrongSignLosesEnergy() {
    Leapfrog turned =
        new Leapfrog(
            new Mutants.TurnedGradient(new SkewedTarget()),
            SkewedTarget.preconditioner(),
            null,
            0.01);
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
