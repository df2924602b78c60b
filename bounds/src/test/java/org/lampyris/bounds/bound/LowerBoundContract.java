package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.laplace.Region;
import org.lampyris.bounds.model.BoundException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * What Firefly relies on, for every lower bound. Seeds are fixed: nothing here is left to chance.
 */
public abstract class LowerBoundContract {

  protected static final int COLUMNS = 6;
  protected static final int ROWS = 40;
  private static final double[] SCALES = {0, 1e-6, 1e-3, 0.1, 1, 10, 300};

  private final RandomGenerator random = RandomBlocks.random(20);
  private int dimension;
  private double[] reference = new double[0];

  @BeforeEach
  final void prepare() {
    dimension = bound(COLUMNS).dimension();
    reference = mode(RandomBlocks.normal(random, dimension, 1));
  }

  /** Returns the bound for θ of the given length. */
  protected abstract LowerBound bound(int columns);

  /** Returns the likelihood that it bounds. */
  protected abstract Model model(int columns);

  /** Returns an anchor of its own for each row, none of them tight at anything in particular. */
  protected abstract Anchors someAnchors(RandomGenerator random, int rows);

  /** Returns anchors of one number a row, the first ones as given and the others random. */
  protected static Anchors beginning(RandomGenerator random, int rows, double... first) {
    double[] values = RandomBlocks.normal(random, rows, 3);
    System.arraycopy(first, 0, values, 0, first.length);
    return Anchors.perRow(values, 1);
  }

  /** Returns blocks with the same rows in every layout, with responses the model accepts. */
  protected List<DataBlock> blocks() {
    return RandomBlocks.withOffset(21, ROWS, COLUMNS, random -> random.nextBoolean() ? 1 : -1);
  }

  /** Returns the bound that holds about a mode only, if it does not hold everywhere. */
  protected Optional<LowerBound> about(LaplaceApproximation laplace) {
    return Optional.empty();
  }

  /**
   * Returns where in the region of {@link #about} the gap of a row may be least: on its edge, where
   * the row's functionals are furthest from those of the mode, unless the bound knows better.
   */
  protected List<double[]> worstPoints(
      LowerBound bound, LaplaceApproximation laplace, DataBlock block, int row) {
    List<double[]> points = new ArrayList<>();
    for (int k = 0; k < bound.functionals(); k++) {
      double[] theta = laplace.mode().clone();
      for (int i = 0; i < dimension; i++) {
        theta[i] += bound.functional(block, row, k, laplace.covariance(), i * dimension);
      }
      points.addAll(edges(bound.region().orElseThrow(), theta));
    }
    return points;
  }

  /** Returns the edges of a region on a ray and on its opposite, if there are such. */
  public static List<double[]> edges(Region region, double[] theta) {
    return Stream.of(theta, region.onRay(theta, -1))
        .filter(at -> region.distance(at) > 0)
        .map(at -> region.onRay(at, (1 - 1e-8) * region.radius() / region.distance(at)))
        .toList();
  }

  /** Moves θ to where the bound holds, if that is not everywhere. */
  protected void restrict(double[] theta, double[] tightAt) {}

  /** Moves θ into a ball about where the bound is tight, up to its edge. */
  protected static void intoBall(
      LaplaceApproximation laplace, double radius, double[] theta, double[] tightAt) {
    double distance = LaplaceApproximation.norm(laplace.difference(tightAt, theta));
    if (distance > radius) {
      double shrink = (1 - 1e-12) * radius / distance;
      Arrays.setAll(theta, j -> tightAt[j] + shrink * (theta[j] - tightAt[j]));
    }
  }

  /** Returns a copy of the θ that {@link LowerBound#anchorsAt} is asked for. */
  protected final double[] reference() {
    return reference.clone();
  }

  private double[] away(double scale) {
    double[] theta = RandomBlocks.normal(random, dimension, scale);
    Arrays.setAll(theta, j -> theta[j] + reference[j]);
    restrict(theta, reference);
    return theta;
  }

