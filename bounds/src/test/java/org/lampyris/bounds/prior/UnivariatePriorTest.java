package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.prior.UnivariatePrior.Cauchy;
import org.lampyris.bounds.prior.UnivariatePrior.Flat;
import org.lampyris.bounds.prior.UnivariatePrior.Laplace;
import org.lampyris.bounds.prior.UnivariatePrior.Normal;
import org.lampyris.bounds.prior.UnivariatePrior.StudentT;
import org.lampyris.bounds.prior.UnivariatePrior.Uniform;

class UnivariatePriorTest {

  static List<UnivariatePrior> all() {
    return List.of(
        new Normal(0, 2.5),
        new Normal(-3, 0.1),
        new Laplace(1, 0.5),
        new Cauchy(0, 10),
        new Cauchy(-2, 0.3),
        new StudentT(4, 0, 2.5),
        new StudentT(0.7, 1, 0.2),
        new Uniform(-1, 4),
        new HorseshoePrior(0.4),
        new HorseshoePrior(3),
        new HalfPrior(new Normal(0, 2.5)),
        new HalfPrior(new Cauchy(0, 1)),
        new HalfPrior(new StudentT(4, 0, 3)),
        new ExponentialPrior(0.7),
        new GammaPrior(2, 1.5),
        new GammaPrior(3.7, 3),
        new LogScalePrior(new GammaPrior(2, 1.5)),
        new LogScalePrior(new HalfPrior(new Normal(0, 2.5))),
        new LogScalePrior(new HalfPrior(new StudentT(3, 0, 1))),
        new LogScalePrior(new ExponentialPrior(0.2)),
        new LogScalePrior(new Uniform(0.01, 100)),
        new Flat());
  }

