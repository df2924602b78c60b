package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CollinearityTest {
  private static final long SEED = 11;

  private static double[][] columns(int rows, int count) {
    Random random = new Random(SEED);
    double[][] x = new double[rows][count];
    for (double[] row : x) {
      for (int j = 0; j < count; j++) {
        row[j] = random.nextGaussian();
      }
    }
    return x;
  }

  private static ColumnMoments moments(double[][] x, double[] shift) {
    int d = shift.length;
    double[] first = new double[d];
    double[] lower = new double[d * d];
    for (double[] row : x) {
      for (int i = 0; i < d; i++) {
        first[i] += row[i] - shift[i];
        for (int j = 0; j <= i; j++) {
          lower[i * d + j] += (row[i] - shift[i]) * (row[j] - shift[j]);
        }
      }
    }
    return ColumnMoments.of(x.length, shift, first, lower);
  }

  @Test
  void momentsAgreeWithTwoPassFormulasFarFromZero() {
    double[][] x = columns(1000, 2);
    double mean = 0;
    for (double[] row : x) {
      row[0] = 1e9 + 0.01 * row[0];
      mean += (row[0] - 1e9) / 1000;
    }
    double squares = 0;
    for (double[] row : x) {
      squares += Math.pow(row[0] - 1e9 - mean, 2);
    }
    ColumnMoments moments = moments(x, new double[] {1e9 + 0.02, 0});
    assertEquals(1e9 + mean, moments.mean(0), 1e-6);
    assertEquals(Math.sqrt(squares / 999), moments.standardDeviation(0), 1e-8);
  }

  @Test
  void crossProductsAreSymmetricAndUncentredOnDemand() {
    double[][] x = columns(50, 2);
    double product = 0;
    for (double[] row : x) {
      row[1] += 5;
      product += row[0] * row[1];
    }
    ColumnMoments moments = moments(x, new double[] {0.1, 4.8});
    assertEquals(product, moments.crossProduct(0, 1, false), 1e-11);
    assertEquals(moments.crossProduct(1, 0, true), moments.crossProduct(0, 1, true), 0);
  }

  @Test
  void independentColumnsAreLeftAlone() {
    double[][] x = columns(40, 5);
    for (double[] row : x) {
      row[4] = row[0] + row[1] + 1e-4 * row[4];
    }
    assertTrue(
        Collinearity.find(new int[] {0, 1, 2, 3, 4}, moments(x, new double[5]), true).isEmpty());
  }

  @Test
  void namesTheCombination() {
    double[][] x = columns(200, 4);
    for (double[] row : x) {
      row[2] *= 1e6;
      row[3] = row[0] + 3 * row[1] - 2;
    }
    List<Collinearity.Dependency> found =
        Collinearity.find(
            new int[] {0, 1, 2, 3}, moments(x, new double[] {0.05, -0.02, 7, -2}), true);
    assertEquals(1, found.size());
    // Any column of the combination may be the one that is explained; the plane is the same.
    double[] plane = new double[4];
    plane[found.get(0).column()] = -1;
    found.get(0).terms().forEach(term -> plane[term.column()] = term.coefficient());
    double unit = plane[0];
    assertEquals(3, plane[1] / unit, 1e-9);
    assertEquals(0, plane[2], 0);
    assertEquals(-1, plane[3] / unit, 1e-9);
    assertEquals(-2, found.get(0).constant() / unit, 1e-9);
  }

  @Test
  void copyIsExplainedByTheColumnBeforeIt() {
    double[][] x = columns(30, 3);
    for (double[] row : x) {
      row[2] = 5 - 2 * row[0];
    }
    List<Collinearity.Dependency> found =
        Collinearity.find(new int[] {0, 1, 2}, moments(x, new double[3]), true);
    assertEquals(2, found.get(0).column());
    assertEquals(List.of(0), found.get(0).terms().stream().map(t -> t.column()).toList());
    assertEquals(-2, found.get(0).terms().get(0).coefficient(), 1e-12);
    assertEquals(5, found.get(0).constant(), 1e-12);
  }

  @Test
  void shiftIsNoCombinationWithoutIntercept() {
    double[][] x = columns(30, 2);
    for (double[] row : x) {
      row[1] = row[0] + 1;
    }
    int[] both = {0, 1};
    ColumnMoments moments = moments(x, new double[2]);
    assertEquals(1, Collinearity.find(both, moments, true).size());
    assertEquals(0, Collinearity.find(both, moments, false).size());
  }
}
