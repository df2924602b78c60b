package org.lampyris.bounds.numeric;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;

/** Functions with a zero that is approached by a series, against references. */
class SeriesTest {

  @Test
  void agreesWithReferences() {
    for (String[] f : Fixture.read(SeriesTest.class, "series.csv")) {
      double x = Double.parseDouble(f[1]);
      double expected = Double.parseDouble(f[2]);
      double actual = byName(f[0]).applyAsDouble(x);
      double ulps = Fixture.ulps(expected, actual);
      // log Γ crosses 0 at 1 and 2, log eᵘE₁ at 0.43; S is summed up from steps near 0.
      boolean near =
          switch (f[0]) {
            case "logGamma" -> Math.abs(actual - expected) <= 1e-14 * (1 + Math.abs(expected));
            case "logExpIntegral" ->
                Math.abs(actual - expected) <= 4e-15 * (1 + Math.abs(expected));
            case "stirlingError" -> Math.abs(actual - expected) <= 1e-14;
            case "minusLog1p" -> ulps <= (x > -0.5 ? 16 : 64);
            default -> ulps <= 16;
          };
      assertTrue(near, () -> f[0] + "(" + f[1] + "): " + actual + " for " + expected);
    }
  }

  private static DoubleUnaryOperator byName(String function) {
    return switch (function) {
      case "expm1" -> StableMath::expm1;
      case "expMinusLinear" -> StableMath::expMinusLinear;
      case "expMinusQuadratic" -> StableMath::expMinusQuadratic;
      case "minusLog1p" -> StableMath::minusLog1p;
      case "logExpIntegral" -> ExponentialIntegral::logScaled;
      case "expIntegralSlope" -> ExponentialIntegral::slope;
      case "expIntegralCurvature" -> ExponentialIntegral::curvature;
      case "logGamma" -> LogGamma::of;
      case "stirlingError" -> LogGamma::stirlingError;
      default -> throw new IllegalArgumentException(function);
    };
  }
}
