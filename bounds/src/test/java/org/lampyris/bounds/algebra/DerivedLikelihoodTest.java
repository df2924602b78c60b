package org.lampyris.bounds.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.BetaFamily;
import org.lampyris.bounds.family.BinomialFamily;
import org.lampyris.bounds.family.CauchitFamily;
import org.lampyris.bounds.family.CloglogFamily;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.ProbitFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.rows.DenseBlock;

/** What a written likelihood derives, against likelihoods and bounds made by hand. */
class DerivedLikelihoodTest {
  /** How many rows and balls are searched for a violation: 100,000 in the long validation. */
  private static final int ROWS =
      "all".equals(System.getProperty("lampyris.validation")) ? 100_000 : 150;

  /** Makes a bound of a row with one column. */
  private interface Local {
    LowerBound in(LaplaceApproximation laplace, double radius);
  }

  private record One(
      String name,
      DerivedLikelihood written,
      Likelihood byHand,
      ToDoubleFunction<RandomGenerator> response) {
    @Override
    public String toString() {
      return name;
    }
  }

  private record Two(
      String name,
      DerivedDispersedLikelihood written,
      DispersedLikelihood byHand,
      ToDoubleFunction<RandomGenerator> response) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static double sign(RandomGenerator random) {
    return random.nextBoolean() ? 1 : -1;
  }

  private static double count(RandomGenerator random) {
    return Math.floor(Math.exp(2 * random.nextGaussian()));
  }

  private static double positive(RandomGenerator random) {
    return Math.exp(2 * random.nextGaussian());
  }

  static Stream<One> ones() {
    RobustFamily.RobustLikelihood robust = new RobustFamily.RobustLikelihood(4, 1.5);
    return Stream.of(
        new One(
            "logistic", Written.logistic(), new LogisticLikelihood(), DerivedLikelihoodTest::sign),
        new One(
            "probit",
            Written.probit(),
            new ProbitFamily.ProbitLikelihood(),
            DerivedLikelihoodTest::sign),
        new One(
            "binomial",
            Written.binomial(),
            new BinomialFamily.BinomialLikelihood(),
            RandomGenerator::nextDouble),
        new One(
            "poisson",
            Written.poisson(),
            new PoissonFamily.PoissonLikelihood(),
            DerivedLikelihoodTest::count),
        new One(
            "gamma",
            Written.gamma(2.5),
            new GammaFamily.GammaLikelihood(2.5),
            DerivedLikelihoodTest::positive),
        new One(
            "negative binomial",
            Written.negativeBinomial(1.5),
            new NegativeBinomialFamily.GivenLikelihood(1.5),
            DerivedLikelihoodTest::count),
        new One("robust", Written.robust(4, 1.5), robust, random -> 3 * random.nextGaussian()));
  }

  static Stream<Two> twos() {
    return Stream.of(
        new Two(
            "gamma",
            Written.gammaShape(),
            new GammaFamily.ShapeLikelihood(),
            DerivedLikelihoodTest::positive),
        new Two(
            "negative binomial",
            Written.negativeBinomialShape(),
            new NegativeBinomialFamily.ShapeLikelihood(),
            DerivedLikelihoodTest::count),
        new Two(
            "beta",
            Written.betaPrecision(),
            new BetaFamily.PrecisionLikelihood(),
            random -> 0.001 + 0.998 * random.nextDouble()),
        new Two(
            "robust",
            Written.robustScale(4),
            new RobustFamily.ScaleLikelihood(4),
            random -> 3 * random.nextGaussian()));
  }

  @ParameterizedTest
  @MethodSource("ones")
  void valuesAndDerivativesAgree(One of) {
    RandomGenerator random = RandomBlocks.random(11);
    for (int i = 0; i < 500; i++) {
      double eta = 4 * random.nextGaussian();
      double y = of.response.applyAsDouble(random);
      String where = of + ", eta " + eta + ", y " + y;
      double size = 1 + of.written.largestTerm(eta, y);
      assertEquals(
          of.byHand.logLikelihood(eta, y), of.written.logLikelihood(eta, y), 1e-13 * size, where);
      double first = of.byHand.derivative(eta, y);
      double second = of.byHand.secondDerivative(eta, y);
      assertEquals(first, of.written.derivative(eta, y), 1e-12 * (size + Math.abs(first)), where);
      assertEquals(
          second, of.written.secondDerivative(eta, y), 1e-12 * (size + Math.abs(second)), where);
    }
  }

  @ParameterizedTest
  @MethodSource("twos")
  void valuesAndDerivativesInBothAgree(Two of) {
    RandomGenerator random = RandomBlocks.random(12);
    for (int i = 0; i < 500; i++) {
      double eta = 2 * random.nextGaussian();
      double tau = random.nextGaussian();
      double y = of.response.applyAsDouble(random);
      String where = of + ", eta " + eta + ", tau " + tau + ", y " + y;
      double[] expected = new double[5];
      double[] found = new double[5];
      double size = 1 + of.written.at(tau).largestTerm(eta, y);
      assertEquals(
          of.byHand.at(tau).derivatives(eta, y, expected),
          of.written.at(tau).derivatives(eta, y, found),
          1e-12 * size,
          where);
      for (int k = 0; k < 5; k++) {
        assertEquals(expected[k], found[k], 1e-11 * (size + Math.abs(expected[k])), where);
      }
    }
  }

  private static LowerBound bound(Local of, double etaHat, double r) {
    return of.in(new LaplaceApproximation(new double[] {etaHat}, new double[] {r * r}), 1);
  }

