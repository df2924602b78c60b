package org.lampyris.samplers.mhss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel.Transition;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

/** What a step looks at, counts and refuses. Logistic regression with two coefficients. */
class SubsampledKernelTest {
  private static final double[] TRUTH = {0.3, -0.8};
  private static final double[] CENTER = {0.28, -0.75};
  private static final int BLOCK_ROWS = 256;

  private final Model model = new LinearModel(new LogisticLikelihood(), 2);
  private final Prior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 2), 2);
  private final List<DataBlock> blocks = blocks(2000);

  private static List<DataBlock> blocks(int rows) {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int first = 0; first < rows; first += BLOCK_ROWS) {
      int count = Math.min(BLOCK_ROWS, rows - first);
      double[] x = new double[2 * count];
      double[] y = new double[count];
      for (int i = 0; i < count; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = ZigguratSampler.NormalizedGaussian.of(rng).sample();
        double eta = TRUTH[0] + TRUTH[1] * x[2 * i + 1];
        y[i] = rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1;
      }
      blocks.add(new DenseBlock(first / BLOCK_ROWS, 2, x, y, null));
    }
    return blocks;
  }

  private double[] covariance() {
    return new double[] {0.0025, 0, 0, 0.0032};
  }

  private TaylorProxy proxy(int order, double radius) {
    return new TaylorProxy(model, order, new LaplaceApproximation(CENTER, covariance()), radius);
  }

  /** Rows that note what is asked for. */
  private static final class Noting implements PointRows {
    private final PointRows rows;
    private long named;
    private long distinct;
    private int passes;

    Noting(PointRows rows) {
      this.rows = rows;
    }

    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      long[] last = {-1};
      rows.visit(
          iteration,
          height,
          (block, row, h) -> {
            named++;
            long id = block.id() * BLOCK_ROWS + row;
            distinct += id == last[0] ? 0 : 1;
            last[0] = id;
            return visitor.point(block, row, h);
          });
    }

    @Override
    public double differences(double[] from, double[] to) {
      passes++;
      return rows.differences(from, to);
    }
  }

  private List<ProxyBlock> blocks(TaylorProxy proxy) {
    return blocks.stream().map(block -> ProxyBlock.of(proxy, block)).toList();
  }

  private Noting noting(TaylorProxy proxy) {
    return new Noting(
        new InMemoryPointRows(proxy, blocks(proxy), new PointStream(new Streams(8), 1, 32, 5)));
  }

  private SubsampledKernel kernel(TaylorProxy proxy, PointRows rows, RowDecision test) {
    CollapsedQuadratic collapsed = proxy.emptySum();
    blocks.forEach(block -> proxy.collapse(block, collapsed));
    return new SubsampledKernel(
        proxy, prior, collapsed, rows, ProxyBlocks.size(blocks(proxy)), test);
  }

  private double logPosterior(double[] theta) {
    double[] sum = {prior.logDensity(theta)};
    blocks.forEach(block -> model.addLogLikelihoods(block, new double[][] {theta}, sum));
    return sum[0];
  }

  @Test
  void evaluationsAreTwoForEachRowLookedAt() {
    TaylorProxy proxy = proxy(1, Double.POSITIVE_INFINITY);
    Noting rows = noting(proxy);
    SubsampledKernel kernel = kernel(proxy, rows, new RowDecision.Scalable(false));
    RandomWalk walk = new RandomWalk(Factors.choleskyOf(covariance(), 2), 1.5);
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.THETA, 1, 0, 0);
    Point point = kernel.init(CENTER).state();
    long evaluations = 0;
    for (int iteration = 1; iteration <= 2000; iteration++) {
      Transition<Point> transition = kernel.step(point, iteration, walk, rng);
      evaluations += transition.info().likelihoodEvaluations();
      point = transition.state();
    }
    assertEquals(2 * rows.distinct, evaluations);
    assertTrue(rows.named > rows.distinct && rows.distinct > 1000, rows.named + " points");
    assertEquals(0, rows.passes);
  }

  /** With the proxies first a rejected proposal costs nothing, and a rejection ends the looking. */
  @Test
  void whatIsDecidedIsNotLookedAt() {
    TaylorProxy proxy = proxy(2, Double.POSITIVE_INFINITY);
    double[] far = {0.28 + 0.4, -0.75 - 0.4};
    Noting rows = noting(proxy);
    SubsampledKernel kernel = kernel(proxy, rows, new RowDecision.Factorised());
    Point begin = kernel.init(CENTER).state();
    Transition<Point> refused = kernel.decide(begin, far, 0, 1, p -> false);
    assertSame(begin, refused.state());
    assertEquals(0, refused.info().likelihoodEvaluations());
    assertEquals(0, refused.info().acceptanceProbability());
    assertEquals(0, rows.named);
    // Orders 1 and far away: a first point rejects sooner or later, and is the last one.
    TaylorProxy line = proxy(1, Double.POSITIVE_INFINITY);
    Noting manyPoints = noting(line);
    SubsampledKernel factorised = kernel(line, manyPoints, new RowDecision.Factorised());
    Noting all = noting(line);
    SubsampledKernel whole = kernel(line, all, new RowDecision.Scalable(true));
    double[] away = {0.28 + 0.15, -0.75 - 0.15};
    Transition<Point> stopped =
        factorised.decide(factorised.init(CENTER).state(), away, 99, 1, p -> true);
    whole.decide(whole.init(CENTER).state(), away, 99, 1, p -> true);
    assertEquals(0, stopped.info().acceptanceProbability());
    assertTrue(manyPoints.named < all.named, manyPoints.named + " of " + all.named);
  }

  /** Where more points than rows are to be expected, the step is Metropolis–Hastings's. */
  @Test
  void farProposalsAreDecidedByAllRows() {
    for (int order : new int[] {1, 2}) {
      TaylorProxy proxy = proxy(order, Double.POSITIVE_INFINITY);
      Noting rows = noting(proxy);
      SubsampledKernel kernel = kernel(proxy, rows, new RowDecision.Factorised());
      double[] from = {5, -4};
      double[] to = {6, -3};
      double[] probability = new double[1];
      Transition<Point> there =
          kernel.decide(kernel.init(from).state(), to, 0, 1, p -> (probability[0] = p) >= 0);
      double expected = Math.exp(Math.min(0, logPosterior(to) - logPosterior(from)));
      assertEquals(1, rows.passes);
      assertEquals(2 * 2000, there.info().likelihoodEvaluations());
      assertEquals(expected, probability[0], 1e-8 * expected);
      kernel.decide(kernel.init(to).state(), from, 0, 1, p -> (probability[0] = p) >= 0);
      expected = Math.exp(Math.min(0, logPosterior(from) - logPosterior(to)));
      assertEquals(expected, probability[0], 1e-8 * expected);
      assertEquals(2, rows.passes);
    }
  }

  /**
   * Over the points as they are drawn, E[W] = Π e^δ for scalable subsampling, and the factorised
   * test is passed with probability Π min(1, e^δ). False-alarm rate at 5 standard errors: 10⁻⁶.
   */
  @Test
  void thePointsEstimateWhatTheProxiesLeaveOver() {
    TaylorProxy proxy = proxy(1, Double.POSITIVE_INFINITY);
    PointRows rows = noting(proxy);
    double[] from = {0.28 + 0.05, -0.75 + 0.02};
    double[] to = {0.28 - 0.04, -0.75 - 0.06};
    double height = proxy.factor(from, to);
    double exact = rows.differences(from, to);
    double passes = 1;
    for (DataBlock block : blocks) {
      for (int row = 0; row < block.rows(); row++) {
        double delta = proxy.remainder(block, row, to) - proxy.remainder(block, row, from);
        passes *= Math.min(1, Math.exp(delta));
      }
    }
    isMean(Math.exp(exact), new RowDecision.Scalable(true), proxy, rows, from, to, height);
    isMean(passes, new RowDecision.Factorised(), proxy, rows, from, to, height);
  }

  private static void isMean(
      double expected,
      RowDecision test,
      TaylorProxy proxy,
      PointRows rows,
      double[] from,
      double[] to,
      double height) {
    int replicates = 4000;
    double sum = 0;
    double squares = 0;
    for (int iteration = 1; iteration <= replicates; iteration++) {
      RowDecision.Factor factor = test.begin();
      rows.visit(
          iteration,
          height,
          (block, row, h) -> {
            double limit = block.constant(row) * height;
            double delta = proxy.difference(block.data(), row, from, to, limit);
            return factor.point(delta / limit, h / height);
          });
      double w = Math.exp(factor.log());
      sum += w;
      squares += w * w;
    }
    double mean = sum / replicates;
    double error = Math.sqrt((squares / replicates - mean * mean) / replicates);
    assertTrue(error > 0 && error < 0.05 * expected, test + ": standard error " + error);
    assertEquals(expected, mean, 5 * error, test.toString());
  }

  @Test
  void theSameSeedMakesTheSameChain() {
    TaylorProxy proxy = proxy(2, Double.POSITIVE_INFINITY);
    CrankNicolson proposal = new CrankNicolson(CENTER, Factors.choleskyOf(covariance(), 2), 0.9);
    double[][] last = new double[2][];
    for (int run = 0; run < 2; run++) {
      ChainTrace trace =
          new ChainRunner(
                  new ChainRunner.Length(50, 400, 1, 0.8), new Streams(8), (c, i, info) -> {})
              .run(
                  1,
                  kernel(proxy, noting(proxy), new RowDecision.Scalable(true)),
                  proposal,
                  CENTER);
      last[run] = trace.draws().get(399);
      double accepted =
          trace.sampling().stream()
              .mapToDouble(iteration -> iteration.info().acceptanceProbability())
              .average()
              .orElseThrow();
      assertTrue(accepted > 0.7, "accepted " + accepted);
    }
    assertArrayEquals(last[0], last[1]);
  }

  @Test
  void theBallIsTheSupport() {
    TaylorProxy proxy = proxy(2, 3);
    SubsampledKernel kernel = kernel(proxy, noting(proxy), new RowDecision.Scalable(true));
    double[] outside = {0.28 + 0.2, -0.75};
    Point begin = kernel.init(CENTER).state();
    assertSame(begin, kernel.decide(begin, outside, 1e6, 1, p -> true).state());
    double[] nowhere = {Double.NaN, 0};
    assertSame(begin, kernel.decide(begin, nowhere, 0, 1, p -> true).state());
  }

  @Test
  void aKernelWithAGradientIsRefused() {
    TaylorProxy proxy = proxy(2, Double.POSITIVE_INFINITY);
    SubsampledKernel kernel = kernel(proxy, noting(proxy), new RowDecision.Scalable(true));
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.THETA, 1, 0, 0);
    Point begin = kernel.init(CENTER).state();
    Hmc hmc = new Hmc(Preconditioner.identity(2), 0.1, 3);
    UserException e = assertThrows(UserException.class, () -> kernel.step(begin, 1, hmc, rng));
    assertTrue(String.valueOf(e.getMessage()).contains("random-walk"), e.getMessage());
  }
}
