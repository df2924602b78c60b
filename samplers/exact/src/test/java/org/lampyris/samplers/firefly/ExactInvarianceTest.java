package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.firefly.EnumeratedChance.Fault;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.random.Streams;

/**
 * The (θ, z) chain on a model small enough to enumerate: five rows, one coefficient on a grid. The
 * transition matrix is added up from the very code that samples, over all ways its random decisions
 * can fall, and must leave the joint posterior p(θ) Π (L_n − B_n)^z_n B_n^(1 − z_n) as it is.
 */
class ExactInvarianceTest {
  private static final double[] X = {0.9, -1.7, 2.2, 0.4, -0.6};
  private static final double[] Y = {1, 1, -1, 1, -1};
  private static final double[] GRID = {-2.1, -1.2, -0.4, 0.35, 0.8, 1.9};
  private static final int N = X.length;
  private static final int SETS = 1 << N;
  private static final double TOLERANCE = 1e-14;
  private static final BrightnessKernel IMPLICIT = new ImplicitBrightness();

  private final DataBlock data = new DenseBlock(0, 1, X, Y, null);
  private final JaakkolaJordanBound bound = new JaakkolaJordanBound(1);
  // Anchors of which none is at a grid point, so that every gap is positive.
  private final Anchors anchors = Anchors.perRow(new double[] {0.3, 1.1, 0.9, 0.05, 2}, 1);
  private final UnivariatePrior.Normal prior = new UnivariatePrior.Normal(0.2, 1.5);
  private final double[] joint = joint(new double[N]);

  @Test
  void implicitWithOneRateLeavesTheJointPosteriorInvariant() {
    for (double q : new double[] {0.05, 0.5, 1}) {
      BoundBlock block = block(new BlockRates.Uniform(q, N));
      assertInvariant(times(zMatrix(block, IMPLICIT, 0), thetaMatrix()), "q = " + q);
    }
  }

  @Test
  void implicitWithPerRowRatesLeavesTheJointPosteriorInvariant() {
    BoundBlock block = block(GivenRates.of(0.02, 0.3, 0.9, 1, 0.0004));
    assertInvariant(times(zMatrix(block, IMPLICIT, 0), thetaMatrix()), "per row");
  }

  @Test
  void bothRatesOfImplicitLeaveTheJointPosteriorInvariant() {
    BoundBlock block = block(GivenRates.of(0.02, 0.3, 0.9, 1, 0.0004));
    for (double dark : new double[] {0.03, 0.5, 1}) {
      double[][] z = zMatrix(block, new ImplicitBrightness(64, dark), 0);
      assertInvariant(times(z, thetaMatrix()), "q(bright to dark) = " + dark);
    }
  }

  /** Row by row, both probabilities of a change grow with q(bright → dark): 1 mixes best. */
  @Test
  void fewerProposalsToGoDarkChangeBrightnessLessOften() {
    BoundBlock block = block(new BlockRates.Uniform(0.5, N));
    double[][] half = zMatrix(block, new ImplicitBrightness(64, 0.5), 0);
    double[][] whole = zMatrix(block, IMPLICIT, 0);
    double most = 0;
    for (int n = 0; n < N; n++) {
      for (int g = 0; g < GRID.length; g++) {
        for (int from = 0; from < SETS; from++) {
          double changed = changed(half[g * SETS + from], g, from, n);
          double by = changed(whole[g * SETS + from], g, from, n) - changed;
          assertTrue(by > -TOLERANCE, "row " + n);
          most = Math.max(most, by);
        }
      }
    }
    assertTrue(most > 0.4, "" + most);
  }

  /** Returns the probability that a row's brightness is another one afterwards. */
  private static double changed(double[] row, int g, int from, int n) {
    return IntStream.range(0, SETS)
        .filter(to -> ((from ^ to) >> n & 1) == 1)
        .mapToDouble(to -> row[g * SETS + to])
        .sum();
  }

  @Test
  void explicitWithoutReplacementLeavesTheJointPosteriorInvariant() {
    assertInvariant(times(explicit(sizes(0, 0, 1, 0, 0, 0)), thetaMatrix()), "two of five");
  }

