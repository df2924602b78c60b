package org.lampyris.samplers.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.firefly.BoundBlock;
import org.lampyris.samplers.firefly.BoundBlocks;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.testdata.Factors;

/** Chains on a posterior in memory, one after the other on one thread, and how well they mix. */
final class PosteriorChains {
  private static final int CHAINS = 2;
  private static final double FLOOR = 0.1;
  private static final long SEED = 7;

  private final BenchmarkPosterior posterior;
  private final Preconditioner laplace;

  PosteriorChains(BenchmarkPosterior posterior) {
    this.posterior = posterior;
    this.laplace = Factors.choleskyOf(posterior.fit().covariance(), posterior.dimension());
  }

  Preconditioner laplace() {
    return laplace;
  }

  /** Returns the full-data algorithm of each chain. */
  IntFunction<TransitionKernel<?>> fullData() {
    LikelihoodPass<PlainBlock> pass = new LikelihoodPass<>(posterior.model());
    return chain ->
        new FullDataKernel(posterior.prior(), new InMemoryLikelihoodRows(blocks(), pass));
  }

  /** Returns MAP-tuned Firefly with q_n of each row. */
  IntFunction<TransitionKernel<?>> firefly(double kappa) {
    double[] mode = posterior.fit().theta();
    PerRowRates rates =
        new PerRowRates(
            posterior.bound(),
            new LaplaceApproximation(mode, posterior.fit().covariance()),
            kappa,
            FLOOR);
    List<BoundBlock> bounds =
        BoundBlocks.withRatesOfRows(
            blocks(), block -> posterior.bound().anchorsAt(block, mode), rates);
    CollapsedQuadratic collapsed = new CollapsedQuadratic(mode);
    bounds.forEach(b -> posterior.bound().collapse(b.data(), b.anchors(), collapsed));
    FireflyKernel.ZStep zStep =
        new FireflyKernel.ZStep(new ImplicitBrightness(), RowSelection.Size.fixed(0));
    return chain -> {
      FireflyPass pass = new FireflyPass(posterior.bound(), new Streams(SEED));
      FireflyRows.InMemory rows = new FireflyRows.InMemory(bounds, pass);
      CollapsedQuadratic sum = posterior.bound().inItsCoordinates(collapsed);
      return new FireflyKernel<>(chain, posterior.prior(), sum, rows, zStep, 1);
    };
  }

  private List<DataBlock> blocks() {
    return List.copyOf(posterior.blocks());
  }

  /**
   * What a kernel reached.
   *
   * @param evaluations likelihood evaluations an iteration
   * @param acceptance mean acceptance probability; for slice sampling 1
   * @param divergent the share of iterations with a divergent trajectory
   * @param stepSize the adapted step size of the first chain
   * @param total the median effective sample size of a coefficient's mean
   * @param least the smallest, an iteration
   * @param median the median, an iteration
   * @param meanError the largest error of a posterior mean, in Monte-Carlo standard errors; NaN
   *     where no reference is known
   */
  record Reached(
      double evaluations,
      double acceptance,
      double divergent,
      double stepSize,
      double total,
      double least,
      double median,
      double meanError) {

    /** Returns median effective draws for 1000 likelihood evaluations. */
    double perThousandEvaluations() {
      return 1000 * median / evaluations;
    }
  }

  /** Runs the chains. */
  Reached run(
      IntFunction<TransitionKernel<?>> algorithm, ThetaKernel kernel, int warmup, int draws) {
    Streams streams = new Streams(SEED);
    ChainRunner.Length length = new ChainRunner.Length(warmup, draws, 1, kernel.targetAcceptance());
    ChainRunner runner = new ChainRunner(length, streams, (c, i, info) -> {});
    List<ChainTrace> traces = new ArrayList<>();
    for (int chain = 1; chain <= CHAINS; chain++) {
      double[] start =
          StartingPoint.laplace(
              posterior.fit().theta(),
              laplace,
              1,
              streams.stream(Streams.Purpose.INITIAL, chain, 0, 0));
      traces.add(runner.run(chain, algorithm.apply(chain), kernel, start));
    }
    return reached(traces);
  }

  private Reached reached(List<ChainTrace> traces) {
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
    int d = posterior.dimension();
    double[] ess = new double[d];
    double meanError = posterior.reference() == null ? Double.NaN : 0;
    for (int j = 0; j < d; j++) {
      double[][] draws = draws(traces, j);
      ess[j] = Diagnostics.essMean(draws);
      BenchmarkPosterior.Moments reference = posterior.reference();
      if (reference != null) {
        double mean = Arrays.stream(draws).flatMapToDouble(Arrays::stream).average().orElseThrow();
        double error = Math.abs(mean - reference.mean()[j]) / reference.sd()[j];
        meanError = Math.max(meanError, error * Math.sqrt(ess[j]));
      }
    }
    Arrays.sort(ess);
    double median = 0.5 * (ess[(d - 1) / 2] + ess[d / 2]);
    return new Reached(
        evaluations / iterations,
        acceptance / iterations,
        divergent / iterations,
        traces.get(0).stepSize(),
        median,
        ess[0] / iterations,
        median / iterations,
        meanError);
  }

  private static double[][] draws(List<ChainTrace> traces, int column) {
    return traces.stream()
        .map(t -> t.draws().stream().mapToDouble(theta -> theta[column]).toArray())
        .toArray(double[][]::new);
  }
}
