package org.lampyris.bounds.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.Fixture;

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
