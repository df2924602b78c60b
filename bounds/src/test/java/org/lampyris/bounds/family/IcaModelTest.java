package org.lampyris.bounds.family;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class IcaModelTest extends ModelContract {
  @Override
  protected Model model(int columns) {
    return new IcaFamily.IcaModel(columns + 1);
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.inEveryLayout(52, ROWS, COLUMNS, random -> 2 * random.nextGaussian());
  }

  /** Matrices far enough from singular ones, where nothing is smooth. */
  @Override
  protected double[][] thetas(Model model) {
    int order = COLUMNS + 1;
    double[][] thetas = new double[4][];
    for (int k = 0; k < thetas.length; k++) {
      thetas[k] = RandomBlocks.normal(RandomBlocks.random(60 + k), order * order, 0.1);
      for (int j = 0; j < order; j++) {
        // One of them is a permutation, so that pivots are not on the diagonal.
        thetas[k][j * order + (k == 1 ? (j + 2) % order : j)] += k == 3 ? -2 : 1;
      }
    }
    return thetas;
  }

  /** D = 2 by hand: x = (1, 2), W = (0.5, 1; −1, 3), so that s = (2.5, 5), det W = 2.5. */
  @Test
  void aRowIsByHand() {
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {2}, null);
    double expected =
        Math.log(2.5)
            - Math.log(4 * Math.pow(Math.cosh(1.25), 2))
            - Math.log(4 * Math.pow(Math.cosh(2.5), 2));
    double[] theta = {0.5, 1, -1, 3};
    assertEquals(expected, new IcaFamily.IcaModel(2).logLikelihood(row, 0, theta), 1e-14);
    // Rows may change places, and signs.
    assertEquals(
        expected,
        new IcaFamily.IcaModel(2).logLikelihood(row, 0, new double[] {-1, 3, -0.5, -1}),
        1e-14);
    assertEquals(
        Double.NEGATIVE_INFINITY,
        new IcaFamily.IcaModel(2).logLikelihood(row, 0, new double[] {1, 2, 2, 4}));
  }

  @Test
  void theDefaultPriorIsUniformOnTheManifold() {
    ModelOfTable model = ModelOfTable.of(FamilySpec.of("ica"), List.of("x1"), prior(), null);
    assertEquals(List.of("w1_1", "w1_2", "w2_1", "w2_2"), model.coefficients());
    assertArrayEquals(new double[] {1, 0, 0, 1}, model.start());
    double c = Math.cos(0.3);
    double s = Math.sin(0.3);
    assertEquals(
        model.prior().logDensity(new double[] {1, 0, 0, 1}),
        model.prior().logDensity(new double[] {c, -s, s, c}),
        1e-15);
  }

  private static PriorConfig prior() {
    return PriorConfig.of("normal(0, 2.5)", Map.of(), PriorConfig.Scale.STANDARDIZED);
  }

  @Test
  void columnsThatAreNotStoredAsTheyAreAreRefused() {
    List<Moments> two = List.of(Moments.STANDARD, Moments.STANDARD);
    ColumnCenters bare = new ColumnCenters(new double[2], -1);
    for (TableScale table :
        List.of(
            new TableScale(
                new ColumnCenters(new double[2], 0),
                List.of(1.0, 1.0),
                two,
                List.of(1.0, 1.0),
                null,
                null,
                null),
            new TableScale(bare, List.of(1.0, 2.0), two, List.of(1.0, 1.0), null, null, null))) {
      UserException refused =
          assertThrows(UserException.class, () -> new IcaFamily().on(FamilySpec.of("ica"), table));
      assertTrue(String.valueOf(refused.getMessage()).contains("data.intercept: false"));
    }
  }
}
