package org.lampyris.bounds.family.softmax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Fixture;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.ModelContract;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

class SoftmaxModelTest {

  private static List<DataBlock> classBlocks(int classes) {
    return RandomBlocks.withOffset(33, 40, 6, random -> random.nextInt(classes));
  }

  @Nested
  class EveryClassHasCoefficients extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new SoftmaxModel(columns, 3, SoftmaxModel.NO_REFERENCE);
    }

    @Override
    protected List<DataBlock> blocks() {
      return classBlocks(3);
    }
  }

  @Nested
  class WithAReferenceClass extends ModelContract {
    @Override
    protected Model model(int columns) {
      return new SoftmaxModel(columns, 4, 1);
    }

    @Override
    protected List<DataBlock> blocks() {
      return classBlocks(4);
    }
  }

  /** Three columns with θ = diag(η) and x = (1, 1, 1) give any η. */
  @Test
  void agreesWithReferencesFarIntoTheTails() {
    SoftmaxModel model = new SoftmaxModel(1, 3, SoftmaxModel.NO_REFERENCE);
    for (String[] f : Fixture.read(SoftmaxModelTest.class, "softmax.csv")) {
      double[] eta = {number(f, 0), number(f, 1), number(f, 2)};
      DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {number(f, 3)}, null);
      double[] gradient = new double[3];
      double[] hessian = new double[9];
      double value = model.addHessian(row, 0, eta, gradient, hessian);
      String where = String.join(", ", List.of(f).subList(0, 4));
      assertEquals(number(f, 4), value, 1e-15 * Math.abs(number(f, 4)), where);
      for (int k = 0; k < 3; k++) {
        assertEquals(number(f, 5 + k), gradient[k], 2e-15 * Math.abs(number(f, 5 + k)), where);
      }
      assertEquals(number(f, 8), hessian[0], 2e-15 * Math.abs(number(f, 8)), where);
      assertEquals(number(f, 9), hessian[3], 2e-15 * Math.abs(number(f, 9)), where);
    }
  }

  private static double number(String[] fields, int i) {
    return Double.parseDouble(fields[i]);
  }

  @Test
  void twoClassesWithAReferenceAreLogisticRegression() {
    SoftmaxModel softmax = new SoftmaxModel(6, 2, 0);
    Model logistic = new LinearModel(new LogisticLikelihood(), 6);
    List<DataBlock> blocks = classBlocks(2);
    DataBlock classes = blocks.get(blocks.size() - 1); // the one with offsets
    double[] y = new double[40];
    double[] x = new double[240];
    double[] w = new double[40];
    double[] o = new double[40];
    for (int row = 0; row < 40; row++) {
      y[row] = classes.response(row) == 1 ? 1 : -1;
      w[row] = classes.weight(row);
      o[row] = classes.offset(row);
      for (int j = 0; j < 6; j++) {
        x[row * 6 + j] = classes.feature(row, j);
      }
    }
    DataBlock signs = new DenseBlock(0, 6, Values.of(x), y, w, o);
    double[] theta = RandomBlocks.normal(RandomBlocks.random(4), 6, 1);
    double[] expected = new double[36];
    double[] actual = new double[36];
    double[] expectedGradient = new double[6];
    double[] gradient = new double[6];
    double value = logistic.addHessians(signs, theta, expectedGradient, expected);
    assertEquals(value, softmax.addHessians(classes, theta, gradient, actual), 1e-12);
    assertArrayEquals(expectedGradient, gradient, 1e-12);
    assertArrayEquals(expected, actual, 1e-12);
  }

  /**
   * The offset is a column whose coefficient is 1 for every class but the reference class, in the
   * likelihood, its derivatives, its expansion, and the bounds' gaps.
   */
  @Test
  void anOffsetIsAColumnWithCoefficientsOfOne() {
    SoftmaxModel model = new SoftmaxModel(6, 4, 2);
    SoftmaxModel wider = new SoftmaxModel(7, 4, 2);
    List<DataBlock> blocks = classBlocks(4);
    DataBlock block = blocks.get(blocks.size() - 1);
    double[] x = new double[40 * 7];
    double[] y = new double[40];
    double[] w = new double[40];
    for (int row = 0; row < 40; row++) {
      for (int j = 0; j < 6; j++) {
        x[row * 7 + j] = block.feature(row, j);
      }
      x[row * 7 + 6] = block.offset(row);
      y[row] = block.response(row);
      w[row] = block.weight(row);
    }
    DataBlock column = new DenseBlock(0, 7, x, y, w);
    double[][] theta = new double[2][];
    double[][] wide = new double[2][21];
    for (int m = 0; m < 2; m++) {
      theta[m] = RandomBlocks.normal(RandomBlocks.random(11 + m), 18, 1);
      for (int k = 0; k < 3; k++) {
        System.arraycopy(theta[m], k * 6, wide[m], k * 7, 6);
        wide[m][k * 7 + 6] = 1;
      }
    }
    BohningBound bound = new BohningBound(model);
    BohningBound wideBound = new BohningBound(wider);
    for (int row = 0; row < 40; row++) {
      double expected = wider.logLikelihood(column, row, wide[0]);
      double[] eta = new double[4]; // written out: the third class has 0
      for (int k = 0; k < 3; k++) {
        eta[k == 2 ? 3 : k] = block.dot(row, theta[0], k * 6) + block.offset(row);
      }
      double sum = Arrays.stream(eta).map(Math::exp).sum();
      assertEquals(w[row] * (eta[(int) y[row]] - Math.log(sum)), expected, 1e-11);
      assertEquals(expected, model.logLikelihood(block, row, theta[0]), 1e-11);
      assertEquals(
          wider.taylor(column, row, 2, wide[1], wide[0]),
          model.taylor(block, row, 2, theta[1], theta[0]),
          1e-11);
      double[] gradient = new double[18];
      double[] wideGradient = new double[21];
      assertEquals(
          wider.addGradient(column, row, wide[0], wideGradient),
          model.addGradient(block, row, theta[0], gradient),
          1e-11);
      assertEquals(wideGradient[7], gradient[6], 1e-11);
      double gap = wideBound.gap(column, row, wide[0], wideBound.anchorsAt(column, wide[1]));
      Anchors anchors = bound.anchorsAt(block, theta[1]);
      assertEquals(gap, bound.gap(block, row, theta[0], anchors), 1e-11);
      double[] functionals = new double[3];
      for (int k = 0; k < 3; k++) {
        functionals[k] = bound.functional(block, row, k, theta[0], 0);
      }
      assertEquals(gap, bound.gapAt(block, row, functionals, anchors), 1e-11);
    }
    double[] sums = new double[2];
    double[] wideSums = new double[2];
    model.addGradients(block, theta, sums, null);
    wider.addGradients(column, wide, wideSums, null);
    assertArrayEquals(wideSums, sums, 1e-10);
  }

  /** The reference class is the one whose coefficients are 0 in the full model. */
  @Test
  void aReferenceClassHasCoefficientsOfZero() {
    double[] theta = RandomBlocks.normal(RandomBlocks.random(5), 12, 1);
    DataBlock block = classBlocks(3).get(0);
    for (int reference = 0; reference < 3; reference++) {
      double[] full = new double[18];
      int from = 0;
      for (int k = 0; k < 3; k++) {
        if (k != reference) {
          System.arraycopy(theta, from, full, k * 6, 6);
          from += 6;
        }
      }
      SoftmaxModel model = new SoftmaxModel(6, 3, reference);
      SoftmaxModel all = new SoftmaxModel(6, 3, SoftmaxModel.NO_REFERENCE);
      for (int row = 0; row < 40; row++) {
        double expected = all.logLikelihood(block, row, full);
        assertEquals(expected, model.logLikelihood(block, row, theta), 1e-14);
      }
      assertEquals(reference == 0 ? 1 : 0, model.classAt(0));
      assertEquals(reference == 2 ? 1 : 2, model.classAt(1));
    }
  }

  @Test
  void aShiftOfAllClassesChangesNothing() {
    SoftmaxModel model = new SoftmaxModel(1, 3, SoftmaxModel.NO_REFERENCE);
    DataBlock row = new DenseBlock(0, 1, new double[] {1}, new double[] {2}, null);
    double expected = model.logLikelihood(row, 0, new double[] {1, 2, 0.5});
    for (double shift : new double[] {-1024, 64, 512}) {
      double[] theta = {1, 2, 0.5};
      Arrays.setAll(theta, k -> theta[k] + shift);
      assertEquals(expected, model.logLikelihood(row, 0, theta), 1e-15);
    }
  }

  @Test
  void impossibleShapesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new SoftmaxModel(0, 3, 0));
    assertThrows(IllegalArgumentException.class, () -> new SoftmaxModel(1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new SoftmaxModel(1, 3, 3));
    assertThrows(IllegalArgumentException.class, () -> new SoftmaxModel(1, 3, -2));
  }
}
