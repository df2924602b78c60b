package org.lampyris.samplers.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StateContract;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** The target of the difference estimator, with all subsets of a small table enumerated. */
class DifferenceEstimatorTest {
  private static final int ROWS = 8;
  private static final int BATCH = 3;
  private static final int BLOCKS = 2;
  private static final double[] X = {0.3, -1.1, 0.9, 1.6, -0.4, 2.1, 0.1, -0.8};
  private static final double[] Y = {1, 0, 2, 4, 1, 3, 0, 1};
  private static final DataBlock BLOCK = new DenseBlock(0, 1, X, Y, null);
  private static final LinearModel MODEL =
      new LinearModel(new PoissonFamily.PoissonLikelihood(), 1);
  private static final UnivariatePrior PRIOR = new UnivariatePrior.Normal(0, 1);

  /** Not quite at the mode, so that slopes are left over. */
  private static final double[] CENTER = {0.4};

  private static double[] remainders(double theta) {
    double[] of = new double[ROWS];
    for (int n = 0; n < ROWS; n++) {
      double eta = X[n] * theta;
      double at = X[n] * CENTER[0];
      double step = eta - at;
      of[n] = -Math.exp(eta) + Math.exp(at) * (1 + step + 0.5 * step * step);
    }
    return of;
  }

  /** Returns log p(θ) + log E e^l̂, up to a constant. */
  private static double logTarget(double theta) {
    return logTarget(theta, 1);
  }

  /** Returns the same for independent blocks, whose shares of l̂ add up. */
  private static double logTarget(double theta, int blocks) {
    double[] r = remainders(theta);
    double sum = 0;
    int subsets = 0;
    double share = ROWS / (double) blocks;
    for (int i = 0; i < ROWS; i++) {
      for (int j = i + 1; j < ROWS; j++) {
        for (int k = j + 1; k < ROWS; k++) {
          double mean = (r[i] + r[j] + r[k]) / BATCH;
          double squares =
              Math.pow(r[i] - mean, 2) + Math.pow(r[j] - mean, 2) + Math.pow(r[k] - mean, 2);
          double variance = share * share * squares / 2 / BATCH * (1 - BATCH / (double) ROWS);
          sum += Math.exp(share * mean - 0.5 * variance);
          subsets++;
        }
      }
    }
    return PRIOR.logDensity(theta) + proxies(theta) + blocks * Math.log(sum / subsets);
  }

  private static double proxies(double theta) {
    double sum = 0;
    double[] r = remainders(theta);
    for (int n = 0; n < ROWS; n++) {
      sum += Y[n] * X[n] * theta - Math.exp(X[n] * theta) - r[n];
    }
    return sum;
  }

  /** Returns mean and variance by the trapezoidal rule. */
  private static double[] moments(java.util.function.DoubleUnaryOperator logDensity) {
    double[] sums = new double[3];
    for (double theta = -3; theta <= 4; theta += 0.002) {
      double density = Math.exp(logDensity.applyAsDouble(theta));
      sums[0] += density;
      sums[1] += density * theta;
      sums[2] += density * theta * theta;
    }
    double mean = sums[1] / sums[0];
    return new double[] {mean, sums[2] / sums[0] - mean * mean};
  }

  @Test
  void itsTargetIsTheDeclaredOne() {
    BatchRows rows = Population.rows(BLOCK, 3);
    Remainders remainders = remainders(rows);
    EstimateAlgorithm.Kernel kernel =
        new EstimateAlgorithm.Kernel(
            ProductPrior.shared(PRIOR, 1),
            rows,
            new DifferenceEstimator.Difference(remainders, CENTER, BATCH));
    RandomWalk walk = new RandomWalk(Preconditioner.identity(1), 0.5);
    Point point = Point.at(CENTER);
    double[] sums = new double[2];
    int draws = 400_000;
    for (int i = 1; i <= draws; i++) {
      UniformRandomProvider rng = new Streams(5).iteration(1, i);
      TransitionKernel.Transition<Point> made = kernel.step(point, i, walk, rng);
      point = made.state();
      double theta = point.theta()[0];
      sums[0] += theta / draws;
      sums[1] += theta * theta / draws;
    }
    double[] target = moments(DifferenceEstimatorTest::logTarget);
    double variance = sums[1] - sums[0] * sums[0];
    assertEquals(target[0], sums[0], 0.03 * Math.sqrt(target[1]));
    assertEquals(1, variance / target[1], 0.03);
    double[] posterior =
        moments(
            theta -> {
              double sum = PRIOR.logDensity(theta) + proxies(theta);
              for (double r : remainders(theta)) {
                sum += r;
              }
              return sum;
            });
    assertTrue(
        Math.abs(posterior[1] / target[1] - 1) > 0.06, "the rule is told from the posterior");
  }

  private static Remainders remainders(BatchRows rows) {
    LaplaceApproximation about = new LaplaceApproximation(CENTER, new double[] {0.05});
    return Remainders.about(MODEL, rows, 1, about, Double.POSITIVE_INFINITY);
  }

