package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

class MixtureBoundTest extends LowerBoundContract {

  private static final MixtureFamily.MixtureModel MODEL =
      new MixtureFamily.MixtureModel(Math.sqrt(2));

  @Override
  protected LowerBound bound(int columns) {
    return new MixtureFamily.MixtureBound(MODEL);
  }

  @Override
  protected Model model(int columns) {
    return MODEL;
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.inEveryLayout(40, ROWS, COLUMNS, random -> 2 * random.nextGaussian());
  }

  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    return beginning(random, rows, 0, 700, -40);
  }

  @Test
  void gapAndSlopeAgreeWithReferences() {
    for (double[] v : Fixture.numbers(MixtureBoundTest.class, "mixture-gap.csv")) {
      String where = v[0] + " at " + v[1];
      assertEquals(v[2], MixtureFamily.MixtureBound.gap(v[0], v[1]), 3e-15 * v[2], where);
      assertEquals(
          v[3], MixtureFamily.MixtureBound.gapSlope(v[0], v[1]), 1e-15 * Math.abs(v[3]), where);
    }
  }
}
