package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class MarginalVariableTest {
  /** The printed table has the numbers that equal the ends. */
  @Test
  void bothEndsAreExact() {
    double low = 0.3;
    double high = 1e-17;
    assertNotEquals(high, low + (high - low), "rounding moves the end");
    MarginalVariable column = MarginalVariable.number("x", low, high, 0, 1);
    assertEquals(low, column.point(0, 5));
    assertEquals(high, column.point(4, 5));
    assertEquals(0.5 * (low + high), column.point(2, 5), 1e-15);
  }
}
