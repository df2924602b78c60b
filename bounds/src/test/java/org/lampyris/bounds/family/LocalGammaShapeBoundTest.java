package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalDispersedBoundContract;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.rows.DenseBlock;

class LocalGammaShapeBoundTest extends LocalDispersedBoundContract {
  private static final DispersedLikelihood LIKELIHOOD = new GammaFamily.ShapeLikelihood();

  /** Of Stirling's error only the size is bounded. */
  LocalGammaShapeBoundTest() {
    super(
        LIKELIHOOD,
        1.2,
        random -> Math.exp(random.nextGaussian()),
        new double[] {0.01, 0.4, 1, 3, 20},
        new double[] {1e-300, 1e-30, 1, 1e18, 1e200});
  }

  /** η̂, τ̂, y, r, s, D, C, both rounded, η, τ, the gap, and its derivatives. */
  @Test
  void gapAndSlopesAgreeWithReferences() {
    LowerBound bound = bound(1);
    for (double[] v :
        Fixture.numbers(LocalGammaShapeBoundTest.class, "local-gamma-shape-gap.csv")) {
      String where = Arrays.toString(v);
      Anchors anchors = Anchors.constant(v[0], v[1], v[5], v[6]);
      double[] gradient = new double[2];
      double[] theta = {v[7], v[8]};
      double u = v[7] - v[0];
      double w = v[8] - v[1];
      double terms = v[5] * u * u + v[6] * w * w;
      DenseBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[2]}, null);
      double gap = bound.gapGradient(row, 0, theta, anchors, gradient);
      double size = Math.abs(LIKELIHOOD.at(v[8]).logLikelihood(v[7], v[2]));
      assertEquals(v[9], gap, 1e-12 * terms + 1e-14 * (2 + size), where);
      assertEquals(v[10], gradient[0], 1e-12 * (1 + v[5] * Math.abs(u) + Math.abs(v[10])), where);
      assertEquals(v[11], gradient[1], 1e-12 * (1 + v[6] * Math.abs(w) + Math.abs(v[11])), where);
    }
  }
}