  @Test
  void explicitWithReplacementLeavesTheJointPosteriorInvariant() {
    // Three draws with replacement from five: 5, 60 and 60 of 125 have 1, 2 and 3 distinct rows.
    double[] sizes = sizes(0, 5 / 125.0, 60 / 125.0, 60 / 125.0, 0, 0);
    assertInvariant(times(explicit(sizes), thetaMatrix()), "three draws");
  }

  @Test
  void everyTurnOfTheScheduleLeavesTheJointPosteriorInvariant() {
    BrightnessKernel kernel = new ExplicitBrightness(new RowSelection.Scheduled(3, N));
    for (int iteration = 1; iteration <= 3; iteration++) {
      double[][] z = zMatrix(block(null), kernel, iteration);
      assertInvariant(times(z, thetaMatrix()), "turn " + iteration);
    }
  }

  @Test
  void theFullDrawBringsTheConditionalOfBrightnessFromAnywhere() {
    double[][] z = zMatrix(block(null), new ExplicitBrightness(new RowSelection.All()), 0);
    for (int g = 0; g < GRID.length; g++) {
      double marginal = 0;
      for (int set = 0; set < SETS; set++) {
        marginal += joint[g * SETS + set];
      }
      for (int from = 0; from < SETS; from++) {
        for (int to = 0; to < SETS; to++) {
          double expected = joint[g * SETS + to] / marginal;
          assertEquals(expected, z[g * SETS + from][g * SETS + to], TOLERANCE);
        }
      }
    }
  }

  /** A z-step whose accept test has its sign turned must be found out. */
  @Test
  void aTurnedAcceptTestIsFoundOut() {
    BoundBlock block = block(new BlockRates.Uniform(0.5, N));
    double[][] z = zMatrix(block, IMPLICIT, 0, Fault.TURNED);
    assertTrue(violation(times(z, thetaMatrix())) > 0.01);
    BrightnessKernel explicit = new ExplicitBrightness(new RowSelection.All());
    z = zMatrix(block(null), explicit, 0, Fault.TURNED);
    assertTrue(violation(times(z, thetaMatrix())) > 0.01);
  }

  /** Algorithm 2's line 10 as printed accepts a candidate where it should not, and conversely. */
  @Test
  void lineTenAsPrintedIsFoundOut() {
    BoundBlock block = block(new BlockRates.Uniform(0.5, N));
    double[][] z = zMatrix(block, IMPLICIT, 0, Fault.TURNED_FOR_CANDIDATES);
    assertTrue(violation(times(z, thetaMatrix())) > 0.01);
  }

  /** A θ-step that leaves the bright rows out must be found out. */
  @Test
  void aThetaStepWithoutTheBrightRowsIsFoundOut() {
    BoundBlock block = block(new BlockRates.Uniform(0.5, N));
    double[][] theta = thetaMatrix(block, true);
    assertTrue(violation(times(zMatrix(block, IMPLICIT, 0), theta)) > 0.01);
  }

  /**
   * Bounds that are lower by λ_n = 0.7·q_n: another joint posterior, with the same marginal of θ,
   * which every other z-step's misses.
   */
  @Test
  void slackLeavesItsOwnJointPosteriorInvariantAndTheMarginalAsItIs() {
    BlockRates rates = GivenRates.of(0.02, 0.3, 0.9, 1, 0.0004);
    double[] slack = IntStream.range(0, N).mapToDouble(n -> 0.7 * rates.rate(n)).toArray();
    double[] loose = joint(slack);
    for (int g = 0; g < GRID.length; g++) {
      assertEquals(marginal(joint, g), marginal(loose, g), TOLERANCE);
    }
    BoundBlock block = new BoundBlock(data, anchors, rates, 0.7);
    double[][] matrix = times(zMatrix(block, IMPLICIT, 0), thetaMatrix(block, false));
    for (double[] row : matrix) {
      assertEquals(1, Arrays.stream(row).sum(), 1e-12);
    }
    assertEquals(0, violation(loose, matrix), TOLERANCE);
    // Of the one without the other, either would be found out.
    assertTrue(violation(loose, times(zMatrix(block, IMPLICIT, 0), thetaMatrix())) > 0.001);
    assertTrue(violation(loose, times(zMatrix(block(rates), IMPLICIT, 0), thetaMatrix())) > 0.001);
  }

