package org.lampyris.bounds.family.softmax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class BohningBoundTest {

  private abstract static class Contract extends LowerBoundContract {

    abstract SoftmaxModel softmax(int columns);

    @Override
    protected LowerBound bound(int columns) {
      return new BohningBound(softmax(columns));
    }

    @Override
    protected Model model(int columns) {
      return softmax(columns);
    }

    @Override
    protected List<DataBlock> blocks() {
      int classes = softmax(1).classes();
      return RandomBlocks.withOffset(35, ROWS, COLUMNS, random -> random.nextInt(classes));
    }

    @Override
    protected Anchors someAnchors(RandomGenerator random, int rows) {
      int width = softmax(1).functionals();
      double[] values = RandomBlocks.normal(random, rows * width, 3);
      for (int i = 0; i < width; i++) {
        values[i] = 0;
        values[width + i] = i == 0 ? 300 : -300;
      }
      return Anchors.perRow(values, width);
    }
  }

  @Nested
  class ThreeClasses extends Contract {
    @Override
    SoftmaxModel softmax(int columns) {
      return new SoftmaxModel(columns, 3, SoftmaxModel.NO_REFERENCE);
    }
  }

  @Nested
  class FourClassesWithAReference extends Contract {
    @Override
    SoftmaxModel softmax(int columns) {
      return new SoftmaxModel(columns, 4, 2);
    }
  }

  /** The gap to a few units in the last place of its quadratic part. */
  @Test
  void gapAndSlopesAgreeWithReferences() {
    BohningBound bound = new BohningBound(new SoftmaxModel(1, 3, SoftmaxModel.NO_REFERENCE));
    for (String[] f : Fixture.read(BohningBoundTest.class, "bohning-gap.csv")) {
      double[] v = List.of(f).stream().mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", List.of(f).subList(0, 6));
      double[] eta = {v[0], v[1], v[2]};
      Anchors psi = Anchors.constant(v[3], v[4], v[5]);
      for (double y = 0; y < 3; y++) {
        DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
        double[] gradient = new double[3];
        double gap = bound.gapGradient(row, 0, eta, psi, gradient);
        assertEquals(v[6], gap, 1e-15 * v[7], where);
        assertEquals(gap, bound.gap(row, 0, eta, psi));
        for (int k = 0; k < 3; k++) {
          assertEquals(v[8 + k], gradient[k], 2e-15 * Math.sqrt(v[7]), where);
        }
      }
    }
  }

  /** Two classes with a reference, untuned: the curvature is 1/8 in place of Jaakkola's λ/2. */
  @Test
  void twoClassesAreBohningsBoundOnTheLogistic() {
    BohningBound bound = new BohningBound(new SoftmaxModel(1, 2, 0));
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {1}, null);
    for (double s : new double[] {-3, 0.1, 2}) {
      double logL = -Math.log1p(Math.exp(-s));
      double logB = -Math.log(2) + s / 2 - s * s / 8;
      double gap = bound.gap(row, 0, new double[] {s}, bound.untuned(0).orElseThrow());
      assertEquals(logL - logB, gap, 1e-15);
    }
  }
}
