package org.lampyris.samplers.shards;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.GaussianFactor;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.LikelihoodRows;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.shards.combination.ShardRows.Tilts;

/**
 * A task of some of the chains of a shard's tilted subposteriors.
 *
 * @param model with the prior of a subposterior
 * @param tasks how many tasks a shard has
 */
record TiltedChains(
    ModelOfTable model,
    RunInputs.Making kernel,
    @Nullable Double target,
    List<Tilts> shards,
    Lengths lengths,
    int tasks,
    Streams streams)
    implements SamplingContext.TableWork<TiltedChains.Done> {
  /** Length of the chains, and the number of the round. */
  record Lengths(int warmup, int draws, int round) implements Serializable {}

  /**
   * Result of the chains.
   *
   * @param draws chains × draws × d
   */
  record Done(double[][][] draws, long evaluations) implements Serializable {}

  @Override
  public Done of(int task, List<DataBlock> parts) {
    int shard = task / tasks;
    Tilts tilts = shards.get(shard);
    List<DataBlock> blocks = ShardTable.of(parts, 1);
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    LikelihoodRows answering =
        new LikelihoodPass<PlainBlock>(model.model())
            .rows(rows, RowClient.inMemory(blocks.stream().map(PlainBlock::new).toList()));
    List<ChainTrace> traces =
        IntStream.range(0, tilts.starts().size())
            .filter(k -> k % tasks == task % tasks)
            .mapToObj(k -> chain(shard, k, tilts, answering))
            .toList();
    return new Done(
        traces.stream()
            .map(trace -> trace.draws().toArray(double[][]::new))
            .toArray(double[][][]::new),
        traces.stream().mapToLong(TiltedChains::evaluations).sum());
  }

  private ChainTrace chain(int shard, int k, Tilts tilts, LikelihoodRows rows) {
    double[] start = tilts.starts().get(k);
    ProductPrior prior =
        model.prior().times(new GaussianFactor(tilts.precision(), tilts.shifts().get(k)));
    ThetaKernel theta = kernel.kernel(new LaplaceApproximation(start, tilts.covariance()), prior);
    long seed = streams.stream(Streams.Purpose.SHARD, k + 1, lengths.round, shard).nextLong();
    double aim = target == null ? theta.targetAcceptance() : target;
    return new ChainRunner(
            new ChainRunner.Length(lengths.warmup, lengths.draws, 1, aim),
            new Streams(seed),
            (chain, iteration, info) -> {})
        .run(1, new FullDataKernel(prior, rows), theta, start);
  }

  static long evaluations(ChainTrace trace) {
    return trace.initialEvaluations()
        + trace.warmup().stream().mapToLong(step -> step.info().likelihoodEvaluations()).sum()
        + trace.sampling().stream().mapToLong(step -> step.info().likelihoodEvaluations()).sum();
  }
}