  /**
   * Slack by hazards: 28 for the row that is always a candidate, which is then hardly ever dark.
   */
  @Test
  void slackByHazardLeavesItsOwnJointPosteriorInvariantAndTheMarginalAsItIs() {
    BlockRates rates = GivenRates.of(0.02, 0.3, 0.9, 1, 0.0004);
    double[] slack =
        IntStream.range(0, N).mapToDouble(n -> 0.7 * BlockRates.hazard(rates.rate(n))).toArray();
    double[] loose = joint(slack);
    for (int g = 0; g < GRID.length; g++) {
      assertEquals(marginal(joint, g), marginal(loose, g), TOLERANCE);
    }
    BoundBlock block = new BoundBlock(data, anchors, rates, 0.7, true);
    double[][] matrix = times(zMatrix(block, IMPLICIT, 0), thetaMatrix(block, false));
    assertEquals(0, violation(loose, matrix), TOLERANCE);
    BoundBlock byRate = new BoundBlock(data, anchors, rates, 0.7);
    assertTrue(
        violation(loose, times(zMatrix(block, IMPLICIT, 0), thetaMatrix(byRate, false))) > 0.001);
  }

  private static double marginal(double[] joint, int g) {
    return Arrays.stream(joint, g * SETS, (g + 1) * SETS).sum();
  }

