package org.lampyris.bounds.family.ordinal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.LowerBoundContract;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class LocalOrdinalBoundTest extends LowerBoundContract {
  private static final double RADIUS = 2.5;
  private static final int CLASSES = 4;

  private static LaplaceApproximation laplace(int dimension) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        covariance[i * dimension + j] = (i == j ? 0.06 : 0) + 0.02 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[dimension], covariance);
  }

  private static OrdinalModel ordinal(int columns) {
    return new OrdinalModel(columns, 2, 0, 1, 3);
  }

  @Override
  protected LowerBound bound(int columns) {
    return new LocalOrdinalBound(ordinal(columns), laplace(columns + CLASSES - 2), RADIUS);
  }

  @Override
  protected Model model(int columns) {
    return ordinal(columns);
  }

  @Override
  protected Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(new LocalOrdinalBound(ordinal(COLUMNS), laplace, RADIUS));
  }

  @Override
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(39, ROWS, COLUMNS, random -> random.nextInt(CLASSES));
  }

  @Override
  protected void restrict(double[] theta, double[] tightAt) {
    intoBall(laplace(theta.length), RADIUS, theta, tightAt);
  }

  /** The edges where the functionals go furthest, one by one and all together. */
  @Override
  protected List<double[]> worstPoints(
      LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
    List<double[]> points = new ArrayList<>(super.worstPoints(bound, laplace, block, row));
    int d = bound.dimension();
    Region region = bound.region().orElseThrow();
    for (int signs = 0; signs < 4; signs++) {
      double[] theta = laplace.mode().clone();
      for (int i = 0; i < d; i++) {
        for (int k = 0; k < 3; k++) {
          int sign = k > 0 && (signs >> (k - 1) & 1) == 1 ? -1 : 1;
          theta[i] += sign * bound.functional(block, row, k, laplace.covariance(), i * d);
        }
      }
      double edge = (1 - 1e-8) * region.radius() / region.distance(theta);
      points.add(region.onRay(theta, edge));
      points.add(region.onRay(theta, -edge));
    }
    return points;
  }

  /** Tight elsewhere in η, with more curvature than any θ of the ball asks for. */
  @Override
  protected Anchors someAnchors(RandomGenerator random, int rows) {
    DataBlock block = blocks().get(0);
    double[] reference = reference();
    double[] kappa = Arrays.copyOfRange(reference, COLUMNS, reference.length);
    LaplaceApproximation laplace = laplace(reference.length);
    double[] s = {RADIUS * laplace.sd(COLUMNS), RADIUS * laplace.sd(COLUMNS + 1)};
    double[] values = new double[6 * rows];
    double[] q = new double[3];
    for (int row = 0; row < rows; row++) {
      double eta = random.nextGaussian();
      int rank = ordinal(COLUMNS).rank(block.response(row));
      new CutDerivatives(kappa, s, 1).forms(3, eta, 25, rank, q);
      double[] anchor = {eta, kappa[0], kappa[1], q[0] / 3, q[1] / 3, q[2] / 3};
      System.arraycopy(anchor, 0, values, 6 * row, 6);
    }
    return Anchors.perRow(values, 6);
  }

  private static DataBlock row(int y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  /**
   * Returns the least gap on a grid over a box, with all of D but a share of one of them left out.
   *
   * @param box η̂, κ̂_1, κ̂_2, r, s_1, s_2
   */
  private static double least(int y, double[] box, int less, double share) {
    LowerBound bound = new LocalOrdinalBound(ordinal(1), laplace(3), RADIUS);
    double[] q = new double[3];
    new CutDerivatives(new double[] {box[1], box[2]}, new double[] {box[4], box[5]}, 1)
        .forms(3, box[0], box[3], ordinal(1).rank(y), q);
    double[] anchor = {box[0], box[1], box[2], q[0] / 3, q[1] / 3, q[2] / 3};
    anchor[3 + less] *= share;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 11 * 11 * 11; i++) {
      double[] theta = box.clone();
      theta[0] += (i % 11 - 5) * box[3] / 5;
      theta[1] += (i / 11 % 11 - 5) * box[4] / 5;
      theta[2] += (i / 121 - 5) * box[5] / 5;
      double[] at = Arrays.copyOf(theta, 3);
      least = Math.min(least, bound.gap(row(y), 0, at, Anchors.constant(anchor)));
    }
    return least;
  }

  /** And a bound that leaves one of D out is found out. */
  @Test
  void theBoundHoldsOnTheWholeBoxAndNotWithoutOneOfItsTerms() {
    int[] found = new int[3];
    for (double eta : new double[] {-3, -0.5, 0.2, 1, 4}) {
      for (double kappa : new double[] {-3, 0, 1}) {
        for (double r : new double[] {0.01, 0.5}) {
          for (double s : new double[] {0.003, 0.3}) {
            double[] box = {eta, kappa, 0.3, r, s, s};
            for (int y = 0; y < CLASSES; y++) {
              double least = least(y, box, 0, 1);
              assertTrue(least >= 0, y + ": " + Arrays.toString(box) + ": " + least);
              for (int k = 0; k < 3; k++) {
                found[k] += least(y, box, k, 0) < 0 ? 1 : 0;
              }
            }
          }
        }
      }
    }
    assertTrue(Arrays.stream(found).allMatch(n -> n > 10), Arrays.toString(found));
  }

  @Test
  void thereIsAnUpperBound() {
    assertTrue(bound(COLUMNS).upperAnchorsAt(blocks().get(0), reference()).isPresent());
  }

  @Test
  void thereIsNoUntunedFormAndARadiusMustBePositive() {
    assertTrue(bound(3).untuned(0).isEmpty());
    assertThrows(
        IllegalArgumentException.class, () -> new LocalOrdinalBound(ordinal(3), laplace(5), 0));
  }
}
