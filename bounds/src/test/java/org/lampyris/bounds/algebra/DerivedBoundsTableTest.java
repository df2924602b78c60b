package org.lampyris.bounds.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Locale;
import java.util.random.RandomGenerator;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CovarianceOps_DDRM;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.BetaFamily;
import org.lampyris.bounds.family.BinomialFamily;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.LocalLogisticBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.ProbitFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.ordinal.LocalOrdinalBound;
import org.lampyris.bounds.family.ordinal.OrdinalModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * The table of {@code docs/bounds.md} on derived bounds beside those made by hand, of families with
 * given and sampled parameters: the bright rows that each expects of 10,000, and the time of a
 * row's anchor and gap. Softmax is not in it: its gap has no usual value in closed form. A
 * benchmark, run with {@code -Dlampyris.benchmark=derived-bounds}. It prints Markdown.
 */
class DerivedBoundsTableTest {
  private static final int ROWS = 10_000;
  private static final int COLUMNS = 11;
  private static final double RADIUS = 7;

  private final RandomGenerator random = RandomBlocks.random(9);

  /** Draws a label given η. */
  private interface Label {
    double of(double eta);
  }

  /** Makes a local bound. */
  private interface Local {
    LowerBound about(LaplaceApproximation laplace);
  }

  private double gamma(int halves, double mean) {
    double sum = 0;
    for (int i = 0; i < halves; i++) {
      sum += Math.pow(random.nextGaussian(), 2);
    }
    return mean * sum / halves;
  }

  private double poisson(double mean) {
    int count = 0;
    for (double t = random.nextExponential(); t < mean; t += random.nextExponential()) {
      count++;
    }
    return count;
  }

  private DataBlock table(Label label) {
    double[] x = new double[ROWS * COLUMNS];
    double[] y = new double[ROWS];
    for (int row = 0; row < ROWS; row++) {
      double eta = 0.5;
      x[row * COLUMNS] = 1;
      for (int j = 1; j < COLUMNS; j++) {
        x[row * COLUMNS + j] = random.nextGaussian();
        eta += x[row * COLUMNS + j] / Math.sqrt(COLUMNS - 1) * (j % 2 == 0 ? 1 : -1);
      }
      y[row] = label.of(eta);
    }
    return new DenseBlock(0, COLUMNS, x, y, null);
  }

