package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

class PerRowRatesQuadratureTest {
  private static final int D = 3;
  private static final int ROWS = 40;
  private static final double[] MODE = {0.4, -0.7, 1.2};
  private static final double[] COVARIANCE = {0.09, 0.02, 0, 0.02, 0.12, -0.03, 0, -0.03, 0.05};

  private final JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
  private final PerRowRates rates =
      new PerRowRates(bound, new LaplaceApproximation(MODE, COVARIANCE), 3, 0.1);

  private static DataBlock block(long id) {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, id);
    var normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] x = new double[ROWS * D];
    double[] y = new double[ROWS];
    for (int i = 0; i < x.length; i++) {
      x[i] = normal.sample() * (i < D ? 0 : 1); // the first row is of zeros: no leverage
    }
    for (int i = 0; i < ROWS; i++) {
      y[i] = rng.nextBoolean() ? 1 : -1;
    }
    return new DenseBlock(id, D, x, y, null);
  }

  /** ∫ (1 − e^(−gap(s))) N(s; ŝ, h) ds by the trapezoid rule over ±12 sd: exact to 1e-12. */
  @Test
  void expectedBrightnessIsTheIntegral() {
    DataBlock block = block(0);
    for (Anchors anchors : List.of(bound.anchorsAt(block, MODE), Anchors.constant(1.5))) {
      double[] expected = rates.expectedBrightness(block, anchors);
      for (int row = 0; row < ROWS; row++) {
        double mean = block.response(row) * block.dot(row, MODE, 0);
        double sd = Math.sqrt(leverage(block, row));
        double exact = integral(mean, sd, anchors.get(row, 0));
        assertEquals(exact, expected[row], 1e-6 + 2e-3 * exact, "row " + row);
      }
    }
  }

  private static double leverage(DataBlock block, int row) {
    double sum = 0;
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) {
        sum += block.feature(row, i) * COVARIANCE[i * D + j] * block.feature(row, j);
      }
    }
    return sum;
  }

  private static double integral(double mean, double sd, double anchor) {
    int steps = 4800;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double z = -12 + 24.0 * i / steps;
      double gap = JaakkolaJordanBound.gap(mean + sd * z, anchor, null);
      sum += -Math.expm1(-gap) * Math.exp(-0.5 * z * z);
    }
    return sum * 24.0 / steps / Math.sqrt(2 * Math.PI);
  }

  /** The same under the whole Laplace approximation in three dimensions, by plain Monte Carlo. */
  @Test
  void oneDimensionIsEnough() {
    DataBlock block = block(1);
    Anchors anchors = bound.anchorsAt(block, MODE);
    double[] expected = rates.expectedBrightness(block, anchors);
    Preconditioner factor = Factors.choleskyOf(COVARIANCE, D);
    UniformRandomProvider rng = new Streams(8).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    int draws = 20_000;
    double[] sum = new double[ROWS];
    double[] squares = new double[ROWS];
    for (int k = 0; k < draws; k++) {
      double[] theta = StartingPoint.laplace(MODE, factor, 1, rng);
      for (int row = 0; row < ROWS; row++) {
        double bright = -Math.expm1(-bound.gap(block, row, theta, anchors));
        sum[row] += bright / draws;
        squares[row] += bright * bright / draws;
      }
    }
    for (int row = 0; row < ROWS; row++) {
      double error = Math.sqrt((squares[row] - sum[row] * sum[row]) / draws);
      // 5 standard errors for 40 rows: false-alarm rate below 1e-4, were the errors normal.
      assertEquals(sum[row], expected[row], 5 * error + 1e-9, "row " + row);
    }
  }

  @Test
  void ratesAreKappaTimesTheExpectationWithAFloorAndAtMostOne() {
    List<DataBlock> blocks = List.of(block(0), block(1));
    double kappa = 20;
    double floor = 0.5;
    Anchors anchors = Anchors.constant(1.5);
    PerRowRates rule =
        new PerRowRates(bound, new LaplaceApproximation(MODE, COVARIANCE), kappa, floor);
    double mean = 0;
    double[][] expected = new double[2][];
    for (int b = 0; b < 2; b++) {
      expected[b] = rates.expectedBrightness(blocks.get(b), anchors);
      for (double e : expected[b]) {
        mean += e / (2 * ROWS);
      }
    }
    int floored = 0;
    int certain = 0;
    for (int b = 0; b < 2; b++) {
      BlockRates.OfRows given = rule.rates(expected[b], mean);
      double before = 0;
      for (int row = 0; row < ROWS; row++) {
        double least = floor * kappa * mean;
        double q = Math.min(1, Math.max(kappa * expected[b][row], least));
        floored += kappa * expected[b][row] < least ? 1 : 0;
        certain += q == 1 ? 1 : 0;
        assertEquals(q, -Math.expm1(before - given.hazardTo(row)), 1e-12);
        before = given.hazardTo(row);
      }
      assertTrue(before <= ROWS * BlockRates.LARGEST_HAZARD);
    }
    assertTrue(certain > 0, "no row at the rate 1");
    assertTrue(floored > 0, "no row at the floor");
    assertTrue(floored + certain < 2 * ROWS, "no row in between");
  }

  /** E Z^k is (k − 1)!! for even k and 0 for odd, exact up to degree 2·size − 1. */
  @Test
  void gaussHermiteIsExactForPolynomials() {
    for (int size : new int[] {1, 2, 5, 15}) {
      PerRowRates.Gauss rule = PerRowRates.Gauss.hermite(size);
      double moment = 1;
      for (int degree = 0; degree < 2 * size; degree++) {
        double sum = 0;
        double magnitude = 0;
        for (int k = 0; k < size; k++) {
          double term = rule.weights()[k] * Math.pow(rule.nodes()[k], degree);
          sum += term;
          magnitude += Math.abs(term);
        }
        if (degree > 0 && degree % 2 == 0) {
          moment *= degree - 1;
        }
        assertEquals(degree % 2 == 0 ? moment : 0, sum, 1e-11 * magnitude, size + ", " + degree);
      }
    }
  }
}
