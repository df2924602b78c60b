package org.lampyris.samplers.metropolis;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.model.LeastSquares;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.FullPasses;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Metropolis–Hastings on all rows; a normal regression has only D + 1 after one pass, see {@link
 * LeastSquares}.
 */
public final class MetropolisAlgorithm implements SamplingAlgorithm {
  /** Cost of an iteration without its evaluations. */
  private static final double OVERHEAD = 250;

  @Override
  public String name() {
    return "metropolis";
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(
        Trait.EXACT, Trait.KNOWS_LOG_POSTERIOR, Trait.TAKES_SCALES, Trait.WITHOUT_COVARIANCE);
  }

  @Override
  public Optional<ExpectedCost> expectedCost(SamplingContext context, SamplerSettings settings) {
    int dimension = context.laplace().dimension();
    int gradients = settings.own().of(Hmc.Settings.class).usualGradients(dimension);
    long rows = rows(context);
    boolean isCarried = rows < context.table().rows() || FullPasses.isCarried(context);
    double jobs = isCarried ? 0 : ExpectedCost.JOB * gradients / context.chains();
    return Optional.of(
        new ExpectedCost(
            rows < context.table().rows() ? context.table().rows() : 0,
            OVERHEAD + jobs,
            ExpectedCost.inPass(context),
            (double) rows * gradients,
            1 / Hmc.EFFECTIVE_DRAWS));
  }

  /** Returns the number of rows that a likelihood evaluation reads. */
  private static long rows(SamplingContext context) {
    long rows = context.table().rows();
    // The D + 1 rows are a D × D matrix.
    return context.model().isLeastSquares() && context.laplace().hasCovariance()
        ? Math.min(rows, context.model().columns() + 1)
        : rows;
  }

  /** Returns a table of D + 1 rows that has the same likelihood. */
  private static SamplingContext sufficient(SamplingContext context) {
    int columns = context.model().columns();
    double[] about = Arrays.copyOf(context.laplace().mode(), columns);
    double[] sums;
    try (ResidentRows<PlainBlock> rows = context.resident(PlainBlock::new)) {
      sums =
          rows.sum(
              LeastSquares.length(columns),
              (block, out) -> LeastSquares.add(block.data(), about, out));
    }
    return new InMemoryContext(context.inputs(), List.of(LeastSquares.rows(columns, about, sums)));
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    long all = context.table().rows();
    if (rows(context) == all) {
      return onRows(context);
    }
    RunProgress progress = context.inputs().progress();
    long begun = System.nanoTime();
    progress.begin("sums of squares");
    SamplingContext few = sufficient(context);
    Decision reduced =
        Decision.of(
            "sums of squares",
            Map.of("rows", (double) few.table().rows()),
            Text.of(
                "sums of squares: %,d rows have the likelihood of all %,d, so the rows are not read"
                    + " again",
                few.table().rows(), all));
    progress.note(reduced.text());
    progress.end();
    double seconds = 1e-9 * (System.nanoTime() - begun);
    RunResult result = onRows(few).deciding(List.of(reduced), List.of());
    Map<String, Double> times = new LinkedHashMap<>(result.seconds());
    times.merge(RunResult.LOAD, seconds, Double::sum);
    return result.withSeconds(times);
  }

  private static RunResult onRows(SamplingContext context) {
    Prior prior = context.model().prior();
    return FullPasses.run(
        context,
        context.thetaKernel().targetAcceptance(),
        (chain, rows) -> new FullDataKernel(prior, rows));
  }
}
