package org.lampyris.samplers.benchmark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LowRankFactor;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.WideObjective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.testdata.OneHotTable;

/**
 * The table of "Wide tables" in {@code docs/benchmarks.md}: hmc on one-hot rows, by how many
 * directions beside the diagonal shape it. A benchmark, run with {@code -Dlampyris.benchmark=wide}.
 */
class WideTableTest {
  private static final int COLUMNS = 20;
  private static final int WARMUP = 100;

  @Test
  void directionsBesideTheDiagonal() {
    assumeTrue(
        "wide".equals(System.getProperty("lampyris.benchmark")),
        "a benchmark: run with -Dlampyris.benchmark=wide");
    int rows = Integer.getInteger("lampyris.wide.rows", 20_000);
    int levels = Integer.getInteger("lampyris.wide.levels", 251);
    int draws = Integer.getInteger("lampyris.wide.draws", 200);
    List<DataBlock> blocks = OneHotTable.blocks(1, rows, COLUMNS, levels, 4096);
    int d = OneHotTable.dimension(COLUMNS, levels);
    LinearModel model = new LinearModel(new LogisticLikelihood(), d);
    Prior prior = ProductPrior.shared(new UnivariatePrior.Normal(0, 2.5), d);
    double begun = cpu();
    MapFit fit =
        new MapFinder(prior, Collections.nCopies(d, "x"), 1e-2, 50)
            .find(null, WideObjective.of(blocks, model, 1), null, pass -> {});
    System.out.printf(
        Locale.ROOT,
        "%,d rows, %,d coefficients: %d passes, %.1f s%n%n| eigenvalues beyond | directions |"
            + " gradients | step size | ess worst | of 1 %% | median | a 1000 gradients: of 1 %% |"
            + " median | CPU s |%n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|%n",
        rows,
        d,
        fit.passes(),
        cpu() - begun);
    LowRankFactor all = (LowRankFactor) fit.laplace().factor();
    for (double far : new double[] {Double.POSITIVE_INFINITY, 4, 2, 1.25}) {
      int[] kept =
          IntStream.range(0, all.eigenvalues().length)
              .filter(k -> Math.abs(Math.log(all.eigenvalues()[k])) > Math.log(far))
              .toArray();
      LowRankFactor factor =
          new LowRankFactor(
              all.diagonal(),
              IntStream.of(kept).mapToDouble(k -> all.eigenvalues()[k]).toArray(),
              IntStream.of(kept).mapToObj(k -> all.vectors()[k]).toArray(double[][]::new));
      double median = run(far, factor, fit, blocks, model, prior, draws);
      assertTrue(median > 0, "effective draws of the factor " + far);
    }
  }

  private static double run(
      double far,
      LowRankFactor factor,
      MapFit fit,
      List<DataBlock> blocks,
      LinearModel model,
      Prior prior,
      int draws) {
    int d = factor.dimension();
    Preconditioner shape = Preconditioner.of(factor);
    Streams streams = new Streams(7);
    ChainRunner runner =
        new ChainRunner(
            new ChainRunner.Length(WARMUP, draws, 1, 0.8), streams, (chain, i, info) -> {});
    double begun = cpu();
    List<ChainTrace> traces = new ArrayList<>();
    double evaluations = 0;
    for (int chain = 1; chain <= 2; chain++) {
      FullDataKernel kernel =
          new FullDataKernel(
              prior, new InMemoryLikelihoodRows(blocks, new LikelihoodPass<>(model)));
      double[] start =
          StartingPoint.laplace(
              fit.theta(),
              Preconditioner.of(fit.laplace()),
              1,
              streams.stream(Streams.Purpose.INITIAL, chain, 0, 0));
      Hmc hmc = new Hmc(shape, Hmc.optimalStepSize(d), Hmc.BY_TIME);
      ChainTrace trace = runner.run(chain, kernel, hmc, start);
      evaluations +=
          trace.sampling().stream().mapToLong(it -> it.info().likelihoodEvaluations()).sum();
      traces.add(trace);
    }
    double gradients = evaluations / blocks.stream().mapToLong(DataBlock::rows).sum();
    double[] ess = new double[d];
    for (int j = 0; j < d; j++) {
      int column = j;
      double[][] of =
          traces.stream()
              .map(t -> t.draws().stream().mapToDouble(theta -> theta[column]).toArray())
              .toArray(double[][]::new);
      ess[j] = Math.min(Diagnostics.essBulk(of), Diagnostics.essTail(of));
    }
    Arrays.sort(ess);
    double median = ess[d / 2];
    System.out.printf(
        Locale.ROOT,
        "| %.3g | %d | %.0f | %.3f | %.0f | %.0f | %.0f | %.2f | %.1f | %.1f |%n",
        far,
        factor.eigenvalues().length,
        gradients,
        traces.get(0).stepSize(),
        ess[0],
        ess[d / 100],
        median,
        1000 * ess[d / 100] / gradients,
        1000 * median / gradients,
        cpu() - begun);
    return median;
  }

  private static double cpu() {
    return 1e-9 * ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
