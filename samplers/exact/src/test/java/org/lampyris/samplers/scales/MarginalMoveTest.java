package org.lampyris.samplers.scales;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.LevelScales;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.prior.UnivariatePrior;

/** The path of a scale by its marginal density, against π̂ and against differences. */
class MarginalMoveTest {
  private static final int LEVELS = 3;

  private final SplittableRandom random = new SplittableRandom(4);

  /** Intercept and slope of each level meet; x is a coefficient beside them. */
  private final ScaleGroup effects =
      new LevelScales(
          new GroupingEffects(
              "g", List.of("(Intercept)", "x"), new UnivariatePrior.Normal(0, 1), 1),
          1,
          LEVELS);

  private final CollapsedQuadratic apart = quadratic((i, j) -> i / 2 == j / 2);

  /** The coefficients of a smooth all meet. */
  private final ScaleGroup smooth =
      new LevelScales("sds_sx_1", new UnivariatePrior.Normal(0, 1), new int[] {1, 2, 3, 4, 5, 6});

  private final CollapsedQuadratic together = quadratic((i, j) -> true);

  private interface Meeting {
    boolean meet(int i, int j);
  }

  /** Returns a quadratic of one coefficient and six of a group, of which some meet. */
  private CollapsedQuadratic quadratic(Meeting meeting) {
    int d = 1 + 2 * LEVELS;
    double[] origin = random.doubles(d, -0.5, 0.5).toArray();
    double[] packed = new double[CollapsedQuadratic.packedLength(d)];
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++, k++) {
        if (i == j) {
          packed[k] = -2 - random.nextDouble();
        } else if (j == 0 || meeting.meet(i - 1, j - 1)) {
          packed[k] = random.nextDouble(-0.3, 0.3);
        }
      }
    }
    for (; k < packed.length; k++) {
      packed[k] = random.nextDouble(-1, 1);
    }
    return new CollapsedQuadratic(origin, packed);
  }

  /** Along the path π̂ times the volume is the marginal density, up to a constant. */
  @Test
  void marginalDensityIsThatOfTheSurrogate() {
    for (int k = 0; k < 3; k++) {
      constant(effects, apart, k);
    }
    constant(smooth, together, 0);
  }

  private void constant(ScaleGroup group, CollapsedQuadratic quadratic, int k) {
    double[] theta = random.doubles(quadratic.dimension(), -1, 1).toArray();
    double[] phi = random.doubles(group.parameters(), -1, 1).toArray();
    ScalePath path = path(group, quadratic, k, theta, phi);
    double first = Double.NaN;
    for (double x : new double[] {phi[k], phi[k] - 2, phi[k] - 0.1, phi[k] + 0.7}) {
      double[] at = phi.clone();
      double[] b = new double[group.coefficients().length];
      path.move(x, at, b);
      double[] all = theta.clone();
      Arrays.setAll(b, i -> all[group.coefficients()[i]] = b[i]);
      double surrogate =
          quadratic.value(all) + group.logDensity(at, b) + group.logPrior(at) + path.logVolume(x);
      double difference = path.logSurrogate(x) - surrogate;
      first = Double.isNaN(first) ? difference : first;
      assertEquals(first, difference, 1e-9, "φ_" + k + " = " + x);
    }
  }

  /** It begins where the chain is, and returns from wherever it leads. */
  @Test
  void pathIsTheSameFromEveryPlaceOnIt() {
    double[] theta = random.doubles(7, -1, 1).toArray();
    double[] phi = random.doubles(3, -1, 1).toArray();
    double[] there = phi.clone();
    double[] b = new double[6];
    ScalePath path = path(effects, apart, 2, theta, phi);
    path.move(phi[2], there, b);
    for (int i = 0; i < 6; i++) {
      assertEquals(theta[1 + i], b[i], 1e-12);
    }
    assertArrayEquals(phi, there);
    path.move(1.3, there, b);
    assertTrue(there[0] != phi[0] && there[1] != phi[1], "others are taken along");
    double[] moved = theta.clone();
    System.arraycopy(b, 0, moved, 1, 6);
    path(effects, apart, 2, moved, there).move(phi[2], there, b);
    assertArrayEquals(phi, there, 1e-12);
    for (int i = 0; i < 6; i++) {
      assertEquals(theta[1 + i], b[i], 1e-12);
    }
  }

  /** The volume is the determinant of b′ in b, by differences. */
  @Test
  void volumeIsTheJacobian() {
    jacobian(effects, apart, 1);
    jacobian(effects, apart, 2);
    jacobian(smooth, together, 0);
  }

  private void jacobian(ScaleGroup group, CollapsedQuadratic quadratic, int k) {
    double[] theta = random.doubles(quadratic.dimension(), -1, 1).toArray();
    double[] phi = random.doubles(group.parameters(), -1, 1).toArray();
    double to = phi[k] + 0.8;
    int s = group.coefficients().length;
    DMatrixRMaj derivative = new DMatrixRMaj(s, s);
    double[] from = moved(group, quadratic, k, theta, phi, to);
    for (int j = 0; j < s; j++) {
      double[] shifted = theta.clone();
      shifted[group.coefficients()[j]] += 1;
      double[] end = moved(group, quadratic, k, shifted, phi, to);
      for (int i = 0; i < s; i++) {
        derivative.set(i, j, end[i] - from[i]); // b′ is linear in b
      }
    }
    ScalePath path = path(group, quadratic, k, theta, phi);
    assertEquals(
        Math.log(Math.abs(CommonOps_DDRM.det(derivative))),
        path.logVolume(to) - path.logVolume(phi[k]),
        1e-9);
  }

  private static double[] moved(
      ScaleGroup group,
      CollapsedQuadratic quadratic,
      int k,
      double[] theta,
      double[] phi,
      double x) {
    double[] b = new double[group.coefficients().length];
    path(group, quadratic, k, theta, phi).move(x, phi.clone(), b);
    return b;
  }

  /** A horseshoe has no path of this kind, and neither have coefficients of which too many meet. */
  @Test
  void largeBlocksHaveNone() {
    int[] many = IntStream.range(0, 65).toArray();
    double[] packed = new double[CollapsedQuadratic.packedLength(65)];
    Arrays.fill(packed, 0.01);
    ScaleGroup group = new LevelScales("tau", new UnivariatePrior.Normal(0, 1), many);
    assertTrue(MarginalMove.of(group, new CollapsedQuadratic(new double[65], packed)).isEmpty());
  }

  /** Returns a path; of correlated effects it takes other scales along. */
  private static ScalePath path(
      ScaleGroup group, CollapsedQuadratic quadratic, int k, double[] theta, double[] phi) {
    double[] near = new double[theta.length];
    Arrays.fill(near, 0.3);
    return MarginalMove.of(group, quadratic)
        .orElseThrow()
        .turned(new double[phi.length], at(group, near), slopes(group, quadratic, near))
        .path(k, phi.clone(), at(group, theta), slopes(group, quadratic, theta));
  }

  private static double[] slopes(ScaleGroup group, CollapsedQuadratic quadratic, double[] theta) {
    double[] gradient = new double[theta.length];
    quadratic.form().addGradient(theta, gradient);
    return at(group, gradient);
  }

  private static double[] at(ScaleGroup group, double[] theta) {
    return Arrays.stream(group.coefficients()).mapToDouble(j -> theta[j]).toArray();
  }
}
