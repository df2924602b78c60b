package org.lampyris.samplers.shards;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * A task of one chain of one shard: the mode of the shard's subposterior, then the chain.
 *
 * @param model with the prior of a subposterior
 * @param power what likelihoods are raised to
 */
record SubposteriorChain(
    ChainOnRows chain, ModelOfTable model, double power, ChainSettings settings, Streams streams)
    implements SamplingContext.TableWork<SubposteriorChain.Done> {
  private static final double TOLERANCE = 1e-2;
  private static final int MOST_PASSES = 200;

  /**
   * Result of a chain.
   *
   * @param evaluations how many (row, θ) pairs had their likelihood evaluated outside of iterations
   */
  record Done(ChainTrace trace, long rows, long evaluations) implements Serializable {}

  @Override
  public Done of(int task, List<DataBlock> parts) {
    int shard = task / settings.chains();
    int number = task % settings.chains() + 1;
    List<DataBlock> blocks = ShardTable.of(parts, power);
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    MapFit fit = mode(shard, blocks);
    long seed = streams.stream(Streams.Purpose.SHARD, number, 0, shard).nextLong();
    ChainSettings alone =
        new ChainSettings(
            1, settings.warmup(), settings.draws(), seed, settings.thin(), settings.init());
    RunResult result = chain.run(model, fit.laplace(), blocks, alone);
    return new Done(
        result.chains().get(0), rows, result.cost().setupEvaluations() + fit.passes() * rows);
  }

  private MapFit mode(int shard, List<DataBlock> blocks) {
    try {
      if (blocks.isEmpty()) {
        throw UserException.data("it has no rows");
      }
      MapFinder finder = new MapFinder(model.prior(), model.coefficients(), TOLERANCE, MOST_PASSES);
      long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
      Objective objective = Objective.of(blocks, model.surrogate(rows), 1);
      double[] start = model.start();
      return start == null
          ? finder.find(objective, null, pass -> {})
          : finder.find(start, objective, null, pass -> {});
    } catch (UserException e) {
      throw UserException.data(
          "shard %d: %s Choose a smaller sampler.shards.count."
              .formatted(shard + 1, sentence(String.valueOf(e.getMessage()))),
          e);
    }
  }

  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }
}
