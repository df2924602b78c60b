package org.lampyris.samplers.shards;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.shards.combination.Combination;
import org.lampyris.samplers.shards.combination.ShardRows;

/** The jobs on the shards of a table. Not safe for use by several threads. */
final class ShardJobs implements ShardRows {
  /** Algorithm for families with bounded derivatives, which reads few rows; others read all. */
  private static final String BY_FEW_ROWS = "mhss";

  private static final String BY_ALL_ROWS = "metropolis";

  private final SamplingContext context;
  private final OwnSettings own;
  private final int shards;
  private final RowSplit split;
  private long jobs;
  private long evaluations;

  ShardJobs(SamplingContext context, OwnSettings own, int shards) {
    ShardsSettings settings = own.of(ShardsSettings.class);
    SamplingContext.TableSize table = context.table();
    long most = table.blockRows() == 0 ? table.blocks() : table.rows();
    if (shards > most) {
      throw UserException.usage(
          "sampler.shards.count: %,d shards are more than the %s, %,d. Choose fewer."
              .formatted(shards, table.blockRows() == 0 ? "blocks of whole groups" : "rows", most));
    }
    this.context = context;
    this.own = own;
    this.shards = shards;
    this.split =
        new RowSplit(settings.from(), shards, context.chains(), table, context.streams().seed());
  }

  /** Returns how many jobs were run. */
  long jobs() {
    return jobs;
  }

  /** Returns how many (row, θ) pairs had their likelihood evaluated by combinations. */
  long evaluations() {
    return evaluations;
  }

  private <R extends Serializable> List<R> run(SamplingContext.TableWork<R> work) {
    jobs++;
    return context.shards(shards * context.chains(), split, work);
  }

  /** Runs the chains of all subposteriors: all chains of a shard, then those of the next. */
  List<SubposteriorChain.Done> subposteriors(Combination.Subposterior kind) {
    String algorithm = own.of(ShardsSettings.class).algorithm();
    boolean raised = kind == Combination.Subposterior.RAISED;
    return run(
        new SubposteriorChain(
            ChainOnRows.of(context, algorithm, own),
            raised ? context.model() : tempered(),
            raised ? shards : 1,
            context.inputs().chains(),
            context.streams()));
  }

  /** Returns the model with p(θ)^(1/S). */
  private ModelOfTable tempered() {
    double power = 1.0 / shards;
    List<UnivariatePrior> priors = context.model().prior().factors();
    for (int j = 0; j < priors.size(); j++) {
      double least = priors.get(j).leastPower();
      if (power <= least) {
        throw UserException.usage(
            ("sampler.shards.count: each of %d shards takes the prior to the power 1/%1$d. The"
                    + " prior %s of %s is improper at powers of %.3g or below. Choose at most %d"
                    + " shards, or a prior with lighter tails (model.prior: normal(0, 2.5)).")
                .formatted(
                    shards,
                    priors.get(j),
                    context.model().coefficients().get(j),
                    least,
                    (int) Math.ceil(1 / least) - 1));
      }
    }
    return context.model().with(context.model().prior().tempered(power));
  }

  @Override
  public double[][][][] tilted(List<Tilts> tilts, int warmup, int draws, int round) {
    int tasks = context.chains();
    List<TiltedChains.Done> done =
        run(
            new TiltedChains(
                tempered(),
                context.kernel().making(),
                context.kernel().targetAcceptance(),
                tilts,
                new TiltedChains.Lengths(warmup, draws, round),
                tasks,
                context.streams()));
    done.forEach(task -> evaluations += task.evaluations());
    return IntStream.range(0, shards)
        .mapToObj(
            shard ->
                IntStream.range(0, tilts.get(shard).starts().size())
                    .mapToObj(k -> done.get(shard * tasks + k % tasks).draws()[k / tasks])
                    .toArray(double[][][]::new))
        .toArray(double[][][][]::new);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The proposals are steps of {@link CrankNicolson} about N(mean, Σ), independent draws of it
   * to begin with, which the warm-up shortens where too few are taken.
   */
  @Override
  public Combination.Combined corrected(double[] mean, double[] covariance) {
    LaplaceApproximation about = new LaplaceApproximation(mean, covariance);
    RunInputs.Making making =
        (laplace, prior) ->
            new CrankNicolson(
                about.mode(), Preconditioner.of(about).within(context.model().prior()), 1);
    SamplingAlgorithm algorithm =
        SamplingAlgorithm.registry().named(hasProxies() ? BY_FEW_ROWS : BY_ALL_ROWS);
    RunInputs.Kernel kernel = RunInputs.Kernel.of(making, about, context.model().prior(), null);
    RunResult result = algorithm.run(context.with(context.inputs().silently(kernel)), own);
    jobs += result.cost().jobs();
    evaluations += result.cost().setupEvaluations();
    double[] acceptance = result.chains().stream().mapToDouble(ShardJobs::acceptance).toArray();
    // Those of the chains' beginning are among the set-up's.
    long chains =
        result.chains().stream()
            .mapToLong(trace -> TiltedChains.evaluations(trace) - trace.initialEvaluations())
            .sum();
    evaluations += chains;
    double step =
        result.chains().stream().mapToDouble(ChainTrace::stepSize).average().orElseThrow();
    return new Combination.Combined(
        result.chains().stream()
            .map(trace -> trace.draws().toArray(double[][]::new))
            .toArray(double[][][]::new),
        acceptance,
        List.of(
            Text.of(
                "corrected by %s: steps of %.2g from the combined normal distribution, %.2g of them"
                    + " accepted, %,d likelihood evaluations",
                algorithm.name(),
                step,
                Arrays.stream(acceptance).average().orElseThrow(),
                chains)));
  }

  @Override
  public double[] logPosteriors(double[][] thetas) {
    jobs += LogPosteriors.passes(context, thetas.length);
    evaluations += context.table().rows() * thetas.length;
    return LogPosteriors.at(context, context.model().prior(), thetas.length, i -> thetas[i]);
  }

  /** Returns whether the rows' derivatives are bounded, judging by one block. */
  private boolean hasProxies() {
    TaylorProxy proxy =
        new TaylorProxy(context.model().model(), 2, context.laplace(), Double.POSITIVE_INFINITY);
    double[] sum =
        context.sampledSum(
            1, 1, (block, out) -> out[0] += Arrays.stream(proxy.derivativeBounds(block)).sum());
    return sum[0] < Double.POSITIVE_INFINITY;
  }

  private static double acceptance(ChainTrace trace) {
    return trace.sampling().stream()
        .mapToDouble(step -> step.info().acceptanceProbability())
        .average()
        .orElseThrow();
  }
}
