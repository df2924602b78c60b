package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.AsymmetricLaplaceFamily;
import org.lampyris.bounds.family.BetaFamily;
import org.lampyris.bounds.family.BinomialFamily;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.MixtureFamily;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.ProbitFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.ordinal.OrdinalModel;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class TaylorProxyTest {

  private static final int COLUMNS = 4;
  private static final int ROWS = 20;

  /** How many steps there are from the centre of a ball to its edge. */
  private static final int DENSE = 100;

  /**
   * A model, the response it takes, and the radius of its ball.
   *
   * @param sharp whether some row reaches 70 % of its bound on the derivatives
   */
  private record Case(
      String name,
      Model model,
      ToDoubleFunction<RandomGenerator> response,
      double radius,
      boolean sharp) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Model linear(Likelihood likelihood) {
    return new LinearModel(likelihood, COLUMNS);
  }

  static Stream<Case> cases() {
    double inf = Double.POSITIVE_INFINITY;
    return Stream.of(
        new Case(
            "logistic", linear(new LogisticLikelihood()), r -> r.nextBoolean() ? 1 : -1, inf, true),
        new Case(
            "probit",
            linear(new ProbitFamily.ProbitLikelihood()),
            r -> r.nextBoolean() ? 1 : -1,
            inf,
            true),
        new Case(
            "binomial",
            linear(new BinomialFamily.BinomialLikelihood()),
            r -> r.nextInt(8) / 7.0,
            inf,
            true),
        new Case(
            "negative binomial",
            linear(new NegativeBinomialFamily.GivenLikelihood(1.5)),
            r -> r.nextInt(9),
            inf,
            true),
        new Case(
            "robust",
            linear(new RobustFamily.RobustLikelihood(4, 1.5)),
            r -> 3 * r.nextGaussian(),
            inf,
            true),
        new Case(
            "gaussian",
            linear(new GaussianFamily.GaussianLikelihood(2)),
            r -> 3 * r.nextGaussian(),
            inf,
            true),
        new Case(
            "softmax",
            new SoftmaxModel(COLUMNS, 3, SoftmaxModel.NO_REFERENCE),
            r -> r.nextInt(3),
            inf,
            false),
        new Case(
            "softmax with a reference",
            new SoftmaxModel(COLUMNS, 3, 1),
            r -> r.nextInt(3),
            inf,
            false),
        new Case(
            "gamma",
            linear(new GammaFamily.GammaLikelihood(3)),
            r -> Math.exp(r.nextGaussian()),
            0.7,
            false),
        new Case(
            "poisson",
            linear(new PoissonFamily.PoissonLikelihood()),
            r -> r.nextInt(9),
            0.7,
            false),
        new Case(
            "gaussian with a sampled sigma",
            new GaussianScaleModel(COLUMNS),
            r -> 3 * r.nextGaussian(),
            0.5,
            false),
        dispersed("gamma", new GammaFamily.ShapeLikelihood(), r -> Math.exp(r.nextGaussian())),
        dispersed(
            "negative binomial", new NegativeBinomialFamily.ShapeLikelihood(), r -> r.nextInt(9)),
        dispersed("robust", new RobustFamily.ScaleLikelihood(4), r -> 3 * r.nextGaussian()),
        dispersed("beta", new BetaFamily.PrecisionLikelihood(), r -> 0.01 + 0.98 * r.nextDouble()),
        new Case("ordinal", new OrdinalModel(COLUMNS, 1, 0, 2, 3), r -> r.nextInt(4), 0.5, false));
  }

  private static Case dispersed(
      String name, DispersedLikelihood likelihood, ToDoubleFunction<RandomGenerator> response) {
    Model model = new DispersedModel(likelihood, COLUMNS);
    return new Case(name + " with what it samples", model, response, 0.5, false);
  }

  private final RandomGenerator random = RandomBlocks.random(50);

  private List<DataBlock> blocks(Case c) {
    return RandomBlocks.inEveryLayout(51, ROWS, COLUMNS, c.response());
  }

  private double[] covariance(int d) {
    double[] factor = RandomBlocks.normal(random, d * d, 0.3);
    double[] covariance = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          covariance[i * d + j] += factor[i * d + k] * factor[j * d + k];
        }
      }
      covariance[i * d + i] += 0.05;
    }
    return covariance;
  }

  /** Returns an approximation in whose standard deviations lengths are Euclidean. */
  private static LaplaceApproximation unit(double[] mode) {
    double[] covariance = new double[mode.length * mode.length];
    for (int j = 0; j < mode.length; j++) {
      covariance[j * mode.length + j] = 1;
    }
    return new LaplaceApproximation(mode, covariance);
  }

  /** Returns a point at a distance from the centre, in the ball. */
  private double[] at(LaplaceApproximation laplace, double distance) {
    double[] center = laplace.mode();
    double[] theta = RandomBlocks.normal(random, center.length, 1);
    Arrays.setAll(theta, j -> theta[j] + center[j]);
    double share = distance / laplace.distance(theta);
    Arrays.setAll(theta, j -> center[j] + share * (theta[j] - center[j]));
    return theta;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theRemainderStaysWithinItsBound(Case c) {
    int d = c.model().dimension();
    double[] center = RandomBlocks.normal(random, d, 0.5);
    for (LaplaceApproximation laplace :
        List.of(unit(center), new LaplaceApproximation(center, covariance(d)))) {
      for (int order : new int[] {1, 2}) {
        TaylorProxy proxy = new TaylorProxy(c.model(), order, laplace, c.radius());
        for (DataBlock block : blocks(c)) {
          double[] constants = proxy.constants(block);
          for (double share : new double[] {0.03, 0.3, 0.99}) {
            double reach = share * Math.min(c.radius(), 4);
            for (int trial = 0; trial < 10; trial++) {
              double[] from = at(laplace, reach * random.nextDouble());
              double[] to = at(laplace, reach);
              assertTrue(proxy.holdsAt(to));
              for (int row = 0; row < ROWS; row++) {
                double a = proxy.remainder(block, row, from);
                double b = proxy.remainder(block, row, to);
                double rounding = 1e-13 * (1 + Math.abs(proxy.value(block, row, to)));
                assertTrue(Math.abs(b) <= constants[row] * proxy.factor(to) + rounding);
                assertTrue(Math.abs(b - a) <= constants[row] * proxy.factor(from, to) + rounding);
              }
            }
          }
        }
      }
    }
  }

  /** The constants themselves, by the derivatives along random directions in the ball. */
  @ParameterizedTest
  @MethodSource("cases")
  void derivativesStayBelowTheConstantsAndComeNear(Case c) {
    int d = c.model().dimension();
    double[] center = RandomBlocks.normal(random, d, 0.5);
    DataBlock block = blocks(c).get(2);
    LaplaceApproximation laplace = new LaplaceApproximation(center, covariance(d));
    for (int order : new int[] {2, 3}) {
      TaylorProxy proxy = new TaylorProxy(c.model(), order - 1, laplace, c.radius());
      double[] constants = proxy.constants(block);
      double nearest = 0;
      for (int row = 0; row < ROWS; row++) {
        for (int trial = 0; trial < 400; trial++) {
          double[] theta = at(laplace, Math.min(c.radius(), 8) * random.nextDouble());
          double[] end = at(laplace, 1);
          double derivative = alongLine(c.model(), block, row, theta, end, center, order);
          assertTrue(Math.abs(derivative) <= constants[row] * (1 + 1e-6) + 1e-7);
          nearest = Math.max(nearest, Math.abs(derivative) / constants[row]);
        }
      }
      boolean vanishes = Arrays.stream(constants).allMatch(k -> k == 0);
      assertTrue(vanishes || nearest > (c.sharp() ? 0.7 : 0.1), order + ": " + nearest);
    }
  }

  /**
   * In the direction that moves a row's η most, from one end of the ball to the other: the largest
   * derivative is the constant itself where the family's own bound is sharp.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void theConstantIsTheLargestDerivativeAcrossTheBall(Case c) {
    int d = c.model().dimension();
    double[] center = RandomBlocks.normal(random, d, 0.5);
    for (double radius : new double[] {0.5, 4}) {
      LaplaceApproximation laplace = new LaplaceApproximation(center, covariance(d));
      // Sparse with weights, and dense.
      for (DataBlock block : List.of(blocks(c).get(3), blocks(c).get(0))) {
        for (int order : new int[] {2, 3}) {
          double[] constants =
              new TaylorProxy(c.model(), order - 1, laplace, radius).constants(block);
          for (int row = 0; row < ROWS; row++) {
            for (int k = 0; k < c.model().functionals(); k++) {
              double largest = largestAcross(c.model(), block, row, k, laplace, radius, order);
              String where = "row %s, order %s, radius %s".formatted(row, order, radius);
              assertTrue(largest <= constants[row] * (1 + 1e-6) + 1e-7, where);
              if (c.model() instanceof LinearModel) {
                assertEquals(constants[row], largest, 1e-3 * constants[row] + 1e-7, where);
              }
            }
          }
        }
      }
    }
  }

  /** Returns the largest |Dᵏℓ_n(θ⋆ + tw)[w, …, w]|, |t| ≤ R, w being Σ̂v_k at length 1. */
  private static double largestAcross(
      Model model,
      DataBlock block,
      int row,
      int functional,
      LaplaceApproximation laplace,
      double radius,
      int order) {
    double[] center = laplace.mode();
    double[] end = center.clone();
    for (int i = 0; i < end.length; i++) {
      end[i] += model.functional(block, row, functional, laplace.covariance(), i * end.length);
    }
    Region unit = laplace.ball(1);
    end = unit.onRay(end, 1 / unit.distance(end));
    double largest = 0;
    for (int i = -DENSE; i <= DENSE; i++) {
      double[] theta = unit.onRay(end, radius * i / DENSE);
      double derivative = alongLine(model, block, row, theta, end, center, order);
      largest = Math.max(largest, Math.abs(derivative));
    }
    return largest;
  }

  /**
   * A sampled σ: where η and τ all but determine each other, all that the constant takes to be
   * largest is so in one point, at an end of the ball.
   */
  @Test
  void aSampledSigmaReachesItsConstantAtAnEndOfTheBall() {
    Model model = new GaussianScaleModel(1);
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {2}, null);
    double[] center = {0.5, -0.25};
    double a = 0.3;
    double b = 0.2;
    for (double radius : new double[] {0.5, 4}) {
      for (int order : new int[] {2, 3}) {
        double largest = 0;
        double constant = 0;
        for (double correlation : new double[] {-1 + 1e-9, 1 - 1e-9}) {
          LaplaceApproximation laplace =
              new LaplaceApproximation(
                  center, new double[] {a * a, correlation * a * b, correlation * a * b, b * b});
          constant = new TaylorProxy(model, order - 1, laplace, radius).constants(row)[0];
          largest = Math.max(largest, largestAcross(model, row, 0, 0, laplace, radius, order));
        }
        assertEquals(constant, largest, 1e-3 * constant, "order " + order + ", radius " + radius);
      }
    }
  }

  /** The ball where points are proposed is the one that the constants are for. */
  @Test
  void theProxyHoldsAsFarAsItsConstants() {
    LaplaceApproximation laplace = unit(new double[COLUMNS]);
    TaylorProxy proxy =
        new TaylorProxy(linear(new PoissonFamily.PoissonLikelihood()), 2, laplace, 2);
    assertTrue(proxy.holdsAt(new double[] {0, 1.9999, 0, 0}));
    assertFalse(proxy.holdsAt(new double[] {0, 2.0001, 0, 0}));
  }

  /**
   * A sampled σ and a row that fits at the centre: only on the ball does it have a residual, and
   * the derivatives there are beyond what they would be without one, which the constant must know.
   */
  @Test
  void theResidualThatGrowsOverTheBallIsInTheConstant() {
    Model model = new GaussianScaleModel(1);
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {0.5}, null);
    double[] center = {0.5, -0.25};
    double a = 1.5;
    double b = 0.4;
    LaplaceApproximation laplace =
        new LaplaceApproximation(center, new double[] {a * a, 0, 0, b * b});
    for (int order : new int[] {2, 3}) {
      // So wide that the exponential of the ball's other end does not make up for the residual.
      double reach = order == 2 ? 1 : 6;
      double radius = reach / b;
      double constant = new TaylorProxy(model, order - 1, laplace, radius).constants(row)[0];
      double scaled = a * Math.exp(0.25);
      double withoutResidual =
          Math.exp(2 * reach) * (order == 2 ? scaled * scaled : 6 * b * scaled * scaled);
      double largest = 0;
      for (int i = 0; i < 60; i++) {
        double phi = Math.PI * i / 30;
        double[] theta = {
          center[0] + radius * a * Math.cos(phi), center[1] + radius * b * Math.sin(phi)
        };
        for (int j = 0; j < 60; j++) {
          double psi = Math.PI * j / 60;
          double[] end = {center[0] + a * Math.cos(psi), center[1] + b * Math.sin(psi)};
          double derivative = alongLine(model, row, 0, theta, end, center, order);
          largest = Math.max(largest, Math.abs(derivative));
        }
      }
      assertTrue(largest <= constant * (1 + 1e-6), largest + " beyond " + constant);
      assertTrue(largest > 1.1 * withoutResidual, largest + " not beyond " + withoutResidual);
    }
  }

  /** Returns the derivative of order 2 or 3 along v = end − center at θ. */
  private static double alongLine(
      Model model, DataBlock block, int row, double[] theta, double[] end, double[] center, int k) {
    return Differences.central(
        t ->
            k == 2
                ? slope(model, block, row, theta, end, center, t[0])
                : Differences.central(
                    s -> slope(model, block, row, theta, end, center, s[0]), t, 0, 1e-2),
        new double[1],
        0,
        1e-2);
  }

  private static double slope(
      Model model,
      DataBlock block,
      int row,
      double[] theta,
      double[] end,
      double[] center,
      double t) {
    double[] moved = theta.clone();
    Arrays.setAll(moved, j -> theta[j] + t * (end[j] - center[j]));
    double[] gradient = new double[theta.length];
    model.addGradient(block, row, moved, gradient);
    double slope = 0;
    for (int j = 0; j < theta.length; j++) {
      slope += gradient[j] * (end[j] - center[j]);
    }
    return slope;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCollapsedSumIsThatOfTheRows(Case c) {
    int d = c.model().dimension();
    double[] center = RandomBlocks.normal(random, d, 0.5);
    for (int order : new int[] {1, 2}) {
      TaylorProxy proxy = new TaylorProxy(c.model(), order, unit(center), c.radius());
      for (DataBlock block : blocks(c)) {
        CollapsedQuadratic sum = proxy.emptySum();
        proxy.collapse(block, sum);
        for (double scale : new double[] {0, 0.1, 3}) {
          double[] theta = RandomBlocks.normal(random, d, scale);
          Arrays.setAll(theta, j -> theta[j] + center[j]);
          double expected = 0;
          double size = 1;
          for (int row = 0; row < ROWS; row++) {
            double value = proxy.value(block, row, theta);
            expected += value;
            size += Math.abs(value);
          }
          assertEquals(expected, sum.value(theta), 1e-12 * size);
        }
      }
    }
  }

  /** Every model's own Taylor polynomial against that of its gradient and Hessian. */
  @ParameterizedTest
  @MethodSource("cases")
  void theShortWayIsTheLongWay(Case c) {
    int d = c.model().dimension();
    Model plain = new Plain(c.model());
    double[] center = RandomBlocks.normal(random, d, 0.5);
    double[] theta = RandomBlocks.normal(random, d, 2);
    for (DataBlock block : blocks(c)) {
      for (int row = 0; row < ROWS; row++) {
        for (int order : new int[] {1, 2}) {
          double expected = plain.taylor(block, row, order, center, theta);
          double actual = c.model().taylor(block, row, order, center, theta);
          assertEquals(expected, actual, 1e-12 * (1 + Math.abs(expected)));
        }
      }
    }
  }

  /** A model without knowledge of its functionals. */
  private record Plain(Model model) implements Model {
    @Override
    public int dimension() {
      return model.dimension();
    }

    @Override
    public double logLikelihood(DataBlock block, int row, double[] theta) {
      return model.logLikelihood(block, row, theta);
    }

    @Override
    public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
      return model.addGradient(block, row, theta, gradient);
    }

    @Override
    public double addHessian(
        DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
      return model.addHessian(block, row, theta, gradient, hessian);
    }
  }

  @Test
  void unboundedDerivativesAreRefused() {
    double inf = Double.POSITIVE_INFINITY;
    double[] one = {1};
    DataBlock row = new DenseBlock(0, 1, one, one, null);
    LaplaceApproximation laplace = unit(new double[1]);
    for (Likelihood likelihood :
        List.of(new GammaFamily.GammaLikelihood(2), new PoissonFamily.PoissonLikelihood())) {
      Model model = new LinearModel(likelihood, 1);
      TaylorProxy everywhere = new TaylorProxy(model, 2, laplace, inf);
      UserException e = assertThrows(UserException.class, () -> everywhere.constants(row));
      assertTrue(String.valueOf(e.getMessage()).startsWith("row 0 of block "), e.getMessage());
      assertTrue(
          String.valueOf(e.getMessage()).contains("sampler.subsampling.radius"), e.getMessage());
      TaylorProxy ball = new TaylorProxy(model, 2, laplace, 1);
      assertEquals(1, ball.constants(row).length);
    }
    TaylorProxy mixture =
        new TaylorProxy(new MixtureFamily.MixtureModel(1), 2, unit(new double[2]), 1);
    assertThrows(UserException.class, () -> mixture.constants(row));
    // Of a likelihood with a kink, at once: no radius would do.
    LinearModel kinked =
        new LinearModel(
            new GivenDispersion(new AsymmetricLaplaceFamily.CheckLikelihood(0.9).at(0)), 1);
    for (double radius : new double[] {inf, 1}) {
      TaylorProxy quantile = new TaylorProxy(kinked, 2, laplace, radius);
      UserException e = assertThrows(UserException.class, () -> quantile.constants(row));
      String message = String.valueOf(e.getMessage());
      assertTrue(
          message.contains("close to the mode") && !message.contains("subsampling.radius"),
          message);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new TaylorProxy(new MixtureFamily.MixtureModel(1), 3, unit(new double[2]), 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new LaplaceApproximation(new double[2], new double[] {1, 2, 2, 1}));
  }

  /** Two points at √d from the centre, at a distance from each other. */
  @ParameterizedTest
  @MethodSource("cases")
  void theUsualFactorIsThatOfTwoUsualPoints(Case c) {
    int d = c.model().dimension();
    double[] center = RandomBlocks.normal(random, d, 0.5);
    double[] from = center.clone();
    double[] to = center.clone();
    double angle = 0.7;
    from[0] += Math.sqrt(d);
    to[0] += Math.sqrt(d) * Math.cos(angle);
    to[1] += Math.sqrt(d) * Math.sin(angle);
    double length = 2 * Math.sqrt(d) * Math.sin(angle / 2);
    for (int order : new int[] {1, 2}) {
      TaylorProxy proxy = new TaylorProxy(c.model(), order, unit(center), 1);
      double expected = proxy.factor(from, to);
      assertEquals(expected, proxy.usualFactor(length), 1e-9 * expected);
    }
  }

  /** A remainder beyond its limit is an error; one that rounding explains is cut to it. */
  @Test
  void aDifferenceKeepsToItsLimit() {
    DataBlock row = new DenseBlock(3, 1, new double[] {1}, new double[] {1}, null);
    Model model = new LinearModel(new LogisticLikelihood(), 1);
    TaylorProxy proxy = new TaylorProxy(model, 1, unit(new double[1]), 9);
    double[] from = {0.5};
    double[] to = {1.5};
    double difference = proxy.remainder(row, 0, to) - proxy.remainder(row, 0, from);
    double limit = proxy.constants(row)[0] * proxy.factor(from, to);
    assertEquals(difference, proxy.difference(row, 0, from, to, limit), 1e-15);
    double tight = Math.abs(difference) * (1 - 1e-10);
    assertEquals(-tight, proxy.difference(row, 0, from, to, tight), 0);
    BoundException e =
        assertThrows(
            BoundException.class,
            () -> proxy.difference(row, 0, from, to, Math.abs(difference) * (1 - 1e-6)));
    assertTrue(String.valueOf(e.getMessage()).startsWith("row 0 of block 3"), e.getMessage());
  }

  @Test
  void lengthsAreInStandardDeviations() {
    LaplaceApproximation laplace =
        new LaplaceApproximation(new double[] {1, 1}, new double[] {4, 0, 0, 0.25});
    assertEquals(5, laplace.distance(new double[] {7, -1}), 1e-14);
    DataBlock row = new DenseBlock(0, 2, new double[] {3, 2}, new double[] {1}, null);
    Model model = new LinearModel(new LogisticLikelihood(), 2);
    assertArrayEquals(new double[] {37}, laplace.spread(model, row, 0), 1e-13);
    assertArrayEquals(new double[] {13}, unit(new double[2]).spread(model, row, 0), 1e-14);
  }
}