  private static DenseBlock row(double y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  private static double excess(Local of, double etaHat, double y, double r) {
    return bound(of, etaHat, r).anchorsAt(row(y), new double[] {etaHat}).get(0, 1);
  }

  /** Returns the least D that holds in the ball, from chords. */
  private static double least(Likelihood of, double etaHat, double y, double r) {
    double most = 0;
    for (int k = -10; k <= 10; k++) {
      double d = k * r / 10;
      double change = of.logLikelihood(etaHat + d, y) - of.logLikelihood(etaHat, y);
      double chord = 2 * (change - d * of.derivative(etaHat, y)) / (d * d);
      most = k == 0 ? most : Math.max(most, of.secondDerivative(etaHat, y) - chord);
    }
    return most;
  }

  /** Bright rows are in proportion to D: a derived bound has few more than the least one. */
  @ParameterizedTest
  @MethodSource("ones")
  void theGapIsHardlyLargerThanItMustBe(One of) {
    RandomGenerator random = RandomBlocks.random(13);
    for (double r : new double[] {0.003, 0.05, 0.5}) {
      double derived = 0;
      double least = 0;
      for (int i = 0; i < 100; i++) {
        double eta = 2 * random.nextGaussian();
        double y = of.response.applyAsDouble(random);
        derived += excess(in(of.written), eta, y, r);
        least += least(of.byHand, eta, y, r);
      }
      double ratio = derived / least;
      assertTrue(ratio < (r < 0.1 ? 1.1 : 1.3) && ratio > 0.8, of + " with r " + r + ": " + ratio);
    }
  }

  @ParameterizedTest
  @MethodSource("twos")
  void theGapInBothIsHardlyLargerThanByHand(Two of) {
    RandomGenerator random = RandomBlocks.random(14);
    for (double r : new double[] {0.003, 0.05}) {
      double derived = 0;
      double byHand = 0;
      for (int i = 0; i < 100; i++) {
        double eta = random.nextGaussian();
        double tau = random.nextGaussian();
        double y = of.response.applyAsDouble(random);
        derived += bent(of.written, eta, tau, y, r);
        byHand += bent(of.byHand, eta, tau, y, r);
      }
      double ratio = derived / byHand;
      assertTrue(ratio < 1.4, of + " with r " + r + ": " + ratio);
    }
  }

  private static double bent(DispersedLikelihood of, double eta, double tau, double y, double r) {
    double[] third = new double[4];
    of.thirdDerivatives(eta, r, tau, 0.3 * r, y, third);
    return third[0] / 3 + 0.3 * third[1] + third[2] + 0.1 * third[3];
  }

  private static Local in(Likelihood likelihood) {
    return (laplace, radius) -> new LocalTaylorBound(likelihood, laplace, radius);
  }

  /** Returns how many random rows have a negative gap somewhere in a random ball. */
  private static int violations(Likelihood of, ToDoubleFunction<RandomGenerator> response) {
    RandomGenerator random = RandomBlocks.random(15);
    int violations = 0;
    for (int i = 0; i < ROWS; i++) {
      double etaHat = i % 10 == 0 ? 30 * random.nextGaussian() : 2 * random.nextGaussian();
      double y = response.applyAsDouble(random);
      double r = Math.exp(8 * random.nextDouble() - 7);
      LowerBound bound = bound(in(of), etaHat, r);
      var anchors = bound.anchorsAt(row(y), new double[] {etaHat});
      double least = Double.POSITIVE_INFINITY;
      for (int k = -8; k <= 8; k++) {
        double eta = etaHat + k / 8.0 * r * LowerBound.EDGE;
        least = Math.min(least, bound.gap(row(y), 0, new double[] {eta}, anchors));
      }
      violations += least >= 0 ? 0 : 1;
    }
    return violations;
  }

  @Test
  void noBoundIsViolated() {
    ones().forEach(of -> assertEquals(0, violations(of.written, of.response), of.name));
    var cloglog = new CloglogFamily.CloglogLikelihood();
    assertEquals(0, violations(cloglog, DerivedLikelihoodTest::sign));
    var cauchit = new CauchitFamily.CauchitLikelihood();
    assertEquals(0, violations(cauchit, DerivedLikelihoodTest::sign));
  }

  /** A likelihood of which one thing is wrong. */
  private record Faulty(Likelihood of, double second, double third) implements Likelihood {
    @Override
    public double logLikelihood(double eta, double y) {
      return of.logLikelihood(eta, y);
    }

    @Override
    public double derivative(double eta, double y) {
      return of.derivative(eta, y);
    }

    @Override
    public double secondDerivative(double eta, double y) {
      return second * of.secondDerivative(eta, y);
    }

    /** At the middle of the interval, and a share of it. */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      double at = third < 1 ? low : 0.5 * (low + high);
      return third * of.derivativeBound(order, y, at, third < 1 ? high : at);
    }
  }

  /** The search finds a third derivative of the middle alone, a smaller one, and a wrong second. */
  @Test
  void faultsAreFound() {
    One poisson = ones().filter(of -> of.name.equals("poisson")).findFirst().orElseThrow();
    assertTrue(violations(new Faulty(poisson.written, 1, 1), poisson.response) > ROWS / 10);
    assertTrue(violations(new Faulty(poisson.written, 1, 0.9), poisson.response) > 0);
    assertTrue(violations(new Faulty(poisson.written, 0.99, 1), poisson.response) > ROWS / 10);
  }
}