  private List<Anchors> anchors(LowerBound bound, DataBlock block) {
    return List.of(bound.anchorsAt(block, reference), someAnchors(random, ROWS));
  }

  @Test
  void theGapIsNeverNegative() {
    LowerBound bound = bound(COLUMNS);
    for (DataBlock block : blocks()) {
      for (Anchors anchors : anchors(bound, block)) {
        for (double scale : SCALES) {
          double[] theta = away(scale);
          for (int row = 0; row < ROWS; row++) {
            double gap = bound.gap(block, row, theta, anchors);
            assertTrue(gap >= 0 && gap < Double.POSITIVE_INFINITY, "gap " + gap);
          }
        }
      }
    }
  }

  /** Returns by how much a collapsed sum may be off, relative to its terms. */
  protected double collapsedError() {
    return 1e-11;
  }

  /** Returns the mode that bounds are about, of standard normal numbers. */
  protected double[] mode(double[] drawn) {
    return drawn;
  }

  /** Returns the posterior sds of the tables whose bounds are tried. */
  protected double[] sds() {
    return new double[] {1e-4, 1e-2, 0.3, 2};
  }

  /** About modes of small tables and large ones, with columns of one scale and of many. */
  @Test
  void theGapIsNotNegativeAtTheWorstPointsOfTheRegion() {
    for (double scale : sds()) {
      for (double spread : new double[] {1, 5}) {
        LaplaceApproximation laplace = laplace(scale, spread);
        Optional<LowerBound> found = about(laplace);
        if (found.isEmpty()) {
          continue;
        }
        LowerBound bound = found.get();
        for (DataBlock block : blocks()) {
          Anchors anchors = bound.anchorsAt(block, reference);
          for (int row = 0; row < ROWS; row++) {
            for (double[] theta : worstPoints(bound, laplace, block, row)) {
              assertTrue(bound.region().orElseThrow().holds(theta));
              double gap = bound.gap(block, row, theta, anchors);
              assertTrue(gap >= 0, "row " + row + ", sd " + scale + ": gap " + gap);
            }
          }
        }
      }
    }
  }

