package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;

class FireflyMixingTest {

  /** By hand: H = ((3, 1), (1, 2)), Σ̂ = ((2, −1), (−1, 3))/5, prior precision ¼. */
  @Test
  void exactBoundsNeedOneIteration() {
    double[] covariance = {0.4, -0.2, -0.2, 0.6};
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 2), 2);
    CollapsedQuadratic exact = quadratic(-(3 - 0.25) / 2, -0.5, -(2 - 0.25) / 2);
    assertEquals(1, time(exact, prior, covariance), 1e-12);
  }

  /**
   * By hand: Q = H + ((1, 2), (2, 5)) has (Σ̂QΣ̂)_11 = 2/5 + 4/25 − 8/25 + 5/25 = 11/25 and
   * (Σ̂QΣ̂)_22 = 3/5 + 1/25 − 12/25 + 45/25 = 49/25, so ρ = 1.1 and 49/15.
   */
  @Test
  void looseBoundsNeedFourTimesTheirRatioLessThree() {
    double[] covariance = {0.4, -0.2, -0.2, 0.6};
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 2), 2);
    CollapsedQuadratic loose = quadratic(-(4 - 0.25) / 2, -1.5, -(7 - 0.25) / 2);
    assertEquals(4 * 49.0 / 15 - 3, time(loose, prior, covariance), 1e-12);
  }

  private static double time(CollapsedQuadratic bounds, ProductPrior prior, double[] covariance) {
    return FireflyMixing.longestTime(
        bounds, prior, new LaplaceApproximation(new double[2], covariance));
  }

  private static CollapsedQuadratic quadratic(double a11, double a21, double a22) {
    return new CollapsedQuadratic(new double[2], new double[] {a11, a21, a22, 0.3, -0.1, 7});
  }

  private static double slackFor(double longestTime) {
    return new FireflyMixing(longestTime, List.of()).slack();
  }

  @Test
  void slackGrowsUntilTheAlternationIsShort() {
    assertEquals(0.25, slackFor(1));
    double last = 0;
    for (double time = 2; time < 45; time *= 1.1) {
      double slack = slackFor(time);
      assertTrue(slack >= last, "more for a longer time");
      double left = 1 + (time - 1) * FireflyMixing.leftBy(slack);
      double leftByHalf = 1 + (time - 1) * FireflyMixing.leftBy(slack / 2);
      assertTrue(left <= 6 && (slack == 0.25 || leftByHalf > 6), time + ": " + slack);
      last = slack;
    }
    assertEquals(8, last);
    assertEquals(8, slackFor(150), "less than it takes, as chains still mix");
  }

  @Test
  void boundsOfNoUseHaveAsMuchSlackAsItTakes() {
    assertFalse(FireflyMixing.isCertain(8));
    for (double time : new double[] {1e3, 1e6, 1e11}) {
      double slack = slackFor(time);
      assertTrue(FireflyMixing.isCertain(slack), time + ": " + slack);
      assertTrue(1 + (time - 1) * FireflyMixing.leftBy(slack) <= 6, time + ": " + slack);
    }
    assertEquals(slackFor(1e11), slackFor(1e17), "it ends");
  }

  /**
   * The information about log τ is −∂²/∂(log τ)² of E log N(y; 0, τ² + 1/h), y being what rows of
   * precision h say of b: here by differences.
   */
  @Test
  void scaleOfWhichRowsSayLittleNeedsMoreThanItsCoefficients() {
    double rows = 0.3;
    double bounds = 3;
    double share = FireflyMixing.leftBy(0.25);
    double more = information(rows + 2 * share * (bounds - rows)) - information(rows);
    FireflyMixing.Scale scale = new FireflyMixing.Scale(0.1, repeated(rows), repeated(bounds));
    assertEquals(1 + 2 * 0.1 * 50 * more, scale.time(share), 1e-4);
    assertEquals(1, new FireflyMixing.Scale(0.1, repeated(3), repeated(3)).time(1), "exact bounds");
    FireflyMixing mixing = new FireflyMixing(1.2, List.of(scale));
    assertTrue(mixing.left(0.25) > 6);
    assertTrue(mixing.slack() > 0.25);
    assertTrue(mixing.left(mixing.slack()) <= 6);
  }

  private static double[] repeated(double value) {
    double[] all = new double[50];
    Arrays.fill(all, value);
    return all;
  }

  /** Returns the information for τ = 1. */
  private static double information(double h) {
    DoubleUnaryOperator expected =
        logTau -> {
          double variance = Math.exp(2 * logTau) + 1 / h;
          return -0.5 * Math.log(variance) - 0.5 * (1 + 1 / h) / variance;
        };
    double step = 1e-3;
    return -(expected.applyAsDouble(step)
            - 2 * expected.applyAsDouble(0)
            + expected.applyAsDouble(-step))
        / (step * step);
  }

  /** E[x²/(x² + s)] for x ~ N(0, 1), by the trapezoidal rule. */
  @Test
  void slackLeavesAShareOfTheInformation() {
    assertEquals(1, FireflyMixing.leftBy(0));
    for (double slack : new double[] {0.1, 0.25, 1, 4}) {
      double sum = 0;
      double h = 1e-3;
      for (double x = -10; x <= 10; x += h) {
        sum += h * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * x * x / (x * x + slack);
      }
      assertEquals(sum, FireflyMixing.leftBy(slack), 1e-9, "slack " + slack);
    }
  }

  /**
   * Rare events as in docs/kernels.md, where 0.005 to 0.007 effective draws an iteration are
   * measured for the worst coefficient; and half of the labels positive, where tables of 20
   * features have some 0.5 to 0.8.
   */
  @Test
  void expectsWhatIsMeasured() {
    double rare = time(-5.5);
    assertTrue(rare > 50 && rare < 200, "rare events: " + rare);
    double even = time(0);
    assertTrue(even > 1.2 && even < 2, "even labels: " + even);
  }

  private static double time(double intercept) {
    int rows = 2000;
    int d = 4;
    SplitMix64 rng = new SplitMix64(5);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] x = new double[rows * d];
    double[] y = new double[rows];
    for (int row = 0; row < rows; row++) {
      double eta = intercept;
      x[row * d] = 1;
      for (int j = 1; j < d; j++) {
        x[row * d + j] = normal.sample();
        eta += 0.5 * x[row * d + j];
      }
      y[row] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    }
    DenseBlock block = new DenseBlock(0, d, x, y, null);
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 2.5), d);
    Objective objective =
        Objective.of(List.of(block), new LinearModel(new LogisticLikelihood(), d), 1);
    MapFit fit =
        new MapFinder(prior, List.of("a", "b", "c", "d"), 1e-6, 50)
            .find(objective, null, pass -> {});
    JaakkolaJordanBound bound = new JaakkolaJordanBound(d);
    CollapsedQuadratic bounds = new CollapsedQuadratic(fit.theta());
    bound.collapse(block, bound.anchorsAt(block, fit.theta()), bounds);
    return FireflyMixing.longestTime(bounds, prior, fit.laplace());
  }
}
