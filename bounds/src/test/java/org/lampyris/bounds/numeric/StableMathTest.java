package org.lampyris.bounds.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;

class StableMathTest {

  private static final double MAX_ULPS = 3;

  @TestFactory
  Stream<DynamicTest> agreesWithReferencesToTheLastDigits() {
    return Fixture.read(StableMathTest.class, "stable-math.csv").stream()
        .map(
            f ->
                DynamicTest.dynamicTest(
                    f[0] + "(" + f[1] + ")",
                    () -> check(f[0], Double.parseDouble(f[1]), Double.parseDouble(f[2]))));
  }

  private static void check(String function, double x, double expected) {
    double actual = byName(function).applyAsDouble(x);
    double ulps = Fixture.ulps(expected, actual);
    if (function.equals("logExpm1") && Math.abs(expected) < 0.5) {
      // The function crosses 0 at log 2, where its inputs have an error of an ulp as well.
      assertEquals(expected, actual, 3e-16);
    } else {
      assertTrue(ulps <= MAX_ULPS, () -> actual + " for " + expected + ": " + ulps + " ulp");
    }
  }

  private static DoubleUnaryOperator byName(String function) {
    return switch (function) {
      case "log1pExp" -> StableMath::log1pExp;
      case "sigmoid" -> StableMath::sigmoid;
      case "logExpm1" -> StableMath::logExpm1;
      case "brightProbability" -> StableMath::brightProbability;
      case "logExpm1Derivative" -> StableMath::logExpm1Derivative;
      default -> throw new IllegalArgumentException(function);
    };
  }

  /** Against 60 digits: exp(x) = exp(x/1024)^1024, and that by its series. */
  @Test
  void theExponentialIsRightToHalfAUnit() {
    RandomGenerator random = RandomBlocks.random(11);
    for (int i = 0; i < 2000; i++) {
      double x =
          switch (i % 4) {
            case 0 -> -708 + 1417 * random.nextDouble();
            case 1 -> -4 * random.nextDouble();
            // Next to where the pieces of the table meet, and next to them.
            case 2 -> (random.nextInt(-2000, 2000) + 0.5) * Math.log(2) / 64;
            default -> random.nextInt(-2000, 2000) * Math.log(2) / 64 * (1 + 1e-15 * i);
          };
      BigDecimal expected = exponential(x);
      double actual = StableMath.exp(x);
      BigDecimal error = new BigDecimal(actual).subtract(expected).abs();
      double ulps =
          error.divide(new BigDecimal(Math.ulp(actual)), new MathContext(9)).doubleValue();
      assertTrue(ulps <= 0.52, () -> "exp(" + x + ") is " + ulps + " ulp off");
    }
  }

  private static BigDecimal exponential(double x) {
    MathContext digits = new MathContext(60);
    BigDecimal z = new BigDecimal(x).divide(BigDecimal.valueOf(1024), digits);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = term;
    for (int n = 1; n < 60; n++) {
      term = term.multiply(z, digits).divide(BigDecimal.valueOf(n), digits);
      sum = sum.add(term, digits);
    }
    return sum.pow(1024, digits);
  }

  @Test
  void theExponentialHasItsLimits() {
    assertEquals(1, StableMath.exp(0));
    assertEquals(1, StableMath.exp(-0.0));
    assertEquals(1, StableMath.exp(Double.MIN_VALUE));
    assertEquals(0, StableMath.exp(Double.NEGATIVE_INFINITY));
    assertEquals(Double.POSITIVE_INFINITY, StableMath.exp(Double.POSITIVE_INFINITY));
    assertEquals(Double.POSITIVE_INFINITY, StableMath.exp(710));
    assertEquals(Double.NaN, StableMath.exp(Double.NaN));
    for (double x : new double[] {-745.2, -745, -720, -708.3, 709, 709.7}) {
      assertEquals(Math.exp(x), StableMath.exp(x), "where results are not normal numbers");
    }
  }

  @Test
  void infinitiesAreLimits() {
    double inf = Double.POSITIVE_INFINITY;
    assertEquals(inf, StableMath.log1pExp(inf));
    assertEquals(0, StableMath.log1pExp(-inf));
    assertEquals(-inf, StableMath.logSigmoid(-inf));
    assertEquals(1, StableMath.sigmoid(inf));
    assertEquals(0, StableMath.sigmoid(-inf));
    assertEquals(inf, StableMath.logExpm1(inf));
    assertEquals(-inf, StableMath.logExpm1(0));
    assertEquals(1, StableMath.brightProbability(inf));
    assertEquals(1, StableMath.logExpm1Derivative(inf));
    assertEquals(inf, StableMath.logExpm1Derivative(0));
  }

  @Test
  void notANumberStaysNotANumber() {
    for (DoubleUnaryOperator f :
        new DoubleUnaryOperator[] {
          StableMath::log1pExp,
          StableMath::logSigmoid,
          StableMath::sigmoid,
          StableMath::logExpm1,
          StableMath::brightProbability,
          StableMath::logExpm1Derivative
        }) {
      assertTrue(Double.isNaN(f.applyAsDouble(Double.NaN)));
    }
  }

  @Test
  void logSigmoidIsLog1pExpMirrored() {
    for (double x : new double[] {-800, -30, -1, 0, 1e-9, 2, 40}) {
      assertEquals(-StableMath.log1pExp(-x), StableMath.logSigmoid(x));
    }
  }
}
