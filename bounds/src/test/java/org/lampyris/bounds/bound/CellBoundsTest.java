package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.StudentLikelihood;
import org.lampyris.bounds.model.Alike;
import org.lampyris.bounds.model.ThirdDerivatives;

/** Bounds on third derivatives that rows share, against those of each row's own box. */
class CellBoundsTest {
  /** A count is alike itself, and a residual the one at 0. */
  private record Located(boolean residuals) implements Alike {
    @Override
    public double location(double y) {
      return residuals ? y : 0;
    }

    @Override
    public double response(double y) {
      return residuals ? 0 : y == Math.rint(y) ? y : Double.NaN;
    }

    @Override
    public double unit(double eta, double[] tau) {
      return tau[0];
    }
  }

  /** |∂³η| is at most e^(η − y) + τ, which a box attains at its upper ends. */
  private static final ThirdDerivatives EXPONENTIAL =
      (center, reach, y, out) -> {
        out[0] = Math.exp(center[0] + reach[0] - y) + center[1] + reach[1];
        out[1] = y;
      };

  private static double[] bounds(ThirdDerivatives of, double eta, double r, double tau, double y) {
    double[] out = new double[2];
    of.thirdDerivatives(new double[] {eta, tau}, new double[] {r, 0.1}, y, out);
    return out;
  }

  @Test
  void aBoxIsCoveredByItsCells() {
    Random random = new Random(1);
    ThirdDerivatives cells = CellBounds.of(EXPONENTIAL, Optional.of(new Located(true)));
    for (int i = 0; i < 2000; i++) {
      double y = 50 * random.nextGaussian();
      double eta = y + random.nextGaussian();
      double r = Math.exp(random.nextGaussian() - 2);
      double tau = 0.2 + (i % 3) / 10.0;
      double least = bounds(EXPONENTIAL, eta, r, tau, y)[0];
      double cell = Math.max(2 * r / 8, tau / 64);
      double most = bounds(EXPONENTIAL, eta, r + 1.01 * cell, tau, y)[0];
      double found = bounds(cells, eta, r, tau, y)[0];
      assertTrue(found >= least && found <= most, least + " … " + found + " … " + most);
    }
  }

  @Test
  void aRowsBoundsAreItsOwn() {
    Random random = new Random(2);
    StudentLikelihood student = new StudentLikelihood();
    ThirdDerivatives shared = CellBounds.of(student, student.alike());
    for (int i = 0; i < 200; i++) {
      double[] center = {random.nextGaussian(), 0.3, 1.2};
      double[] reach = {0.2 + random.nextDouble(), 0.1, 0.2};
      double y = center[0] + random.nextGaussian();
      double[] after = new double[10];
      double[] alone = new double[10];
      shared.thirdDerivatives(center, reach, y, after);
      CellBounds.of(new Counted(student, i), student.alike())
          .thirdDerivatives(center, reach, y, alone);
      assertArrayEquals(alone, after, "row " + i);
    }
  }

  /** Bounds of some number; how often any are computed is counted. */
  private record Counted(ThirdDerivatives of, int number) implements ThirdDerivatives {
    static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    public void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
      COUNT.incrementAndGet();
      of.thirdDerivatives(center, reach, y, out);
    }
  }

  /** As those are that a task gets: equal numbers and the same class. */
  @Test
  void copiesShareTheirCells() {
    Alike residuals = new Located(true);
    int[] counts = new int[4];
    double[][] found = new double[4][];
    for (int i = 0; i < 4; i++) {
      ThirdDerivatives of = new Counted(EXPONENTIAL, i == 2 ? -2 : -1);
      Alike alike = i == 3 ? new StudentLikelihood() : residuals;
      int before = Counted.COUNT.get();
      found[i] = bounds(CellBounds.of(of, Optional.of(alike)), 0.3, 0.4, 0.2, 7);
      counts[i] = Counted.COUNT.get() - before;
    }
    assertTrue(counts[0] > 5 && counts[2] == counts[0] && counts[3] > 0, Arrays.toString(counts));
    assertEquals(0, counts[1], "the second knows its cells");
    assertArrayEquals(found[0], found[1]);
  }

  @Test
  void responsesWithoutOthersLikeThemHaveTheirOwnBox() {
    ThirdDerivatives cells = CellBounds.of(EXPONENTIAL, Optional.of(new Located(false)));
    assertArrayEquals(bounds(EXPONENTIAL, 0.3, 0.4, 0.2, 1.5), bounds(cells, 0.3, 0.4, 0.2, 1.5));
    assertEquals(3, bounds(cells, 0.3, 0.4, 0.2, 3)[1]);
    assertTrue(bounds(cells, 0.3, 0.4, 0.2, 3)[0] > bounds(EXPONENTIAL, 0.3, 0.4, 0.2, 3)[0]);
    double[] endless = bounds(cells, 0.3, Double.POSITIVE_INFINITY, 0.2, 3);
    assertArrayEquals(bounds(EXPONENTIAL, 0.3, Double.POSITIVE_INFINITY, 0.2, 3), endless);
    assertEquals(EXPONENTIAL, CellBounds.of(EXPONENTIAL, Optional.empty()));
  }
}
