package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

class JaakkolaJordanBoundTest extends LowerBoundContract {

  private static final List<double[]> REFERENCE =
      Fixture.numbers(JaakkolaJordanBoundTest.class, "jaakkola-jordan-gap.csv");

  @Test
  void gapAgreesWithReferences() {
    for (double[] f : REFERENCE) {
      double s = f[0];
      double anchor = f[1];
      double expected = f[2];
      double tolerance = (anchor > 1 ? 1e-12 : 1e-9) * expected;
      assertEquals(
          expected, JaakkolaJordanBound.gap(s, anchor, null), tolerance, f[0] + " at " + f[1]);
      assertEquals(expected, JaakkolaJordanBound.gap(-s, anchor, null), tolerance, "even in s");
      assertEquals(
          expected, JaakkolaJordanBound.gap(s, -anchor, null), tolerance, "even in the anchor");
    }
  }

  @Test
  void derivativeAgreesWithReferences() {
    for (double[] f : REFERENCE) {
      double s = f[0];
      double anchor = f[1];
      double expected = f[3];
      double tolerance = 1e-9 * Math.abs(expected) + 1e-16;
      String where = f[0] + " at " + f[1];
      double[] slope = new double[1];
      JaakkolaJordanBound.gap(s, anchor, slope);
      assertEquals(expected, slope[0], tolerance, where);
      JaakkolaJordanBound.gap(-s, anchor, slope);
      assertEquals(-expected, slope[0], tolerance, "odd in s");
    }
  }

  @Test
  void gapIsNeverNegativeAndExactlyZeroAtTheAnchor() {
    for (double anchor = 0; anchor < 800; anchor = anchor * 1.37 + 1e-9) {
      assertEquals(0, JaakkolaJordanBound.gap(anchor, anchor, null));
      assertEquals(0, JaakkolaJordanBound.gap(-anchor, anchor, null));
      for (int k = -60; k <= 0; k++) {
        double step = Math.scalb(1.0, k);
        assertTrue(JaakkolaJordanBound.gap(anchor + step, anchor, null) >= 0);
        assertTrue(JaakkolaJordanBound.gap(anchor - step, anchor, null) >= 0);
      }
    }
  }

  @Test
  void notANumberStaysNotANumber() {
    assertTrue(Double.isNaN(JaakkolaJordanBound.gap(Double.NaN, 1, null)));
  }

  @Override
  protected LowerBound bound(int columns) {
    return new JaakkolaJordanBound(columns);
  }

  @Override
  protected Model model(int columns) {
    return new LinearModel(new LogisticLikelihood(), columns);
  }

  /** Signed and unsigned, small and large, and 0. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    return beginning(random, rows, 0, 1e-9, 900, -30);
  }

  @Test
  void aConstantAnchorIsTheSameForEveryRow() {
    DataBlock block = blocks().get(2);
    double[] theta = {0.3, -1, 2, 0.1, 0, 1};
    double[] each = new double[block.rows()];
    Arrays.fill(each, 1.5);
    CollapsedQuadratic constant = new CollapsedQuadratic(theta);
    CollapsedQuadratic perRow = new CollapsedQuadratic(theta);
    bound(6).collapse(block, Anchors.constant(1.5), constant);
    bound(6).collapse(block, Anchors.perRow(each, 1), perRow);
    assertArrayEquals(perRow.packed(), constant.packed());
  }
}
