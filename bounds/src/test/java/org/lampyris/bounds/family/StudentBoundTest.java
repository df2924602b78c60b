package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

class StudentBoundTest extends LowerBoundContract {

  private static final RobustFamily.RobustLikelihood LIKELIHOOD =
      new RobustFamily.RobustLikelihood(4, 1.5);

  @Override
  protected LowerBound bound(int columns) {
    return new RobustFamily.StudentBound(LIKELIHOOD, columns);
  }

  @Override
  protected Model model(int columns) {
    return new LinearModel(LIKELIHOOD, columns);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(34, ROWS, COLUMNS, random -> 5 * random.nextGaussian());
  }

  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    return beginning(random, rows, 0, 1e-9, 1e4, -30);
  }

  @Test
  void gapAndSlopeAgreeWithReferences() {
    for (String[] f : Fixture.read(StudentBoundTest.class, "student-gap.csv")) {
      RobustFamily.RobustLikelihood likelihood =
          new RobustFamily.RobustLikelihood(Double.parseDouble(f[0]), Double.parseDouble(f[1]));
      RobustFamily.StudentBound bound = new RobustFamily.StudentBound(likelihood, 1);
      double r = Double.parseDouble(f[2]);
      double anchor = Double.parseDouble(f[3]);
      double gap = Double.parseDouble(f[4]);
      double slope = Double.parseDouble(f[5]);
      String where = String.join(", ", List.of(f).subList(0, 4));
      for (double sign : new double[] {-1, 1}) {
        assertEquals(
            gap, bound.gapAt(0, sign * r, Anchors.constant(anchor), 0, null), 1e-13 * gap, where);
        assertEquals(
            gap, bound.gapAt(sign * r, 0, Anchors.constant(-anchor), 0, null), 1e-13 * gap, where);
        double tolerance = 1e-13 * Math.abs(slope);
        double[] slopeAt = new double[1];
        bound.gapAt(0, sign * r, Anchors.constant(anchor), 0, slopeAt);
        assertEquals(-sign * slope, slopeAt[0], tolerance, where);
      }
    }
  }

  @Test
  void theGapIsNeverNegativeAndExactlyZeroAtTheAnchor() {
    RobustFamily.StudentBound bound =
        new RobustFamily.StudentBound(new RobustFamily.RobustLikelihood(4, 14.5), 1);
    for (double anchor = 0; anchor < 1e7; anchor = anchor * 1.7 + 1e-9) {
      assertEquals(0, bound.gapAt(0, anchor, Anchors.constant(anchor), 0, null));
      assertEquals(0, bound.gapAt(anchor, 0, Anchors.constant(anchor), 0, null));
      for (int k = -60; k <= 20; k++) {
        double step = Math.scalb(1.0, k);
        assertTrue(bound.gapAt(0, anchor + step, Anchors.constant(anchor), 0, null) >= 0);
        assertTrue(bound.gapAt(0, anchor - step, Anchors.constant(anchor), 0, null) >= 0);
      }
    }
  }
}
