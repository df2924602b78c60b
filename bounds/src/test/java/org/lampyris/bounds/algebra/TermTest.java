package org.lampyris.bounds.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.RandomBlocks;

/** Enclosures hold what they enclose: sums and products exactly, functions by brute force. */
class TermTest {
  private static final Monomials BOX = new Monomials(1, 3);
  private static final Monomials POINT = new Monomials(1, 2);
  private static final Monomials VALUE = new Monomials(1, 0);

  /** A function of one variable. */
  private interface Formula {
    Term of(Term a);
  }

  /** A formula with a range of arguments. */
  private record Case(String name, double low, double high, Formula formula) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("exp", -30, 30, Term::exp),
        new Case("expm1", -5, 5, Term::expm1),
        new Case("log", 1e-3, 50, Term::log),
        new Case("log1p", -0.99, 20, Term::log1p),
        new Case("log1pSquare", -9, 9, Term::log1pSquare),
        new Case("square", -4, 5, Term::square),
        new Case("pow", 0.1, 9, a -> a.pow(-1.5)),
        new Case("sqrt", 0.1, 9, a -> a.pow(0.5)),
        new Case("over", 0.1, 9, a -> a.plus(1).over(a)),
        new Case("log1pExp", -40, 40, Term::log1pExp),
        new Case("log1mExp", 1e-3, 30, Term::log1mExp),
        new Case("log1mExpExp", -40, 6, Term::log1mExpExp),
        new Case("sigmoid", -8, 8, Term::sigmoid),
        new Case("logSigmoid", -8, 8, Term::logSigmoid),
        new Case("logPhi", -30, 8, Term::logPhi),
        new Case("mills", -19.5, 8, a -> a.of(Univariate.MILLS)),
        new Case("logPhiFrom", -9, 9, a -> a.logPhiFrom(a.times(0.1).plus(2))),
        new Case("narrow logPhiFrom", -9, 9, a -> a.logPhiFrom(a.times(0.1).exp().times(0.05))),
        new Case("phi", -6, 6, Term::phi),
        new Case("arccot", -20, 20, Term::arccot),
        new Case("logGamma", 1e-2, 60, Term::logGamma),
        new Case("logRising", 1e-2, 60, a -> a.logRising(7)),
        new Case("logRising by a half", 1e-2, 60, a -> a.logRising(0.5)),
        new Case("logAddExp", -9, 9, a -> a.logAddExp(a.times(-0.3).plus(1))),
        new Case("logSubtractExp", 0.1, 9, a -> a.logSubtractExp(a.times(-0.5))),
        new Case("composition", -2, 2, a -> a.exp().plus(0.3).log().times(a.sigmoid()).square()));
  }

  private static Enclosure on(Case of, Monomials monomials, double from, double to) {
    return (Enclosure) of.formula.of(Enclosure.variable(monomials, 0, from, to));
  }

  private static void assertInside(double low, double value, double high, String where) {
    assertTrue(low <= value && value <= high, where + ": " + value + " in " + low + " … " + high);
  }

  /** Values and two derivatives at points of an interval, and the third at a point as one. */
  @ParameterizedTest
  @MethodSource("cases")
  void anIntervalEnclosesWhatItsPointsHave(Case of) {
    RandomGenerator random = RandomBlocks.random(1);
    for (int i = 0; i < 400; i++) {
      double a = of.low + (of.high - of.low) * random.nextDouble();
      double width = (of.high - of.low) * Math.exp(-12 * random.nextDouble());
      double b = Math.min(of.high, a + width);
      Enclosure box = on(of, BOX, a, b);
      for (int k = 0; k <= 8; k++) {
        double x = k == 8 ? b : Math.min(b, a + (b - a) * k / 8);
        String where = of + " at " + x + " of " + a + " … " + b;
        Jet jet = (Jet) of.formula.of(Jet.variable(POINT, 0, x));
        double number = ((Scalar) of.formula.of(new Scalar(x))).value;
        assertEquals(number, jet.coefficient(0), where);
        Enclosure point = on(of, BOX, x, x);
        for (int j = 0; j <= 3; j++) {
          if (j < 3) {
            assertInside(box.low(j), jet.coefficient(j), box.high(j), where + ", order " + j);
            assertInside(point.low(j), jet.coefficient(j), point.high(j), where + ", point");
          }
          // The exact value is in both.
          assertTrue(point.low(j) <= box.high(j) && point.high(j) >= box.low(j), where);
        }
        Enclosure value = on(of, VALUE, x, x);
        assertTrue(point.low(0) >= value.low(0) && point.high(0) <= value.high(0), where);
      }
    }
  }

  /** Each derivative is the slope of the one before, and points are enclosed narrowly. */
  @ParameterizedTest
  @MethodSource("cases")
  void derivativesAreSlopes(Case of) {
    RandomGenerator random = RandomBlocks.random(2);
    for (int i = 0; i < 200; i++) {
      double x = of.low + (of.high - of.low) * (0.01 + 0.98 * random.nextDouble());
      double h = 1e-4 * Math.min(1, Math.min(x - of.low, of.high - x));
      Enclosure at = on(of, BOX, x, x);
      Enclosure before = on(of, BOX, x - h, x - h);
      Enclosure after = on(of, BOX, x + h, x + h);
      for (int k = 1; k <= 3; k++) {
        double slope = (after.low(k - 1) - before.low(k - 1)) / (2 * h);
        double scale =
            Math.abs(after.low(k - 1)) + Math.abs(k * at.low(k)) + Math.abs(at.low(1)) + 1e-3;
        assertEquals(slope, k * at.low(k), 2e-5 * scale / Math.min(1, h / 1e-4), of + " at " + x);
        double width = at.high(k) - at.low(k);
        // Far out the third derivative of log Φ is bounded, but not narrowly.
        boolean far = of.name.equals("logPhi") && x < -19;
        assertTrue(
            far || width <= 1e-10 * (1 + Math.abs(at.low(k))), of + " at " + x + ": " + width);
      }
    }
  }

  /** (log Φ)″″ at −25 and −20 to 10 digits. */
  @Test
  void farOutMillsRatioIsBounded() {
    Enclosure far = (Enclosure) Enclosure.variable(BOX, 0, -25, -20.5).of(Univariate.MILLS);
    assertInside(6 * far.low(3), 5.813227674 / Math.pow(25, 4), 6 * far.high(3), "at -25");
    Enclosure wide = (Enclosure) Enclosure.variable(BOX, 0, -1e9, 5).of(Univariate.MILLS);
    assertInside(6 * wide.low(3), 5.712568254 / Math.pow(20, 4), 6 * wide.high(3), "at -20");
    assertEquals(-0.188956835121, 6 * wide.low(3), 1e-10);
    assertEquals(0.114836298955, 6 * wide.high(3), 1e-10);
  }

  /** Sums and products of doubles, exactly: an end that is rounded inward is found out. */
  @Test
  void sumsAndProductsAreRoundedOutward() {
    RandomGenerator random = RandomBlocks.random(3);
    for (int i = 0; i < 5000; i++) {
      double a = random.nextGaussian();
      double b = Math.exp(3 * random.nextGaussian());
      Enclosure x = Enclosure.variable(VALUE, 0, a, a);
      Enclosure y = Enclosure.variable(VALUE, 0, b, b);
      assertExact((Enclosure) x.plus(y), new BigDecimal(a).add(new BigDecimal(b)));
      assertExact((Enclosure) x.plus(b), new BigDecimal(a).add(new BigDecimal(b)));
      assertExact((Enclosure) x.times(y), new BigDecimal(a).multiply(new BigDecimal(b)));
      assertExact((Enclosure) x.times(b), new BigDecimal(a).multiply(new BigDecimal(b)));
    }
  }

  private static void assertExact(Enclosure of, BigDecimal exact) {
    assertTrue(new BigDecimal(of.low(0)).compareTo(exact) <= 0, of + " for " + exact);
    assertTrue(new BigDecimal(of.high(0)).compareTo(exact) >= 0, of + " for " + exact);
    assertTrue(of.high(0) - of.low(0) <= 4 * Math.ulp(of.high(0)), of.toString());
  }

  /** Outside of a domain nothing is known, and unbounded intervals are no fault. */
  @Test
  void whatIsNotDefinedIsNotBounded() {
    for (Formula of : Arrays.<Formula>asList(Term::log, Term::logGamma, a -> a.over(a))) {
      Enclosure on = (Enclosure) of.of(Enclosure.variable(BOX, 0, -1, 1));
      assertEquals(Double.POSITIVE_INFINITY, on.high(3));
      assertEquals(Double.NEGATIVE_INFINITY, on.low(3));
    }
    double all = Double.POSITIVE_INFINITY;
    Enclosure third = (Enclosure) Enclosure.variable(BOX, 0, -all, all).logSigmoid();
    assertEquals(1 / (36 * Math.sqrt(3)), third.high(3), 1e-12);
    assertEquals(-1 / (36 * Math.sqrt(3)), third.low(3), 1e-12);
  }
}
