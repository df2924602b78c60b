package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/** What moves within the edges of a support: a flow that preserves volume and can be undone. */
class EdgesTest {
  private static final int D = 3;
  private static final ProductPrior BOX = Invariance.BOX;
  private static final Preconditioner STRAIGHT = SkewedTarget.preconditioner();
  private static final Preconditioner SHAPE = STRAIGHT.within(BOX);
  private static final double[] CENTRE = {0.5, 1, 0};

  private static UniformRandomProvider rng(long iteration) {
    return new Streams(3).stream(Streams.Purpose.THETA, 1, iteration, 0);
  }

  /** How θ and a velocity in the coordinates u, both modified, move on. */
  private enum Motion {
    STRAIGHT_LINE {
      @Override
      void move(double[] theta, double[] velocity) {
        SHAPE.move(velocity, 1.3, theta);
      }

      @Override
      double energy(double[] theta, double[] velocity) {
        return squares(velocity);
      }
    },
    ELLIPSE {
      @Override
      void move(double[] theta, double[] velocity) {
        double[] speed = new double[D];
        SHAPE.addTo(velocity, 1, speed);
        Edges.of(BOX, SHAPE).turnAbout(CENTRE, theta, speed, 1.1);
        System.arraycopy(SHAPE.inverse(speed), 0, velocity, 0, D);
      }

      @Override
      double energy(double[] theta, double[] velocity) {
        double[] from = theta.clone();
        for (int i = 0; i < D; i++) {
          from[i] -= CENTRE[i];
        }
        return squares(SHAPE.inverse(from)) + squares(velocity);
      }
    };

    abstract void move(double[] theta, double[] velocity);

    abstract double energy(double[] theta, double[] velocity);
  }

  private static double squares(double[] v) {
    return Arrays.stream(v).map(x -> x * x).sum();
  }

  private static double[] inside(UniformRandomProvider rng) {
    return new double[] {rng.nextDouble(-1.2, 1), rng.nextDouble(0, 2.3), rng.nextDouble(-2.5, 2)};
  }

  private static double[] turned(double[] velocity) {
    return Arrays.stream(velocity).map(v -> -v).toArray();
  }

  private static void assertInside(double[] theta) {
    assertTrue(Double.isFinite(BOX.logDensity(theta)), () -> Arrays.toString(theta));
  }

  @ParameterizedTest
  @EnumSource
  void theWayBackLeadsBack(Motion motion) {
    for (int i = 0; i < 2000; i++) {
      UniformRandomProvider rng = rng(i);
      double[] start = inside(rng);
      double[] velocity = Noise.of(rng).normals(D);
      double[] theta = start.clone();
      double[] now = velocity.clone();
      motion.move(theta, now);
      assertInside(theta);
      double energy = motion.energy(start, velocity);
      assertEquals(energy, motion.energy(theta, now), 1e-9 * (1 + energy));
      double[] back = turned(now);
      motion.move(theta, back);
      assertArrayEquals(start, theta, 1e-8, "seed 3, " + i);
      assertArrayEquals(turned(velocity), back, 1e-8, "seed 3, " + i);
    }
  }

  /** The Jacobian determinant of (θ, velocity), by central differences, is that of u: 1. */
  @ParameterizedTest
  @EnumSource
  void volumeIsPreserved(Motion motion) {
    double h = 1e-7;
    for (int i = 0; i < 200; i++) {
      UniformRandomProvider rng = rng(i);
      double[] start = inside(rng);
      double[] velocity = Noise.of(rng).normals(D);
      DMatrixRMaj jacobian = new DMatrixRMaj(2 * D, 2 * D);
      for (int column = 0; column < 2 * D; column++) {
        double[][] ends = new double[2][];
        for (int side = 0; side < 2; side++) {
          double[] theta = start.clone();
          double[] v = velocity.clone();
          (column < D ? theta : v)[column % D] += side == 0 ? -h : h;
          motion.move(theta, v);
          ends[side] = new double[] {theta[0], theta[1], theta[2], v[0], v[1], v[2]};
        }
        for (int row = 0; row < 2 * D; row++) {
          jacobian.set(row, column, (ends[1][row] - ends[0][row]) / (2 * h));
        }
      }
      assertEquals(1, CommonOps_DDRM.det(jacobian), 1e-4, "seed 3, " + i);
    }
  }

