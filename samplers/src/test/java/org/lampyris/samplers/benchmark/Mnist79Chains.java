package org.lampyris.samplers.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.JaakkolaJordanBound;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.LogisticLikelihood;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.InMemoryFireflyRows;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.SelectionSize;
import org.lampyris.samplers.fulldata.FullDataKernel;
import org.lampyris.samplers.fulldata.InMemoryLikelihoodRows;
import org.lampyris.samplers.fulldata.LikelihoodPass;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.TransitionKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Mnist79;

/** Chains on MNIST 7 against 9 in memory, and how well they mix. */
final class Mnist79Chains {
  static final int CHAINS = 2;
  private static final int D = Mnist79.DIMENSION;
  private static final double FLOOR = 0.1;

  private final Mnist79 data;
  private final Preconditioner laplace;

  Mnist79Chains(Mnist79 data) {
    this.data = data;
    this.laplace = Preconditioner.choleskyOf(data.covariance(), D);
  }

  Mnist79 data() {
    return data;
  }

  Preconditioner laplace() {
    return laplace;
  }

  /** Returns the full-data algorithm of each chain. */
  IntFunction<TransitionKernel> fullData() {
    LikelihoodPass pass = new LikelihoodPass(new LinearModel(new LogisticLikelihood(), D));
    return chain ->
        new FullDataKernel(chain, Mnist79.prior(), new InMemoryLikelihoodRows(data.blocks(), pass));
  }

  /** Returns MAP-tuned Firefly with q_n of each row. */
  IntFunction<TransitionKernel> perRow(double kappa, int thetaSteps) {
    JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
    PerRowRates rates = new PerRowRates(bound, data.mode(), data.covariance(), kappa, FLOOR);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(data.mode());
    double total = 0;
    List<BoundBlock> expected = new ArrayList<>();
    for (var block : data.blocks()) {
      Anchors anchors = bound.anchorsAt(block, data.mode());
      bound.collapse(block, anchors, collapsed);
      expected.add(new BoundBlock(block, anchors, rates.expectedBrightness(block, anchors)));
      total += rates.total(expected.get(expected.size() - 1));
    }
    double mean = total / data.rows();
    List<BoundBlock> blocks = expected.stream().map(b -> rates.withHazards(b, mean)).toList();
    return firefly(bound, collapsed, blocks, new CandidateRates.PerRow(), thetaSteps);
  }

  /** Returns Firefly with one anchor ξ and one rate q for all rows. */
  IntFunction<TransitionKernel> untuned(double anchor, double q) {
    JaakkolaJordanBound bound = new JaakkolaJordanBound(D);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(data.mode());
    Anchors anchors = Anchors.constant(anchor);
    data.blocks().forEach(block -> bound.collapse(block, anchors, collapsed));
    List<BoundBlock> blocks =
        data.blocks().stream().map(block -> new BoundBlock(block, anchors, null)).toList();
    return firefly(bound, collapsed, blocks, new CandidateRates.Uniform(q), 1);
  }

  private static IntFunction<TransitionKernel> firefly(
      JaakkolaJordanBound bound,
      CollapsedQuadratic collapsed,
      List<BoundBlock> blocks,
      CandidateRates rates,
      int thetaSteps) {
    FireflyKernel.ZStep zStep =
        new FireflyKernel.ZStep(new ImplicitBrightness(rates), SelectionSize.fixed(0));
    return chain -> {
      FireflyPass pass = new FireflyPass(bound, new Streams(7));
      InMemoryFireflyRows rows = new InMemoryFireflyRows(blocks, pass);
      return new FireflyKernel(chain, Mnist79.prior(), collapsed, rows, zStep, thetaSteps);
    };
  }

  /**
   * What a kernel reached.
   *
   * @param evaluations likelihood evaluations an iteration
   * @param acceptance mean acceptance probability
   * @param divergent the share of iterations with a divergent trajectory
   * @param stepSize the adapted step size of the first chain
   * @param min the smallest effective sample size of a coefficient's mean, an iteration
   * @param median the median
   * @param mean the mean
   * @param meanError the largest error of a posterior mean, in Monte-Carlo standard errors
   * @param bias the largest error of a posterior mean, in posterior standard deviations
   * @param sdRatio the mean ratio of sd to the reference's
   */
  record Reached(
      double evaluations,
      double acceptance,
      double divergent,
      double stepSize,
      double min,
      double median,
      double mean,
      double meanError,
      double bias,
      double sdRatio,
      double secondsPerIteration) {}

  /** Runs the chains one after the other. */
  Reached run(
      IntFunction<TransitionKernel> algorithm,
      ThetaKernel kernel,
      double target,
      int warmup,
      int draws) {
    Streams streams = new Streams(7);
    ChainRunner runner =
        new ChainRunner(
            new ChainRunner.Length(warmup, draws, 1, target), streams, (c, i, info) -> {});
    List<ChainTrace> traces = new ArrayList<>();
    long begun = System.nanoTime();
    for (int chain = 1; chain <= CHAINS; chain++) {
      double[] start =
          StartingPoint.laplace(
              data.mode(), laplace, 1, streams.stream(Streams.Purpose.INITIAL, chain, 0, 0));
      traces.add(runner.run(chain, algorithm.apply(chain), kernel, start));
    }
    double seconds = 1e-9 * (System.nanoTime() - begun) / CHAINS / (warmup + draws);
    return reached(traces, seconds);
  }

  private Reached reached(List<ChainTrace> traces, double seconds) {
    double evaluations = 0;
    double acceptance = 0;
    double divergent = 0;
    double iterations = 0;
    for (ChainTrace trace : traces) {
      for (ChainTrace.Iteration iteration : trace.sampling()) {
        evaluations += iteration.info().likelihoodEvaluations();
        acceptance += iteration.info().acceptanceProbability();
        divergent += iteration.info().divergent() ? 1 : 0;
        iterations++;
      }
    }
    double[] ess = new double[D];
    double meanError = 0;
    double bias = 0;
    double sdRatio = 0;
    for (int j = 0; j < D; j++) {
      int column = j;
      double[][] draws =
          traces.stream()
              .map(t -> t.draws().stream().mapToDouble(theta -> theta[column]).toArray())
              .toArray(double[][]::new);
      double size = Diagnostics.essMean(draws);
      ess[j] = size / iterations;
      double[] pooled = Arrays.stream(draws).flatMapToDouble(Arrays::stream).toArray();
      double mean = Arrays.stream(pooled).average().orElseThrow();
      double squares = Arrays.stream(pooled).map(x -> (x - mean) * (x - mean)).sum();
      double error = Math.abs(mean - data.mean()[j]) / data.sd()[j];
      bias = Math.max(bias, error);
      meanError = Math.max(meanError, error * Math.sqrt(size));
      sdRatio += Math.sqrt(squares / pooled.length) / data.sd()[j] / D;
    }
    Arrays.sort(ess);
    return new Reached(
        evaluations / iterations,
        acceptance / iterations,
        divergent / iterations,
        traces.get(0).stepSize(),
        ess[0],
        ess[D / 2],
        Arrays.stream(ess).average().orElseThrow(),
        meanError,
        bias,
        sdRatio,
        seconds);
  }
}
