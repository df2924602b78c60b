package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

class MixtureModelTest extends ModelContract {

  @Override
  protected Model model(int columns) {
    return new MixtureFamily.MixtureModel(Math.sqrt(2));
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.inEveryLayout(39, ROWS, COLUMNS, random -> 2 * random.nextGaussian());
  }

  /** An offset is added to both means: the response less the offset has the same density. */
  @Test
  void anOffsetMovesBothComponents() {
    MixtureFamily.MixtureModel model = new MixtureFamily.MixtureModel(0.8);
    LowerBound bound = new MixtureFamily.MixtureBound(model);
    double[] x = {1, 1, 1};
    double[] w = {1, 2, 0.5};
    DataBlock moved =
        new DenseBlock(0, 1, Values.of(x), new double[] {0.3, -1, 4}, w, new double[] {1, -0.5, 2});
    DataBlock same = new DenseBlock(0, 1, x, new double[] {-0.7, -0.5, 2}, w);
    double[] theta = {0.4, 1.3};
    Anchors anchors = bound.anchorsAt(same, new double[] {0.1, 1});
    for (int row = 0; row < 3; row++) {
      double[][] gradients = new double[4][2];
      assertEquals(
          model.addGradient(same, row, theta, gradients[0]),
          model.addGradient(moved, row, theta, gradients[1]),
          1e-14);
      assertArrayEquals(gradients[0], gradients[1], 1e-14);
      assertEquals(
          bound.gapGradient(same, row, theta, anchors, gradients[2]),
          bound.gapGradient(
              moved, row, theta, bound.anchorsAt(moved, new double[] {0.1, 1}), gradients[3]),
          1e-14);
      assertArrayEquals(gradients[2], gradients[3], 1e-14);
    }
  }

  @Test
  void agreesWithReferencesFarIntoTheTails() {
    for (String[] f : Fixture.read(MixtureModelTest.class, "mixture.csv")) {
      double[] v = List.of(f).stream().mapToDouble(Double::parseDouble).toArray();
      String where = String.join(", ", List.of(f).subList(0, 4));
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {v[3]}, null);
      double[] gradient = new double[2];
      double[] theta = {v[1], v[2]};
      double value = new MixtureFamily.MixtureModel(v[0]).addGradient(row, 0, theta, gradient);
      assertEquals(v[4], value, 1e-15 * (1 + Math.abs(v[4])), where);
      // An error in the log-odds, of the size of what they are made of, moves the gradient.
      double size = 1e-15 * (1 + Math.abs(v[2]) * (Math.abs(v[3]) + 1) / (v[0] * v[0]));
      assertEquals(v[5], gradient[0], size * (1 + Math.abs(v[5])), where);
      assertEquals(v[6], gradient[1], size * (1 + Math.abs(v[6])), where);
    }
  }
}
