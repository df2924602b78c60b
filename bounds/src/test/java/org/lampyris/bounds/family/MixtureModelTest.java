package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class MixtureModelTest extends ModelContract {

  @Override
  protected Model model(int columns) {
    return new MixtureFamily.MixtureModel(Math.sqrt(2));
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.inEveryLayout(39, ROWS, COLUMNS, random -> 2 * random.nextGaussian());
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