  /** Returns N(reference, Σ̂) with correlations, and sds that fall from {@code scale} on. */
  private LaplaceApproximation laplace(double scale, double spread) {
    double[] covariance = new double[dimension * dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        double correlation = Math.pow(-0.6, Math.abs(i - j));
        covariance[i * dimension + j] = scale * scale * correlation / Math.pow(spread, i + j);
      }
    }
    return new LaplaceApproximation(reference, covariance);
  }

  /** A fault of the bound is an error that says where; outside of its region it is none. */
  @Test
  void aNegativeGapIsAnErrorInTheRegion() {
    DataBlock block = blocks().get(0);
    LowerBound bound = bound(COLUMNS);
    double[] tight = bound.region().map(region -> region.onRay(reference, 0)).orElse(reference);
    assertEquals(0.5, bound.checked(0.5, block, 3, tight));
    for (double gap : new double[] {-1e-3, Double.NaN}) {
      BoundException e =
          assertThrows(BoundException.class, () -> bound.checked(gap, block, 3, tight));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith("row 3 of block 0"), message);
      assertTrue(message.contains(Arrays.toString(tight)), message);
      bound
          .region()
          .ifPresent(
              region -> {
                double[] outside = tight.clone();
                Arrays.setAll(outside, j -> outside[j] - 99);
                assertEquals(0, bound.checked(gap, block, 3, outside));
              });
    }
  }

  /** The collapsed rows themselves, which nothing clips. */
  @Test
  void theBoundStaysBelowTheLikelihood() {
    LowerBound bound = bound(COLUMNS);
    Model model = model(COLUMNS);
    for (DataBlock block : blocks()) {
      for (Anchors anchors : anchors(bound, block)) {
        for (int row = 0; row < ROWS; row++) {
          CollapsedQuadratic quadratic = new CollapsedQuadratic(reference);
          double[] anchor = new double[bound.anchorWidth()];
          int r = row;
          Arrays.setAll(anchor, i -> anchors.get(r, i));
          bound.collapse(RandomBlocks.single(block, row), Anchors.constant(anchor), quadratic);
          for (double scale : SCALES) {
            double[] theta = away(scale);
            double logBound = bound.inItsCoordinates(quadratic).value(theta);
            double logL = model.logLikelihood(block, row, theta);
            double rounding = 1e-14 * magnitude(quadratic, theta);
            assertTrue(logBound <= logL + rounding, logBound + " above " + logL);
          }
        }
      }
    }
  }

  /** The quadratic of the upper anchors lies above log L in the ball, and touches it. */
  @Test
  void theUpperBoundStaysAboveTheLikelihood() {
    LowerBound bound = bound(COLUMNS);
    for (DataBlock block : blocks()) {
      Optional<Anchors> found = bound.upperAnchorsAt(block, reference);
      LowerBound.BothAnchors both = bound.bothAnchorsAt(block, reference);
      Anchors lower = bound.anchorsAt(block, reference);
      assertEquals(found.isPresent(), both.upper().isPresent());
      for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < bound.anchorWidth(); i++) {
          assertEquals(lower.get(row, i), both.lower().get(row, i));
          if (found.isPresent()) {
            assertEquals(found.get().get(row, i), both.upper().orElseThrow().get(row, i));
          }
        }
      }
      if (found.isEmpty()) {
        continue;
      }
      for (int row = 0; row < ROWS; row++) {
        CollapsedQuadratic above = new CollapsedQuadratic(reference);
        Anchors own = found.get().select(new int[] {row});
        bound.collapse(RandomBlocks.single(block, row), own, above);
        for (double scale : new double[] {0, 1e-3, 0.1, 1, 30}) {
          double[] theta = RandomBlocks.normal(random, dimension, scale);
          Arrays.setAll(theta, j -> theta[j] + reference[j]);
          restrict(theta, reference);
          double logL = model(COLUMNS).logLikelihood(block, row, theta);
          double value = bound.inItsCoordinates(above).value(theta);
          assertTrue(value >= logL - 1e-11 * (1 + Math.abs(logL)), "row " + row);
        }
      }
    }
  }

  /** Returns the sum of the absolute values of the terms. */
  private double magnitude(CollapsedQuadratic quadratic, double[] theta) {
    double[] packed = Arrays.stream(quadratic.packed()).map(Math::abs).toArray();
    double[] distance = new double[dimension];
    Arrays.setAll(distance, j -> Math.abs(theta[j] - reference[j]));
    return new CollapsedQuadratic(new double[dimension], packed).value(distance);
  }

  @Test
  void theFunctionalsAreAllThatARowDependsOn() {
    LowerBound bound = bound(COLUMNS);
    int p = bound.functionals();
    DataBlock block = blocks().get(2);
    Anchors anchors = bound.anchorsAt(block, reference);
    for (int row = 0; row < ROWS; row++) {
      double[] theta = away(0.3);
      double[][] v = new double[p][dimension];
      for (int j = 0; j < dimension; j++) {
        double[] unit = new double[dimension];
        unit[j] = 1;
        for (int k = 0; k < p; k++) {
          v[k][j] = bound.functional(block, row, k, unit, 0);
        }
      }
      double[] moved = theta.clone();
      double[] direction = RandomBlocks.normal(random, dimension, 1);
      removeComponents(direction, v);
      Arrays.setAll(moved, j -> moved[j] + direction[j]);
      double gap = bound.gap(block, row, theta, anchors);
      assertEquals(gap, bound.gap(block, row, moved, anchors), 1e-9 * (1 + gap));
    }
  }

  /** Leaves what is orthogonal to all v, which span orthogonal or equal directions. */
  private static void removeComponents(double[] direction, double[][] v) {
    for (double[] u : v) {
      double squares = 0;
      double product = 0;
      for (int j = 0; j < u.length; j++) {
        squares += u[j] * u[j];
        product += u[j] * direction[j];
      }
      for (int j = 0; j < u.length && squares > 0; j++) {
        direction[j] -= product / squares * u[j];
      }
    }
  }

  @Test
  void theBoundIsTightAtTheReference() {
    LowerBound bound = bound(COLUMNS);
    for (DataBlock block : blocks()) {
      Anchors anchors = bound.anchorsAt(block, reference);
      CollapsedQuadratic sum = new CollapsedQuadratic(reference);
      bound.collapse(block, anchors, sum);
      double[] logLikelihood = new double[1];
      model(COLUMNS).addLogLikelihoods(block, new double[][] {reference}, logLikelihood);
      assertEquals(logLikelihood[0], sum.value(reference), 1e-12 * Math.abs(logLikelihood[0]));
      double[] gradient = new double[dimension];
      for (int row = 0; row < ROWS; row++) {
        assertEquals(0, bound.gapGradient(block, row, reference, anchors, gradient));
        assertArrayEquals(new double[dimension], gradient, 1e-13);
      }
    }
  }

  @Test
  void collapsedIsTheSumOfTheRowsAboutAnyOrigin() {
    LowerBound bound = bound(COLUMNS);
    Model model = model(COLUMNS);
    for (DataBlock block : blocks()) {
      for (Anchors anchors : anchors(bound, block)) {
        for (double[] origin : new double[][] {reference, new double[dimension], away(3)}) {
          CollapsedQuadratic sum = new CollapsedQuadratic(origin);
          bound.collapse(block, anchors, sum);
          for (double scale : new double[] {0, 1e-3, 0.1, 1, 30}) {
            double[] theta = away(scale);
            double expected = 0;
            double magnitude = 1;
            double[] expectedGradient = new double[dimension];
            for (int row = 0; row < ROWS; row++) {
              double[] gapGradient = new double[dimension];
              double logL = model.addGradient(block, row, theta, expectedGradient);
              double gap = bound.gapGradient(block, row, theta, anchors, gapGradient);
              expected += logL - gap;
              magnitude += Math.abs(logL) + gap;
              Arrays.setAll(expectedGradient, subtract(expectedGradient, gapGradient));
            }
            double[] gradient = new double[dimension];
            double error = collapsedError() * magnitude;
            QuadraticForm form = bound.inItsCoordinates(sum).form();
            assertEquals(expected, form.addGradient(theta, gradient), error);
            assertArrayEquals(expectedGradient, gradient, error);
          }
        }
      }
    }
  }

  @Test
  void aWeightMultipliesTheGapAndItsGradient() {
    LowerBound bound = bound(COLUMNS);
    DataBlock plain = blocks().get(0);
    DataBlock weighted = blocks().get(2);
    Anchors anchors = bound.anchorsAt(plain, reference);
    double[] theta = away(0.5);
    double[] g = new double[dimension];
    double[] gw = new double[dimension];
    for (int row = 0; row < ROWS; row++) {
      double w = weighted.weight(row);
      double gap = bound.gapGradient(plain, row, theta, anchors, g);
      assertEquals(w * gap, bound.gapGradient(weighted, row, theta, anchors, gw), 1e-14 * w * gap);
      for (int j = 0; j < dimension; j++) {
        assertEquals(w * g[j], gw[j], 1e-14 * Math.abs(w * g[j]));
      }
    }
  }

  @Test
  void theGradientAgreesWithDifferencesAndReplacesWhatWasThere() {
    LowerBound bound = bound(COLUMNS);
    for (DataBlock block : blocks()) {
      for (Anchors anchors : anchors(bound, block)) {
        for (double scale : new double[] {1e-3, 0.05, 1, 20}) {
          double[] theta = away(scale);
          double[] gradient = RandomBlocks.normal(random, dimension, 5);
          for (int row = 0; row < ROWS; row++) {
            double gap = bound.gapGradient(block, row, theta, anchors, gradient);
            assertEquals(bound.gap(block, row, theta, anchors), gap);
            for (int j = 0; j < dimension; j++) {
              int r = row;
              double expected =
                  Differences.central(
                      t -> bound.gap(block, r, t, anchors), theta, j, 1e-4 * (1 + scale));
              assertEquals(expected, gradient[j], 1e-6 * (1 + Math.abs(expected) + gap));
            }
          }
        }
      }
    }
  }

  /** Of no rows, of one, and of many, the same row twice among them and another left out. */
  @Test
  void ratiosOfSomeRowsAreThoseOfTheirGaps() {
    LowerBound bound = bound(COLUMNS);
    int[] rows = new int[ROWS + 2];
    Arrays.setAll(rows, i -> (i + 3) % (ROWS - 1));
    int[][] ranges = {{2, 2}, {4, 5}, {1, 8}, {0, rows.length}};
    for (DataBlock block : blocks()) {
      for (Anchors anchors : anchors(bound, block)) {
        for (double scale : new double[] {0, 1e-3, 0.05, 1, 20}) {
          double[] theta = away(scale);
          for (int[] range : ranges) {
            double[] slack = new double[range[1] - range[0]];
            assertRatios(bound, block, anchors, null, theta, rows, range[0], range[1]);
            assertRatios(bound, block, anchors, slack, theta, rows, range[0], range[1]);
            Arrays.setAll(slack, i -> 0.1 * i);
            assertRatios(bound, block, anchors, slack, theta, rows, range[0], range[1]);
          }
        }
      }
    }
  }

  private void assertRatios(
      LowerBound bound,
      DataBlock block,
      Anchors anchors,
      double @Nullable [] slack,
      double[] theta,
      int[] rows,
      int from,
      int to) {
    double[] expected = new double[rows.length];
    double[] expectedGradient = RandomBlocks.normal(random, dimension, 1);
    double[] gradient = expectedGradient.clone();
    double[] magnitude = new double[dimension];
    for (int i = from; i < to; i++) {
      double[] ofGap = new double[dimension];
      double gap = bound.gapGradient(block, rows[i], theta, anchors, ofGap);
      gap += slack == null ? 0 : slack[i - from];
      expected[i] = StableMath.logExpm1(gap);
      for (int j = 0; j < dimension && gap > 0; j++) {
        double term = StableMath.logExpm1Derivative(gap) * ofGap[j];
        expectedGradient[j] += term;
        magnitude[j] += Math.abs(term);
      }
    }
    double[] values = new double[rows.length];
    bound.logRatios(block, rows, from, to, theta, anchors, slack, values, null);
    assertArrayEquals(expected, values, "the bits of one row at a time");
    double[] withGradient = new double[rows.length];
    bound.logRatios(block, rows, from, to, theta, anchors, slack, withGradient, gradient);
    assertArrayEquals(expected, withGradient, "and with a gradient");
    for (int j = 0; j < gradient.length; j++) {
      assertEquals(expectedGradient[j], gradient[j], 1e-12 * (1 + magnitude[j]));
    }
  }

  @Test
  void collapsingTwiceDoubles() {
    LowerBound bound = bound(COLUMNS);
    DataBlock block = blocks().get(3);
    CollapsedQuadratic once = new CollapsedQuadratic(reference);
    CollapsedQuadratic twice = new CollapsedQuadratic(reference);
    Anchors anchors = bound.anchorsAt(block, reference);
    bound.collapse(block, anchors, once);
    bound.collapse(block, anchors, twice);
    bound.collapse(block, anchors, twice);
    for (int k = 0; k < once.packed().length; k++) {
      double expected = 2 * once.packed()[k];
      assertEquals(expected, twice.packed()[k], 1e-12 * (1 + Math.abs(expected)));
    }
  }

  private static IntToDoubleFunction subtract(double[] a, double[] b) {
    return j -> a[j] - b[j];
  }
}