  /**
   * Newton's steps, halved until log L rises, under a prior that hardly matters. A Hessian that is
   * not negative definite, far from the mode, is made so by a multiple of the identity.
   */
  private static LaplaceApproximation mode(Model model, DataBlock block) {
    int d = model.dimension();
    double[] theta = new double[d];
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    for (int step = 0; step < 40; step++) {
      double[] gradient = new double[d];
      double[] hessian = new double[d * d];
      double value = model.addHessians(block, theta, gradient, hessian);
      double ridge = 1e-2;
      while (!inverted(hessian, ridge, covariance)) {
        ridge *= 10;
      }
      double[] next = theta;
      for (double share = 1; share > 1e-6; share /= 2) {
        next = theta.clone();
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            next[i] += share * covariance.get(i, j) * gradient[j];
          }
        }
        double[] at = new double[1];
        model.addLogLikelihoods(block, new double[][] {next}, at);
        if (at[0] >= value) {
          break;
        }
      }
      theta = next;
    }
    return new LaplaceApproximation(theta, covariance.data);
  }

  /** Writes (ridge·I − H)⁻¹, and returns whether that is positive definite. */
  private static boolean inverted(double[] hessian, double ridge, DMatrixRMaj inverse) {
    int d = inverse.numRows;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double entry = (i == j ? ridge : 0) - hessian[i * d + j];
        inverse.set(i, j, entry);
        inverse.set(j, i, entry);
      }
    }
    return CovarianceOps_DDRM.invert(inverse);
  }

  /** A share whose mean rises with η. */
  private Label share() {
    return eta -> {
      double one = gamma(4, 1);
      return one / (one + gamma(4, Math.exp(-eta)));
    };
  }

  /** One of three classes, by a logistic number about η. */
  private double rank(double eta) {
    double u = random.nextDouble();
    double at = eta + Math.log(u / (1 - u));
    return at < 0 ? 0 : at < 1.5 ? 1 : 2;
  }

  /** Returns the sum of a bound at the mode, where it is log L. */
  private static double atMode(Local of, LaplaceApproximation laplace, DataBlock block) {
    LowerBound bound = of.about(laplace);
    CollapsedQuadratic sum = new CollapsedQuadratic(laplace.mode());
    bound.collapse(block, bound.anchorsAt(block, laplace.mode()), sum);
    return sum.value(laplace.mode());
  }

  /** Bright rows, and the nanoseconds of a row's anchor and of its gap. */
  private double[] figures(Local of, LaplaceApproximation laplace, DataBlock block) {
    LowerBound bound = of.about(laplace);
    double[] near = laplace.mode().clone();
    near[0] += laplace.sd(0);
    double bright = 0;
    double anchoring = Double.POSITIVE_INFINITY;
    double gaps = Double.POSITIVE_INFINITY;
    for (int repeat = 0; repeat < 2; repeat++) {
      long start = System.nanoTime();
      Anchors anchors = bound.anchorsAt(block, laplace.mode());
      long middle = System.nanoTime();
      double sum = 0;
      for (int row = 0; row < ROWS; row++) {
        sum += bound.gap(block, row, near, anchors);
      }
      long end = System.nanoTime();
      assertTrue(sum >= 0);
      anchoring = Math.min(anchoring, (middle - start) / (double) ROWS);
      gaps = Math.min(gaps, (end - middle) / (double) ROWS);
      bright = 0;
      for (int row = 0; row < ROWS; row++) {
        bright += bound.usualGap(block, row, laplace.spread(bound, block, row), anchors);
      }
    }
    return new double[] {bright, anchoring, gaps};
  }

  private void line(String name, Model model, Local byHand, Local derived, Label label) {
    DataBlock block = table(label);
    LaplaceApproximation laplace = mode(model, block);
    double logLikelihood = atMode(byHand, laplace, block);
    assertEquals(logLikelihood, atMode(derived, laplace, block), 1e-9 * Math.abs(logLikelihood));
    double[] hand = figures(byHand, laplace, block);
    double[] ours = figures(derived, laplace, block);
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %.3g | %.3g | %.2f | %,.0f | %,.0f | %,.0f | %,.0f |",
            name,
            hand[0],
            ours[0],
            ours[0] / hand[0],
            hand[1],
            ours[1],
            hand[2],
            ours[2]));
  }

  private void one(String name, Likelihood byHand, DerivedLikelihood derived, Label label) {
    line(
        name,
        new LinearModel(byHand, COLUMNS),
        laplace -> new LocalTaylorBound(byHand, laplace, RADIUS),
        laplace -> new LocalTaylorBound(derived, laplace, RADIUS),
        label);
  }

  private void two(
      String name, DispersedLikelihood byHand, DerivedDispersedLikelihood derived, Label label) {
    line(
        name,
        new DispersedModel(byHand, COLUMNS),
        laplace -> new LocalDispersedBound(byHand, laplace, RADIUS),
        laplace -> new LocalDispersedBound(derived, laplace, RADIUS),
        label);
  }

  @Test
  void everyFamily() {
    assumeTrue("derived-bounds".equals(System.getProperty("lampyris.benchmark")), "a benchmark");
    System.out.println(
        "| family | bright, by hand | derived | ratio | ns an anchor, by hand | derived | ns a gap,"
            + " by hand | derived |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|");
    Label sign = eta -> random.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
    Label count = eta -> poisson(gamma(3, Math.exp(eta)));
    Label positive = eta -> gamma(4, Math.exp(eta));
    Label real = eta -> eta + random.nextGaussian() / Math.sqrt(gamma(4, 1));
    line(
        "logistic",
        new LinearModel(new LogisticLikelihood(), COLUMNS),
        laplace -> new LocalLogisticBound(laplace, RADIUS),
        laplace -> new LocalTaylorBound(Written.logistic(), laplace, RADIUS),
        sign);
    one(
        "probit",
        new ProbitFamily.ProbitLikelihood(),
        Written.probit(),
        eta -> random.nextGaussian() < eta ? 1 : -1);
    one(
        "binomial",
        new BinomialFamily.BinomialLikelihood(),
        Written.binomial(),
        eta -> 0.5 + 0.5 * sign.of(eta));
    one(
        "poisson",
        new PoissonFamily.PoissonLikelihood(),
        Written.poisson(),
        eta -> poisson(Math.exp(eta)));
    one("gamma, shape given", new GammaFamily.GammaLikelihood(2), Written.gamma(2), positive);
    one(
        "negative_binomial, shape given",
        new NegativeBinomialFamily.GivenLikelihood(1.5),
        Written.negativeBinomial(1.5),
        count);
    one("robust, scale given", new RobustFamily.RobustLikelihood(4, 1), Written.robust(4, 1), real);
    two("gamma", new GammaFamily.ShapeLikelihood(), Written.gammaShape(), positive);
    two(
        "negative_binomial",
        new NegativeBinomialFamily.ShapeLikelihood(),
        Written.negativeBinomialShape(),
        count);
    two("beta", new BetaFamily.PrecisionLikelihood(), Written.betaPrecision(), share());
    two("robust", new RobustFamily.ScaleLikelihood(4), Written.robustScale(4), real);
    two(
        "gaussian, sigma as for `formulas`",
        new GaussianScaleModel.ScaleLikelihood(),
        Written.gaussianScale(),
        eta -> eta + random.nextGaussian());
    OrdinalModel ordinal = new OrdinalModel(COLUMNS, 0, 1, 2);
    line(
        "ordinal, 3 classes",
        ordinal,
        laplace -> new LocalOrdinalBound(ordinal, laplace, RADIUS),
        laplace -> new LocalDispersedBound(Written.ordinalOfThree(), laplace, RADIUS),
        this::rank);
  }
}
