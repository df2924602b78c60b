package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LocalLogisticBound;
import org.lampyris.bounds.family.MixtureFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.StudentLikelihood;
import org.lampyris.bounds.family.softmax.BohningBound;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

class PerRowRatesTest {

  private static final int ROWS = 30;
  private static final int DRAWS = 40_000;

  private final SharedStateContinuousSampler normal =
      ZigguratSampler.NormalizedGaussian.of(new Streams(8).stream(Streams.Purpose.THETA, 1, 1, 0));

  private double[] normals(int n, double scale) {
    double[] values = new double[n];
    Arrays.setAll(values, i -> scale * normal.sample());
    return values;
  }

  /** A covariance of the given size in every direction, with correlations. */
  private double[] covariance(int d, double sd) {
    double[] factor = normals(d * d, 1 / Math.sqrt(d));
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          covariance[i * d + j] += sd * sd * factor[i * d + k] * factor[j * d + k];
        }
      }
      covariance[i * d + i] += 0.3 * sd * sd;
    }
    return covariance;
  }

  private DataBlock block(int columns, UniformRandomProvider rng, int classes) {
    return block(columns, () -> classes > 0 ? rng.nextInt(classes) : 2 * normal.sample());
  }

  private DataBlock block(int columns, DoubleSupplier label) {
    double[] x = normals(ROWS * columns, 1);
    double[] y = new double[ROWS];
    Arrays.setAll(y, i -> label.getAsDouble());
    Arrays.fill(x, columns, 2 * columns, 0); // a row that no coefficient moves
    return new DenseBlock(0, columns, x, y, null);
  }

  private double[] byMonteCarlo(
      LowerBound bound, DataBlock block, Anchors anchors, double[] mode, double[] covariance) {
    Preconditioner factor = Factors.choleskyOf(covariance, mode.length);
    double[] sum = new double[ROWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double[] theta = mode.clone();
      factor.addTo(normals(mode.length, 1), 1, theta);
      for (int row = 0; row < ROWS; row++) {
        double gap = bound.gap(block, row, theta, anchors);
        sum[row] += StableMath.brightProbability(gap) / DRAWS;
      }
    }
    return sum;
  }

  private void check(LowerBound bound, int columns, int classes, double sd) {
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.THETA, 1, 1, 0);
    int d = bound.dimension();
    check(bound, block(columns, rng, classes), normals(d, 0.7), covariance(d, sd), 0);
  }

  /**
   * Within 15 % for every row, and 4 % for their sum; Monte Carlo itself is off by up to 3 %.
   *
   * @param floor rows below that share of the mean may be off by as much as those are
   */
  private void check(
      LowerBound bound, DataBlock block, double[] mode, double[] covariance, double floor) {
    Anchors anchors = bound.anchorsAt(block, mode);
    PerRowRates rates = new PerRowRates(bound, new LaplaceApproximation(mode, covariance), 3, 0.1);
    double[] actual = rates.expectedBrightness(block, anchors);
    double[] expected = byMonteCarlo(bound, block, anchors, mode, covariance);
    double total = Arrays.stream(expected).sum();
    for (int row = 0; row < ROWS; row++) {
      assertTrue(actual[row] >= 0 && actual[row] <= 1);
      double atLeast = Math.max(expected[row], floor * total / ROWS);
      assertEquals(expected[row], actual[row], 0.15 * atLeast + 1e-12, "row " + row);
    }
    assertEquals(total, Arrays.stream(actual).sum(), 0.04 * total);
  }

  @Test
  void oneLinearPredictor() {
    check(new JaakkolaJordanBound(5), 5, 0, 0.5);
    check(new RobustFamily.StudentBound(new RobustFamily.RobustLikelihood(4, 1), 5), 5, 0, 0.2);
  }

  @Test
  void softmax() {
    for (double sd : new double[] {0.05, 0.3, 1}) {
      check(new BohningBound(new SoftmaxModel(4, 3, SoftmaxModel.NO_REFERENCE)), 4, 3, sd);
    }
    check(new BohningBound(new SoftmaxModel(3, 3, 0)), 3, 3, 0.3);
    check(new BohningBound(new SoftmaxModel(2, 7, 6)), 2, 7, 0.3);
  }

  /** Minutes or seconds: about the same brightness, and no evaluations. */
  @Test
  void theResponsesUnitDoesNotMatter() {
    double[] x = normals(2 * ROWS, 1);
    double[] y = normals(ROWS, 2);
    for (JointLikelihood likelihood :
        new JointLikelihood[] {
          new StudentLikelihood(),
          new RobustFamily.ScaleLikelihood(4),
          new GaussianScaleModel.ScaleLikelihood()
        }) {
      int d = 2 + likelihood.parameters();
      PerRowRates.Expected[] expected = new PerRowRates.Expected[3];
      for (int i = 0; i < 3; i++) {
        double unit = Math.scalb(1.0, 10 * i - 10);
        double[] mode = new double[d];
        double[] covariance = new double[d * d];
        for (int k = 0; k < d; k++) {
          mode[k] = k < 2 ? 0.4 * unit : k == 2 ? Math.log(1.3 * unit) : 1.3;
          covariance[k * (d + 1)] = 4e-6 * (k < 2 ? unit * unit : 1);
        }
        double[] labels = Arrays.stream(y).map(of -> of * unit).toArray();
        DataBlock block = new DenseBlock(0, 2, x, labels, null);
        LaplaceApproximation laplace = new LaplaceApproximation(mode, covariance);
        LowerBound bound = new LocalDispersedBound(likelihood, laplace, 5);
        expected[i] =
            new PerRowRates(bound, laplace, 3, 0.1).expected(block, bound.anchorsAt(block, mode));
        for (int row = 0; row < ROWS; row++) {
          // Bounds of derivatives are halved until they are close, which rounding may decide.
          double first = expected[0].brightness()[row];
          assertEquals(first, expected[i].brightness()[row], 0.05 * first, "row " + row);
        }
        assertEquals(0, expected[i].evaluations(), likelihood.getClass().getSimpleName());
      }
    }
  }

  /**
   * Rows that are seldom bright, by the mean of a quadratic, and rows that are often. Where the
   * third order is 0 the fourth is all there is, and the floor takes its place.
   */
  @Test
  void boundsInABall() {
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.THETA, 1, 1, 0);
    for (double sd : new double[] {0.003, 0.03, 0.2}) {
      double[] mode = normals(4, 0.7);
      double[] covariance = covariance(4, sd);
      LaplaceApproximation laplace = new LaplaceApproximation(mode, covariance);
      check(new LocalLogisticBound(laplace, 7), block(4, rng, 2), mode, covariance, 0.1);
      DataBlock positive = block(3, () -> Math.exp(normal.sample()));
      LowerBound shape = new LocalDispersedBound(new GammaFamily.ShapeLikelihood(), laplace, 7);
      check(shape, positive, mode, covariance, 0.1);
    }
  }

  @Test
  void coefficientsAndALogScale() {
    for (double sd : new double[] {0.003, 0.05, 0.2}) {
      check(new GaussianScaleModel.Bound(new GaussianScaleModel(3), 0, 0.5), 3, 0, sd);
    }
  }

  @Test
  void aMixtureInTheSpaceOfTheta() {
    check(new MixtureFamily.MixtureBound(new MixtureFamily.MixtureModel(1.4)), 1, 0, 0.2);
  }

  @Test
  void theRuleIntegratesPolynomials() {
    for (int p : new int[] {2, 3, 5, 13, 32}) {
      PerRowRates.SphericalRadial rule = new PerRowRates.SphericalRadial(p);
      double[] moments = new double[6];
      for (int k = 0; k < rule.size(); k++) {
        double squared = 0;
        for (int i = 0; i < p; i++) {
          squared += rule.node(k, i) * rule.node(k, i);
        }
        double[] f = {
          1,
          rule.node(k, 0),
          rule.node(k, 0) * rule.node(k, 0),
          rule.node(k, 0) * rule.node(k, 1),
          Math.pow(rule.node(k, 1), 3),
          squared * squared * squared
        };
        for (int m = 0; m < f.length; m++) {
          moments[m] += rule.weight(k) * f[m];
        }
      }
      double[] expected = {1, 0, 1, 0, 0, p * (p + 2.0) * (p + 4)};
      for (int m = 0; m < expected.length; m++) {
        assertEquals(expected[m], moments[m], 1e-12 * (1 + expected[m]), "moment " + m);
      }
    }
  }

  @Test
  void tooManyFunctionalsAreRefused() {
    LowerBound bound = new BohningBound(new SoftmaxModel(1, 40, 0));
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                new PerRowRates(
                    bound, new LaplaceApproximation(new double[39], covariance(39, 1)), 3, 0.1));
    assertTrue(String.valueOf(e.getMessage()).contains("z_kernel: implicit"), e.getMessage());
  }

  /** The numbers that one linear predictor gave before there were others. */
  @Test
  void onePredictorKeepsItsNumbers() {
    DataBlock block =
        new DenseBlock(
            0,
            2,
            new double[] {1, 0.5, 1, -2, 1, 3},
            new double[] {1, -1, 1},
            new double[] {1, 2, 3});
    LowerBound bound = new JaakkolaJordanBound(2);
    double[] mode = {0.3, -0.8};
    PerRowRates rates =
        new PerRowRates(
            bound, new LaplaceApproximation(mode, new double[] {0.1, 0.02, 0.02, 0.2}), 3, 0.1);
    assertArrayEquals(
        new double[] {4.5818477556966507E-4, 0.055807000290106795, 0.16054628726428197},
        rates.expectedBrightness(block, bound.anchorsAt(block, mode)),
        1e-14);
  }
}
