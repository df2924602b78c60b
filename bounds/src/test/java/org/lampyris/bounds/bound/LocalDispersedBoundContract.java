package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** The contract of a {@link LocalDispersedBound} and the third derivatives that it goes by. */
public abstract class LocalDispersedBoundContract extends LowerBoundContract {
  private static final double RADIUS = 2.5;

  private final DispersedLikelihood likelihood;
  private final double slack;
  private final ToDoubleFunction<RandomGenerator> response;
  private final double[] labels;
  private final double[] extremes;

  /**
   * Takes a family.
   *
   * @param slack how many times the size of a derivative its bound is on average, or less
   * @param response draws a label that the model accepts
   * @param labels of all kinds, small and large
   * @param extremes labels as far out as doubles go, or nearly so
   */
  protected LocalDispersedBoundContract(
      DispersedLikelihood likelihood,
      double slack,
      ToDoubleFunction<RandomGenerator> response,
      double[] labels,
      double[] extremes) {
    this.likelihood = likelihood;
    this.slack = slack;
    this.response = response;
    this.labels = labels;
    this.extremes = extremes;
  }

  /** Returns how far η may be from where a bound is tight. */
  protected double far() {
    return 25;
  }

  private static LaplaceApproximation laplace(int dimension) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        covariance[i * dimension + j] = (i == j ? 0.06 : 0) + 0.02 / (1 + Math.abs(i - j));
      }
    }
    return new LaplaceApproximation(new double[dimension], covariance);
  }

  @Override
  protected final LowerBound bound(int columns) {
    return new LocalDispersedBound(likelihood, laplace(columns + 1), RADIUS);
  }

  @Override
  protected final Model model(int columns) {
    return new DispersedModel(likelihood, columns);
  }

  @Override
  protected final Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.of(new LocalDispersedBound(likelihood, laplace, RADIUS));
  }

  /** The edges where η and τ go furthest, each way, and where they go both. */
  @Override
  protected final List<double[]> worstPoints(
      LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
    List<double[]> points = new ArrayList<>(super.worstPoints(bound, laplace, block, row));
    int d = bound.dimension();
    Region region = bound.region().orElseThrow();
    for (double share : new double[] {-3, -1, -0.3, 0.3, 1, 3}) {
      double[] theta = laplace.mode().clone();
      for (int i = 0; i < d; i++) {
        theta[i] += bound.functional(block, row, 1, laplace.covariance(), i * d);
        theta[i] += share * bound.functional(block, row, 0, laplace.covariance(), i * d);
      }
      points.addAll(edges(region, theta));
    }
    return points;
  }

  @Override
  protected final List<DataBlock> blocks() {
    return RandomBlocks.withOffset(38, ROWS, COLUMNS, response);
  }

  /** Into the ball, up to its edge. */
  @Override
  protected final void restrict(double[] theta, double[] tightAt) {
    intoBall(laplace(theta.length), RADIUS, theta, tightAt);
  }

  /** Tight elsewhere in η, and so with more curvature than any θ of the ball asks for. */
  @Override
  protected final Anchors someAnchors(RandomGenerator random, int rows) {
    double[] values = new double[4 * rows];
    DataBlock block = blocks().get(0);
    double tau = reference()[COLUMNS];
    for (int row = 0; row < rows; row++) {
      double eta = row == 0 ? 0 : random.nextGaussian();
      double s = RADIUS * laplace(COLUMNS + 1).sd(COLUMNS);
      double[] anchor = anchor(likelihood, tau, block.response(row), far(), s);
      anchor[0] = eta;
      System.arraycopy(anchor, 0, values, 4 * row, 4);
    }
    return Anchors.perRow(values, 4);
  }

  private static DataBlock row(double y) {
    return new DenseBlock(0, 1, new double[] {1}, new double[] {y}, null);
  }

  /** Returns the anchor of a row and box, about η̂ = 0. */
  private static double[] anchor(DispersedLikelihood likelihood, double... of) {
    double[] mode = {0, of[0]};
    LaplaceApproximation laplace =
        new LaplaceApproximation(mode, new double[] {of[2] * of[2], 0, 0, of[3] * of[3]});
    Anchors anchors = new LocalDispersedBound(likelihood, laplace, 1).anchorsAt(row(of[1]), mode);
    return new double[] {
      anchors.get(0, 0), anchors.get(0, 1), anchors.get(0, 2), anchors.get(0, 3)
    };
  }

  /**
   * Of a small box they are what differences say, and of a large one no less than anywhere in it.
   */
  @Test
  void thirdDerivativesAreBounded() {
    double[] sizes = new double[4];
    double[] bounds = new double[4];
    for (double tau : new double[] {-2, 0, 1.5, 5}) {
      for (double y : labels) {
        for (double eta : new double[] {-3, -0.4, 0, 1.1, 4}) {
          double[] small = new double[4];
          likelihood.thirdDerivatives(eta, 1e-9, tau, 1e-9, y, small);
          double[] here = third(likelihood, eta, tau, y);
          String where = "eta " + eta + ", tau " + tau + ", y " + y;
          for (int k = 0; k < 4; k++) {
            double error = 1e-5 * (1e-3 + Math.abs(here[k]) + small[k]);
            assertTrue(small[k] >= here[k] - error, where + ", " + k + ": " + small[k]);
            sizes[k] += here[k];
            bounds[k] += small[k];
          }
          for (double[] box : new double[][] {{0.3, 0.01}, {0.01, 0.4}, {1, 0.7}}) {
            double[] bound = new double[4];
            likelihood.thirdDerivatives(eta, box[0], tau, box[1], y, bound);
            for (int i = -4; i <= 4; i++) {
              for (int j = -4; j <= 4; j++) {
                double[] at = third(likelihood, eta + i * box[0] / 4, tau + j * box[1] / 4, y);
                for (int k = 0; k < 4; k++) {
                  double error = 1e-5 * (1e-3 + bound[k]);
                  assertTrue(bound[k] >= at[k] - error, where + ", " + k + ": " + at[k]);
                }
              }
            }
          }
        }
      }
    }
    for (int k = 0; k < 4; k++) {
      assertTrue(
          bounds[k] <= slack * sizes[k] + Double.MIN_NORMAL,
          k + ": " + bounds[k] + " for " + sizes[k]);
    }
  }

  /** Returns the sizes of the third derivatives, as differences of the second ones. */
  private static double[] third(DispersedLikelihood likelihood, double eta, double tau, double y) {
    double h = 1e-5;
    double[][] at = new double[4][5];
    likelihood.at(tau).derivatives(eta + h, y, at[0]);
    likelihood.at(tau).derivatives(eta - h, y, at[1]);
    likelihood.at(tau + h).derivatives(eta, y, at[2]);
    likelihood.at(tau - h).derivatives(eta, y, at[3]);
    double[] third = new double[4];
    for (int k = 0; k < 3; k++) {
      third[k] = Math.abs(at[0][2 + k] - at[1][2 + k]) / (2 * h);
    }
    third[3] = Math.abs(at[2][4] - at[3][4]) / (2 * h);
    return third;
  }

  /** On the whole box, and on a small one not with half of either. */
  @Test
  void theBoundHoldsOnTheWholeBoxAndHalfOfItDoesNot() {
    LowerBound bound = bound(1);
    int heldByHalf = 0;
    int tried = 0;
    for (double[] of : rowsAndBoxes()) {
      double[] at = anchor(likelihood, of);
      double least = least(bound, of, at);
      assertTrue(least >= 0, Arrays.toString(of) + ": " + least);
      if (of[2] < 1 && of[3] < 0.5) {
        tried++;
        heldByHalf += least(bound, of, at[0], at[1], 0.5 * at[2], 0.5 * at[3]) >= 0 ? 1 : 0;
      }
    }
    assertTrue(heldByHalf < tried / 2, heldByHalf + " of " + tried);
  }

  /**
   * Log-likelihoods of extreme labels have large terms that cancel: a gap is 0 where that makes it
   * negative, and a bound that lies above by 1e-9 of the largest term is found out.
   */
  @Test
  void roundingIsNoFaultAndAWrongBoundIs() {
    for (double tau : new double[] {-2, 0, 1.5, 5, 12}) {
      for (double y : extremes) {
        for (double eta : new double[] {-60, -4, 0, 1.3, 35}) {
          for (double size : new double[] {1e-9, 1e-6, 1e-3, 0.3}) {
            assertRounding(new double[] {eta, tau}, y, size);
          }
        }
      }
    }
  }

  private void assertRounding(double[] mode, double y, double size) {
    LaplaceApproximation laplace =
        new LaplaceApproximation(mode, new double[] {size * size, 0, 0, size * size});
    LowerBound bound = new LocalDispersedBound(likelihood, laplace, 1);
    Anchors anchors = bound.anchorsAt(row(y), mode);
    String where = Arrays.toString(mode) + ", y " + y + ", size " + size;
    for (int i = -6; i <= 6; i += 3) {
      for (int j = -6; j <= 6; j += 3) {
        double[] theta = {mode[0] + i * size / 10, mode[1] + j * size / 10};
        double gap = bound.gap(row(y), 0, theta, anchors);
        assertTrue(gap >= 0, where + ": " + gap);
        double u = theta[0] - mode[0];
        if (i != 0 && Double.isFinite(gap)) {
          double largest =
              Math.max(
                  gap,
                  Math.max(
                      likelihood.at(mode[1]).largestTerm(mode[0], y),
                      likelihood.at(theta[1]).largestTerm(theta[0], y)));
          double less = 2 * (gap + 1e-9 * Math.max(1, largest)) / (u * u);
          double[] wrong = {
            mode[0], mode[1], anchors.get(0, 2) - less, anchors.get(0, 3),
          };
          double above = bound.gap(row(y), 0, theta, Anchors.constant(wrong));
          assertTrue(above < 0, where + ": " + above);
          assertThrows(BoundException.class, () -> bound.checked(above, row(y), 0, theta), where);
        }
      }
    }
  }

  /** Returns whether a third derivative, of M₃₀ … M₀₃, is 0 everywhere. */
  protected boolean isZero(int derivative) {
    return false;
  }

  /** A bound that forgets one of the four third derivatives, each in turn, lies above log L. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aForgottenThirdDerivativeIsFoundOut(int forgotten) {
    DispersedLikelihood forgetful =
        new DispersedLikelihood() {
          @Override
          public At at(double tau) {
            return likelihood.at(tau);
          }

          @Override
          public void thirdDerivatives(
              double eta, double r, double tau, double s, double y, double[] out) {
            likelihood.thirdDerivatives(eta, r, tau, s, y, out);
            out[forgotten] = 0;
          }
        };
    assumeFalse(isZero(forgotten), "it is 0");
    LowerBound bound = bound(1);
    assertTrue(rowsAndBoxes().stream().anyMatch(of -> least(bound, of, anchor(forgetful, of)) < 0));
  }

  /** Returns τ, y, r and s of many kinds. */
  private List<double[]> rowsAndBoxes() {
    List<double[]> all = new ArrayList<>();
    for (double tau : new double[] {-2, 0, 1.5, 5}) {
      for (double y : labels) {
        for (double r : new double[] {0.01, 0.3, 2}) {
          for (double s : new double[] {0.003, 0.1, 0.8}) {
            all.add(new double[] {tau, y, r, s});
          }
        }
      }
    }
    return all;
  }

  /** Returns the least gap of a row on a grid over its box, about η̂ = 0. */
  private static double least(LowerBound bound, double[] of, double... anchor) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = -20; i <= 20; i++) {
      for (int j = -20; j <= 20; j++) {
        double[] theta = {i * of[2] / 20, of[0] + j * of[3] / 20};
        least = Math.min(least, bound.gap(row(of[1]), 0, theta, Anchors.constant(anchor)));
      }
    }
    return least;
  }

  @Test
  void thereIsAnUpperBound() {
    assertTrue(bound(COLUMNS).upperAnchorsAt(blocks().get(0), reference()).isPresent());
  }

  @Test
  void thereIsNoUntunedFormAndARadiusMustBePositive() {
    assertTrue(bound(3).untuned(0).isEmpty());
    assertThrows(
        IllegalArgumentException.class, () -> new LocalDispersedBound(likelihood, laplace(3), 0));
  }
}
