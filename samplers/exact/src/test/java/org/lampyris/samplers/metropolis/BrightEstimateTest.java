package org.lampyris.samplers.metropolis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.random.Streams;

/** Four observations of a location with Student's t for errors. */
class BrightEstimateTest {
  private static final double[] Y = {-0.9, 0.6, 1.3, 2.4};
  private static final int N = Y.length;
  private static final DataBlock BLOCK = new DenseBlock(0, 1, ones(), Y, null);
  private static final RobustFamily.RobustLikelihood STUDENT =
      new RobustFamily.RobustLikelihood(4, 1.2);
  private static final LinearModel MODEL = new LinearModel(STUDENT, 1);
  private static final RobustFamily.StudentBound BOUND = new RobustFamily.StudentBound(STUDENT, 1);

  private static double[] ones() {
    double[] x = new double[N];
    Arrays.fill(x, 1);
    return x;
  }

  private static BrightEstimate estimate(double anchor) {
    BrightEstimate about = BrightEstimate.of(BOUND, anchor, new CollapsedQuadratic(new double[1]));
    double[] packed = new double[CollapsedQuadratic.packedLength(1)];
    about.collapse(BLOCK, packed);
    return about.with(new CollapsedQuadratic(new double[1], packed));
  }

  private static double logLikelihood(double theta) {
    double[] sum = new double[1];
    MODEL.addLogLikelihoods(BLOCK, new double[][] {{theta}}, sum);
    return sum[0];
  }

  private static final BatchRows ROWS = Population.rows(BLOCK, 3);

  /** ∫ B dy by the midpoint rule. */
  @Test
  void theIntegralIsThatOfTheBound() {
    for (double anchor : new double[] {0, 0.7, 3}) {
      double xi = anchor;
      double slope = (4 + 1) / (4 * 1.2 * 1.2 + xi * xi);
      double sum =
          IntStream.range(0, 40_000)
              .mapToDouble(i -> -20 + (i + 0.5) * 0.001)
              .map(r -> STUDENT.logLikelihood(0, xi) - 0.5 * slope * (r * r - xi * xi))
              .map(Math::exp)
              .sum();
      assertEquals(Math.log(sum * 0.001), BOUND.logIntegral(anchor).orElseThrow(), 1e-6);
    }
  }

  /** Over all 2⁴ ways to be bright: E γ̂ = Π L, and the variance of log γ̂ is the formula's. */
  @Test
  void itIsUnbiasedAndItsVarianceIsKnown() {
    double theta = 0.8;
    BrightEstimate estimate = estimate(1.1);
    double bright = estimate.probability();
    double mean = 0;
    double[] moments = new double[2];
    for (int z = 0; z < 1 << N; z++) {
      int subset = z;
      double value = 0;
      for (int n = 0; n < N; n++) {
        double[] one = {Double.NaN};
        BOUND.logRatios(
            BLOCK, new int[] {n}, 0, 1, new double[] {theta}, estimate.anchors(), null, one, null);
        value += (subset >> n & 1) == 1 ? one[0] - Math.log(bright) : -estimate.logDark();
      }
      value += estimate.collapsed().value(new double[] {theta});
      int size = Integer.bitCount(subset);
      double probability = Math.pow(bright, size) * Math.pow(1 - bright, N - size);
      mean += probability * Math.exp(value - logLikelihood(theta));
      moments[0] += probability * value;
      moments[1] += probability * value * value;
    }
    assertEquals(1, mean, 1e-10);
    double spread = estimate.spread(BLOCK, new double[] {theta});
    assertEquals(moments[1] - moments[0] * moments[0], bright * (1 - bright) * spread, 1e-9);
  }

  /** The draw is one of those ways: 60,000 of them, an error of about 1 %. */
  @Test
  void itsRowsAreBrightAsOftenAsTheyShould() {
    BrightEstimate estimate = estimate(1.1);
    double[][] theta = {{0.8}};
    double sum = 0;
    double evaluations = 0;
    int repetitions = 60_000;
    for (int i = 1; i <= repetitions; i++) {
      var made = estimate.of(theta, i, ROWS, new Streams(5).iteration(1, i));
      sum += Math.exp(made.values()[0] - logLikelihood(0.8));
      evaluations += made.evaluations();
    }
    assertEquals(1, sum / repetitions, 0.05);
    assertEquals(N * estimate.probability(), evaluations / repetitions, 0.02);
  }

  /** Mean and sd by quadrature; 300,000 draws with an autocorrelation time of some hundreds. */
  @Test
  void theTargetIsThePosterior() {
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 3), 1);
    double[] sums = new double[3];
    for (int i = 0; i < 4000; i++) {
      double theta = -6 + i * 0.003;
      double weight = Math.exp(logLikelihood(theta) + prior.logDensity(new double[] {theta}));
      sums[0] += weight;
      sums[1] += weight * theta;
      sums[2] += weight * theta * theta;
    }
    double mean = sums[1] / sums[0];
    double sd = Math.sqrt(sums[2] / sums[0] - mean * mean);
    ChainTrace trace =
        new ChainRunner(
                new ChainRunner.Length(100, 300_000, 1, 0.4), new Streams(3), (c, i, info) -> {})
            .run(
                1,
                new EstimateAlgorithm.Kernel(prior, ROWS, estimate(1.1)),
                new RandomWalk(Preconditioner.identity(1), 1),
                new double[] {mean});
    double[] draws = trace.draws().stream().mapToDouble(theta -> theta[0]).toArray();
    double found = Arrays.stream(draws).average().orElseThrow();
    double spread =
        Math.sqrt(Arrays.stream(draws).map(x -> (x - found) * (x - found)).average().orElseThrow());
    assertEquals(mean, found, 0.08 * sd);
    assertEquals(sd, spread, 0.08 * sd);
  }
}