  @Test
  void withoutAnEdgeOnTheWayTheBitsAreThoseWithoutEdges() {
    int straight = 0;
    for (int i = 0; i < 500; i++) {
      UniformRandomProvider rng = rng(i);
      double[] start = inside(rng);
      double[] velocity = Noise.of(rng).normals(D);
      double[] free = start.clone();
      STRAIGHT.addTo(velocity, 0.4, free);
      double[] theta = start.clone();
      SHAPE.move(velocity, 0.4, theta);
      if (Double.isFinite(BOX.logDensity(free))) {
        assertArrayEquals(free, theta);
        straight++;
      } else {
        assertInside(theta);
      }
    }
    assertTrue(straight > 50 && straight < 450, straight + " of 500");
  }

  /** On edges and in corners, with a velocity outwards, as at a mode that is there. */
  @ParameterizedTest
  @EnumSource
  void aStartOnAnEdgeIsLeftInwards(Motion motion) {
    for (int i = 0; i < 2000; i++) {
      UniformRandomProvider rng = rng(i);
      double[] start = inside(rng);
      for (int j = 0; j < D; j++) {
        if (rng.nextBoolean()) {
          start[j] = rng.nextBoolean() || j == 1 ? BOX.lower(j) : BOX.upper(j);
        }
      }
      double[] theta = start.clone();
      motion.move(theta, Noise.of(rng).normals(D));
      assertInside(theta);
      for (int j = 0; j < D; j++) {
        assertTrue(theta[j] != start[j], "seed 3, " + i);
      }
    }
  }

  /** In one dimension a reflection is a fold: the triangle wave. */
  @Test
  void severalReflectionsFold() {
    Preconditioner shape =
        Preconditioner.identity(1).within(ProductPrior.parse(List.of("uniform(-1, 2)")));
    for (double way = -20; way < 20; way += 0.37) {
      double[] theta = {0.5};
      double[] velocity = {way};
      shape.move(velocity, 1, theta);
      double folded = Math.abs(((0.5 + way + 1) % 6 + 6) % 6 - 3);
      assertEquals(2 - folded, theta[0], 1e-12);
      assertEquals(Math.abs(way), Math.abs(velocity[0]));
    }
  }

  @Test
  void tooManyReflectionsLeadBack() {
    Preconditioner shape =
        Preconditioner.identity(1).within(ProductPrior.parse(List.of("uniform(0, 1)")));
    assertEquals(4, shape.largestStepSize());
    double[] theta = {0.3};
    double[] velocity = {1e7};
    shape.move(velocity, 1, theta);
    assertEquals(0.3, theta[0]);
    assertEquals(-1e7, velocity[0]);
  }

  /** Each coordinate folded by itself; a velocity taken as it was sent off. */
  @Test
  void whatIsNotAReflectionIsFoundOut() {
    Invariance.Stepper folded =
        (target, theta, rng) -> {
          double[] to = theta.clone();
          STRAIGHT.addTo(Noise.of(rng).normals(D), 0.6, to);
          for (int j = 0; j < D; j++) {
            double below = Math.max(0, BOX.lower(j) - to[j]);
            double above = Math.max(0, to[j] - BOX.upper(j));
            to[j] += 2 * below - 2 * above;
          }
          double[] values = new double[2];
          target.values(new double[][] {theta, to}, values);
          double probability = Metropolis.acceptanceProbability(values[0], values[1]);
          return rng.nextDouble() < probability ? to : theta;
        };
    double worst = Invariance.worstScoreWithin(BOX, folded, 5);
    assertTrue(worst > Invariance.LIMIT, "folded: only " + worst + " standard errors");
    worst = Invariance.worstScoreWithin(BOX, EdgesTest::departing, 5);
    assertTrue(worst > Invariance.LIMIT, "departing: only " + worst + " standard errors");
  }

  /** Barker's proposal whose way back begins with the velocity of its departure. */
  private static double[] departing(LogDensity target, double[] theta, UniformRandomProvider rng) {
    Noise noise = Noise.of(rng);
    Point current = Point.evaluate(target, theta);
    double[] slope = SHAPE.transposed(current.knownGradient());
    double[] move = noise.normals(D);
    for (int i = 0; i < D; i++) {
      move[i] *= noise.flip(StableMath.sigmoid(0.6 * move[i] * slope[i])) ? 0.6 : -0.6;
    }
    double[] to = theta.clone();
    SHAPE.move(move.clone(), 1, to);
    Point proposed = Point.evaluate(target, to);
    double[] there = SHAPE.transposed(proposed.knownGradient());
    double correction = 0;
    for (int i = 0; i < D; i++) {
      correction +=
          StableMath.logSigmoid(-move[i] * there[i]) - StableMath.logSigmoid(move[i] * slope[i]);
    }
    double probability =
        Metropolis.acceptanceProbability(current.logDensity(), proposed.logDensity(), correction);
    return noise.flip(probability) ? to : theta;
  }
}