  private double[] joint(double[] slack) {
    double[] weights = new double[GRID.length * SETS];
    for (int g = 0; g < GRID.length; g++) {
      for (int set = 0; set < SETS; set++) {
        double p = Math.exp(prior.logDensity(GRID[g]));
        for (int n = 0; n < N; n++) {
          double s = Y[n] * X[n] * GRID[g];
          double xi = anchors.get(n, 0);
          double a = -Math.tanh(xi / 2) / (4 * xi);
          double c = -a * xi * xi + xi / 2 - Math.log(Math.exp(xi) + 1);
          double likelihood = 1 / (1 + Math.exp(-s));
          double lower = Math.exp(a * s * s + s / 2 + c - slack[n]);
          p *= (set >> n & 1) == 1 ? likelihood - lower : lower;
        }
        weights[g * SETS + set] = p;
      }
    }
    double total = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / total).toArray();
  }

  private BoundBlock block(@Nullable BlockRates rates) {
    return new BoundBlock(data, anchors, rates);
  }

  private static double[] sizes(double... probabilityOfSize) {
    return probabilityOfSize;
  }

  /** The mean of the matrices of all selections, each size with its probability. */
  private double[][] explicit(double[] probabilityOfSize) {
    double[][] mean = new double[joint.length][joint.length];
    for (int subset = 0; subset < SETS; subset++) {
      int size = Integer.bitCount(subset);
      long ofThatSize =
          IntStream.range(0, SETS).filter(other -> Integer.bitCount(other) == size).count();
      double weight = probabilityOfSize[size] / ofThatSize;
      if (weight > 0) {
        double[][] z = zMatrix(block(null), new ExplicitBrightness(new Subset(subset)), 0);
        for (int i = 0; i < mean.length; i++) {
          for (int j = 0; j < mean.length; j++) {
            mean[i][j] += weight * z[i][j];
          }
        }
      }
    }
    return mean;
  }

  private double[][] zMatrix(BoundBlock block, BrightnessKernel kernel, long iteration) {
    return zMatrix(block, kernel, iteration, Fault.NONE);
  }

  private double[][] zMatrix(
      BoundBlock block, BrightnessKernel kernel, long iteration, Fault fault) {
    double[][] matrix = new double[joint.length][joint.length];
    for (int g = 0; g < GRID.length; g++) {
      double[] theta = {GRID[g]};
      for (int from = 0; from < SETS; from++) {
        double[] row = matrix[g * SETS + from];
        int first = g * SETS;
        long[] bright = ids(from);
        EnumeratedChance.forEach(
            List.of(block),
            fault,
            chance -> {
              BrightnessKernel.Update update =
                  new BrightnessKernel.Update(kernel, theta, iteration, 0);
              row[first + set(chance.resample(bound, update, bright))] += chance.probability();
            });
      }
    }
    return matrix;
  }

  private double[][] thetaMatrix() {
    return thetaMatrix(block(null), false);
  }

  /** Random walk on the grid, to either neighbour, on the conditional that the sampler uses. */
  private double[][] thetaMatrix(BoundBlock block, boolean withoutBrightRows) {
    CollapsedQuadratic collapsed = new CollapsedQuadratic(new double[] {0.7});
    bound.collapse(data, anchors, collapsed);
    FireflyPass pass = new FireflyPass(bound, new Streams(1));
    double[][] thetas =
        Arrays.stream(GRID).mapToObj(g -> new double[] {g}).toArray(double[][]::new);
    double[][] matrix = new double[joint.length][joint.length];
    for (int set = 0; set < SETS; set++) {
      long[] bright = ids(set);
      FireflyRows<Brightness> rows = new FireflyRows.InMemory(List.of(block), pass);
      if (withoutBrightRows) {
        rows =
            new ScriptedRows(
                (before, question) ->
                    new FireflyRows.Answered<>(
                        before, FireflyRows.Answer.of(question, List.of(), 1)));
      }
      LogDensity target =
          TinyConditional.of(
              ProductPrior.shared(prior, 1), collapsed, rows, TinyModel.brightness(bright));
      double[] log = new double[GRID.length];
      target.values(thetas, log);
      for (int g = 0; g < GRID.length; g++) {
        double stay = 1;
        for (int to : new int[] {g - 1, g + 1}) {
          if (to >= 0 && to < GRID.length) {
            double move = 0.5 * Metropolis.acceptanceProbability(log[g], log[to]);
            matrix[g * SETS + set][to * SETS + set] = move;
            stay -= move;
          }
        }
        matrix[g * SETS + set][g * SETS + set] = stay;
      }
    }
    return matrix;
  }

  private void assertInvariant(double[][] matrix, String what) {
    for (double[] row : matrix) {
      assertEquals(1, Arrays.stream(row).sum(), 1e-12, what);
    }
    assertEquals(0, violation(matrix), TOLERANCE, what);
  }

  /** Returns the largest change of the joint posterior by one iteration. */
  private double violation(double[][] matrix) {
    return violation(joint, matrix);
  }

  private static double violation(double[] joint, double[][] matrix) {
    double largest = 0;
    for (int j = 0; j < joint.length; j++) {
      double after = 0;
      for (int i = 0; i < joint.length; i++) {
        after += joint[i] * matrix[i][j];
      }
      largest = Math.max(largest, Math.abs(after - joint[j]));
    }
    return largest;
  }

  private static double[][] times(double[][] a, double[][] b) {
    double[][] product = new double[a.length][a.length];
    for (int i = 0; i < a.length; i++) {
      for (int k = 0; k < a.length; k++) {
        if (a[i][k] != 0) {
          for (int j = 0; j < a.length; j++) {
            product[i][j] += a[i][k] * b[k][j];
          }
        }
      }
    }
    return product;
  }

  private static int[] rows(int set) {
    return IntStream.range(0, N).filter(n -> (set >> n & 1) == 1).toArray();
  }

  private static long[] ids(int set) {
    return TinyModel.ids(rows(set));
  }

  private static int set(long[] ids) {
    return TinyModelZSteps.set(ids);
  }

  /** Selects a fixed set of rows. */
  private record Subset(int set) implements RowSelection {
    @Override
    public void select(
        List<BoundBlock> blocks, int chain, long iteration, long size, LongConsumer selected) {
      Arrays.stream(ids(set)).forEach(selected);
    }
  }
}