  /** Moments of chains on (θ, u), within 5 standard errors: a false alarm in a million runs. */
  @ParameterizedTest
  @ValueSource(strings = {"hmc", "slice"})
  void conservedEnergyHasItsTarget(String name) {
    EnergyConserving kernel = conserving();
    Preconditioner unit = Preconditioner.identity(1);
    ThetaKernel theta =
        name.equals("hmc")
            ? new Hmc(unit, 0.35, 3)
            : new Slice(unit, 1, Slice.Directions.COORDINATE, 1, 8);
    EnergyConserving.State state = kernel.init(CENTER).state();
    UniformRandomProvider rng = new Streams(8).iteration(1, 1);
    int draws = 400_000;
    double[] sums = new double[2];
    for (int i = 1; i <= draws; i++) {
      state = kernel.step(state, i, theta, rng).state();
      double at = state.point().theta()[0];
      sums[0] += at / draws;
      sums[1] += at * at / draws;
    }
    double[] target = moments(at -> logTarget(at, BLOCKS));
    assertEquals(target[0], sums[0], 0.015 * Math.sqrt(target[1]));
    assertEquals(1, (sums[1] - sums[0] * sums[0]) / target[1], 0.02);
    double[] ofOneBlock = moments(DifferenceEstimatorTest::logTarget);
    assertTrue(Math.abs(ofOneBlock[1] / target[1] - 1) > 0.03, "blocks matter");
  }

  /** The gradient is the slope of the value for the same rows, which conserves energy. */
  @Test
  void energyAndGradientAreOfTheSameRows() {
    LogDensity given = conserving().given(new long[] {4, 9});
    for (double at : new double[] {-0.7, 0.4, 0.9, 2}) {
      double[] gradient = new double[1];
      double value = given.valueAndGradient(new double[] {at}, gradient);
      assertEquals(value, given.value(new double[] {at}), 1e-12 * Math.abs(value));
      double h = 1e-5;
      double slope =
          (given.value(new double[] {at + h}) - given.value(new double[] {at - h})) / (2 * h);
      assertEquals(slope, gradient[0], 1e-7 * (1 + Math.abs(slope)));
    }
  }

  /** Returns rows of which an iteration has one of the 56 batches: fast permutations. */
  private static BatchRows batches() {
    List<int[]> subsets = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      for (int j = i + 1; j < ROWS; j++) {
        for (int k = j + 1; k < ROWS; k++) {
          subsets.add(new int[] {i, j, k});
        }
      }
    }
    int[] every = IntStream.range(0, ROWS).toArray();
    return BatchRows.of(
        ROWS,
        (iteration, low, high, term) -> {
          int drawn = new SplittableRandom(iteration).nextInt(subsets.size());
          double[] out = new double[term.length()];
          term.addTo(BLOCK, high == ROWS ? every : subsets.get(drawn), out);
          return out;
        });
  }

  private static EnergyConserving conserving() {
    BatchRows rows = batches();
    Remainders remainders = remainders(rows);
    return new EnergyConserving(ProductPrior.shared(PRIOR, 1), rows, remainders, BATCH, BLOCKS);
  }

  /** Two steps from one state agree, and a checkpoint holds which rows are drawn. */
  @Nested
  class States extends StateContract<EnergyConserving.State> {
    @Override
    protected TransitionKernel<EnergyConserving.State> kernel(int chain) {
      return conserving();
    }

    @Override
    protected List<ThetaKernel> thetaKernels() {
      return List.of(new Hmc(Preconditioner.identity(1), 0.3, 3));
    }

    @Override
    protected double[] start() {
      return CENTER;
    }
  }

  /** On 2,000 rows the remainders are small: the chosen batch has the variance that was asked. */
  @Test
  void theBatchHasTheVarianceThatIsAsked() {
    MemoryRun run =
        new MemoryRun(
            LogisticTable.blocks(200, 2000, false), List.of("(Intercept)", "a", "b"), Map.of());
    double before = Double.POSITIVE_INFINITY;
    for (double wanted : new double[] {1e-6, 1e-4, 1e-2}) {
      RunResult result =
          run.run(
              Map.of(
                  "algorithm", "difference-estimator",
                  "draws", 20,
                  "warmup", 20,
                  "chains", 1,
                  "baseline", MemoryRun.mapping(Map.of("variance", wanted))));
      Decision chosen =
          result.decisions().stream()
              .filter(one -> one.topic().equals("batch"))
              .findFirst()
              .orElseThrow();
      double batch = chosen.figures().getOrDefault("batch", 0.0);
      double variance = chosen.figures().getOrDefault("variance", 0.0);
      assertTrue(batch >= 2 && batch < before, chosen.text());
      assertTrue(batch == 2 || (variance <= wanted && variance > 0.9 * wanted), chosen.text());
      before = batch;
    }
  }
}