  @ParameterizedTest
  @MethodSource("all")
  void derivativesAgreeWithDifferences(UnivariatePrior prior) {
    for (double x : new double[] {-0.9, -0.31, 0.2, 0.77, 1.5, 3.9}) {
      if (x < prior.lower()) {
        assertEquals(Double.NEGATIVE_INFINITY, prior.logDensity(x));
        continue;
      }
      double[] at = {x};
      double h = 1e-3;
      double first = Differences.central(t -> prior.smoothLogDensity(t[0]), at, 0, h);
      double second = Differences.central(t -> prior.derivative(t[0]), at, 0, h);
      assertEquals(first, prior.derivative(x), 1e-6 * (1 + Math.abs(first)));
      assertEquals(second, prior.secondDerivative(x), 1e-6 * (1 + Math.abs(second)));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void densitiesIntegrateToOne(UnivariatePrior prior) {
    if (prior instanceof Flat) {
      assertEquals(0, prior.logDensity(1e9));
      return;
    }
    // x = sinh(u)·10 spreads the tails; only the ends of the uniform density cost accuracy, up to a
    // step each
    double step = 1e-4;
    double sum = 0;
    for (double u = -60; u < 60; u += step) {
      double mid = u + step / 2;
      sum += Math.exp(prior.logDensity(10 * Math.sinh(mid))) * 10 * Math.cosh(mid) * step;
    }
    assertEquals(1, sum, 5e-4);
  }

  @ParameterizedTest
  @MethodSource("all")
  void scaledIsThePriorOfAMultiple(UnivariatePrior prior) {
    if (prior instanceof LogScalePrior) {
      assertThrows(UnsupportedOperationException.class, () -> prior.scaled(2));
      return;
    }
    for (double factor : new double[] {0.125, 1, 40}) {
      UnivariatePrior scaled = prior.scaled(factor);
      double jacobian = prior instanceof Flat ? 0 : -Math.log(factor);
      for (double x : new double[] {-0.9, 0, 0.2, 3.9}) {
        double expected = prior.logDensity(x) + jacobian;
        double tolerance = 1e-13 * (1 + Math.abs(expected));
        assertEquals(expected, scaled.logDensity(factor * x), tolerance);
      }
      assertEquals(factor * prior.lower(), scaled.lower());
      assertEquals(factor * prior.upper(), scaled.upper());
      assertEquals(factor * prior.kink(), scaled.kink());
      assertEquals(prior.kinkSize() / factor, scaled.kinkSize(), 1e-15);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void eightTemperedPriorsMakeTheWhole(UnivariatePrior prior) {
    UnivariatePrior tempered = new TemperedPrior(prior, 0.125);
    for (double x : new double[] {-0.9, 0.2, 3.9}) {
      assertEquals(prior.logDensity(x), 8 * tempered.logDensity(x), 1e-12);
      assertEquals(prior.smoothLogDensity(x), 8 * tempered.smoothLogDensity(x), 1e-12);
      assertEquals(prior.derivative(x), 8 * tempered.derivative(x), 1e-12);
      assertEquals(prior.secondDerivative(x), 8 * tempered.secondDerivative(x), 1e-12);
    }
    assertEquals(prior.precision(), 8 * tempered.precision(), 1e-12);
    assertEquals(prior.kinkSize(), 8 * tempered.kinkSize(), 1e-12);
    assertEquals(prior.kink(), tempered.kink());
    assertEquals(prior.lower(), tempered.lower());
    assertEquals(prior.upper(), tempered.upper());
    assertEquals(8 * prior.leastPower(), tempered.leastPower(), 1e-12);
  }

  /** The tail's share falls from one decade of log x to the next, or grows. */
  @ParameterizedTest
  @MethodSource("all")
  void theLeastPowerIsWhereTheTailsCeaseToBeProper(UnivariatePrior prior) {
    double least = prior.leastPower();
    if (least > 0) {
      assertTrue(tail(new TemperedPrior(prior, 1.1 * least), 60) < 1);
      assertTrue(tail(new TemperedPrior(prior, 0.9 * least), 60) > 1);
    } else if (!(prior instanceof Flat)) {
      assertTrue(tail(new TemperedPrior(prior, 0.05), 3) < 1 || prior instanceof LogScalePrior);
      assertTrue(tail(new TemperedPrior(prior, 0.05), 9) < 1);
    }
  }

  /** Returns by what factor ∫ p dx grows from x = e^u, one unit of u long, to the next unit. */
  private static double tail(UnivariatePrior prior, double u) {
    double[] x = {Math.exp(u), Math.exp(u + 1)};
    double step = prior.logDensity(x[1]) - prior.logDensity(x[0]) + 1;
    return prior.logDensity(x[0]) == Double.NEGATIVE_INFINITY ? 0 : Math.exp(step);
  }

  @Test
  void aLogScaleHasTheJacobian() {
    for (UnivariatePrior prior : all()) {
      if (prior instanceof LogScalePrior onLog) {
        for (double x : new double[] {0.02, 1, 7}) {
          double expected = onLog.ofScale().logDensity(x) + Math.log(x);
          assertEquals(expected, prior.logDensity(Math.log(x)), 1e-14);
        }
      }
    }
    UnivariatePrior uniform = new LogScalePrior(new Uniform(0.5, 8));
    assertEquals(Math.log(0.5), uniform.lower());
    assertEquals(Math.log(8), uniform.upper());
    UnivariatePrior half = new LogScalePrior(new HalfPrior(new Cauchy(0, 1)));
    assertEquals(Double.NEGATIVE_INFINITY, half.lower());
    assertEquals(Double.POSITIVE_INFINITY, half.upper());
    assertEquals(-1, half.derivative(705), 1e-9, "no overflow");
    assertEquals(0, half.secondDerivative(705), 1e-9);
  }

  @Test
  void studentTAgreesWithReferences() {
    for (double[] v : Fixture.numbers(UnivariatePriorTest.class, "student-t.csv")) {
      double df = v[0];
      double x = v[1];
      double expected = v[2];
      double tolerance = 1e-14 * (1 + Math.abs(expected));
      assertEquals(expected, new StudentT(df, 0, 1).logDensity(x), tolerance, df + " at " + x);
      double shifted = new StudentT(df, 5, 4).logDensity(5 + 4 * x);
      assertEquals(expected - Math.log(4), shifted, 1e-9 * (1 + Math.abs(expected)));
      if (df == 1) {
        assertEquals(expected, new Cauchy(0, 1).logDensity(x), tolerance);
      }
    }
  }

  @Test
  void horseshoeAgreesWithReferences() {
    for (double[] v : Fixture.numbers(UnivariatePriorTest.class, "horseshoe.csv")) {
      double tolerance = 5e-15 * (1 + Math.abs(v[2]));
      HorseshoePrior prior = new HorseshoePrior(v[0]);
      assertEquals(v[2], prior.logDensity(v[1]), tolerance, prior + " at " + v[1]);
    }
  }

  @Test
  void aHorseshoeIsSmoothForProposalsAndHasItsPoleForDraws() {
    HorseshoePrior prior = new HorseshoePrior(2);
    assertTrue(prior.logDensity(1e-9) > prior.logDensity(0.01) + 1);
    assertTrue(Double.isFinite(prior.logDensity(0)));
    assertEquals(0, prior.derivative(0), 0.0);
    assertTrue(prior.secondDerivative(0) < 0);
    for (double x : new double[] {0.1, 1, 30}) {
      double softened = Math.sqrt(x * x + 4);
      assertEquals(prior.logDensity(softened), prior.smoothLogDensity(x), 1e-14);
    }
    ProductPrior both = ProductPrior.of(List.of(prior, new Normal(0, 1)));
    double[] theta = {0.3, 1};
    double[] gradient = new double[2];
    assertEquals(both.logDensity(theta), both.addGradient(theta, gradient));
    assertEquals(prior.derivative(0.3), gradient[0]);
    double apart = prior.logDensity(0.3) - prior.smoothLogDensity(0.3);
    assertEquals(apart, both.logDensity(theta) - both.smoothLogDensity(theta), 1e-14);
  }

  /** One over the variance, or over the square of the scale of a Cauchy density's tails. */
  @Test
  void precisionsAreThoseOfThePriorsScale() {
    assertEquals(2, new Laplace(1, 0.5).precision());
    assertEquals(12 / 25.0, new Uniform(-1, 4).precision(), 1e-15);
    assertEquals(4, new Cauchy(1, 0.5).precision());
    assertEquals(4, new StudentT(3, 1, 0.5).precision());
    assertEquals(4, new HorseshoePrior(0.5).precision());
    assertEquals(4, new HalfPrior(new Cauchy(0, 0.5)).precision());
    assertEquals(0.25, new ExponentialPrior(0.5).precision());
    assertEquals(0, new Flat().precision());
  }

  @Test
  void knownDensities() {
    assertEquals(
        -0.5 - 0.5 * Math.log(2 * Math.PI * 6.25), new Normal(1, 2.5).logDensity(3.5), 1e-15);
    assertEquals(-4 - Math.log(1), new Laplace(1, 0.5).logDensity(3), 1e-15);
    assertEquals(-Math.log(5), new Uniform(-1, 4).logDensity(4));
    assertEquals(Double.NEGATIVE_INFINITY, new Uniform(-1, 4).logDensity(4.0001));
    assertEquals(0, new Laplace(1, 0.5).derivative(1));
    assertEquals(Math.log(0.03) - 0.3, new GammaPrior(2, 0.1).logDensity(3), 1e-15);
  }

  @Test
  void nothingOverflowsFarOut() {
    for (UnivariatePrior prior :
        List.of(new Cauchy(0, 1e-3), new StudentT(3, 0, 1e-3), new HorseshoePrior(1e-3))) {
      for (double x : new double[] {1e155, 1e290}) {
        assertTrue(Double.isFinite(prior.logDensity(x)));
        assertTrue(prior.derivative(x) < 0 && prior.derivative(-x) > 0);
        assertTrue(prior.secondDerivative(x) >= 0);
      }
    }
  }

  @Test
  void parametersAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> new Normal(0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Normal(Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> new Laplace(0, -1));
    assertThrows(IllegalArgumentException.class, () -> new Cauchy(0, Double.POSITIVE_INFINITY));
    assertThrows(IllegalArgumentException.class, () -> new StudentT(0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new HorseshoePrior(0));
    assertThrows(IllegalArgumentException.class, () -> new Uniform(1, 1));
    assertThrows(IllegalArgumentException.class, () -> new Uniform(-1e308, 1e308));
    assertThrows(IllegalArgumentException.class, () -> new ExponentialPrior(0));
    assertThrows(IllegalArgumentException.class, () -> new GammaPrior(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new HalfPrior(new Normal(1, 1)));
    assertThrows(IllegalArgumentException.class, () -> new HalfPrior(new Laplace(0, 1)));
    assertThrows(IllegalArgumentException.class, () -> new LogScalePrior(new Normal(0, 1)));
    assertThrows(IllegalArgumentException.class, () -> new LogScalePrior(new Uniform(-1, 1)));
  }
}
