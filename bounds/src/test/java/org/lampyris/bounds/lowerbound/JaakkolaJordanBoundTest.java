package org.lampyris.bounds.lowerbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;

class JaakkolaJordanBoundTest {

  private static final List<String[]> REFERENCE =
      Fixture.read(JaakkolaJordanBoundTest.class, "jaakkola-jordan-gap.csv");

  @Test
  void gapAgreesWithReferences() {
    for (String[] f : REFERENCE) {
      double s = Double.parseDouble(f[0]);
      double anchor = Double.parseDouble(f[1]);
      double expected = Double.parseDouble(f[2]);
      double tolerance = (anchor > 1 ? 1e-12 : 1e-9) * expected;
      assertEquals(expected, JaakkolaJordanBound.gap(s, anchor), tolerance, f[0] + " at " + f[1]);
      assertEquals(expected, JaakkolaJordanBound.gap(-s, anchor), tolerance, "even in s");
      assertEquals(expected, JaakkolaJordanBound.gap(s, -anchor), tolerance, "even in the anchor");
    }
  }

  @Test
  void derivativeAgreesWithReferences() {
    for (String[] f : REFERENCE) {
      double s = Double.parseDouble(f[0]);
      double anchor = Double.parseDouble(f[1]);
      double expected = Double.parseDouble(f[3]);
      double tolerance = 1e-9 * Math.abs(expected) + 1e-16;
      String where = f[0] + " at " + f[1];
      assertEquals(expected, JaakkolaJordanBound.gapDerivative(s, anchor), tolerance, where);
      assertEquals(-expected, JaakkolaJordanBound.gapDerivative(-s, anchor), tolerance, "odd in s");
    }
  }

  @Test
  void gapIsNeverNegativeAndExactlyZeroAtTheAnchor() {
    for (double anchor = 0; anchor < 800; anchor = anchor * 1.37 + 1e-9) {
      assertEquals(0, JaakkolaJordanBound.gap(anchor, anchor));
      assertEquals(0, JaakkolaJordanBound.gap(-anchor, anchor));
      for (int k = -60; k <= 0; k++) {
        double step = Math.scalb(1.0, k);
        assertTrue(JaakkolaJordanBound.gap(anchor + step, anchor) >= 0);
        assertTrue(JaakkolaJordanBound.gap(anchor - step, anchor) >= 0);
      }
    }
  }

  @Test
  void notANumberStaysNotANumber() {
    assertTrue(Double.isNaN(JaakkolaJordanBound.gap(Double.NaN, 1)));
  }
}
