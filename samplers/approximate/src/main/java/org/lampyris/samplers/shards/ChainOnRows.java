package org.lampyris.samplers.shards;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.CollapsedBounds;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Settings of a chain on the rows of a shard: everything except its rows and its density. Sent to
 * the executors.
 *
 * @param algorithm the name of the algorithm
 * @param kernel the θ-kernel that is configured
 * @param target the acceptance rate that the user wants; null for the kernel's own
 * @param radius of the precomputed bounds; null if the family has no bound
 */
record ChainOnRows(
    String algorithm,
    OwnSettings own,
    RunInputs.Making kernel,
    @Nullable Double target,
    @Nullable Double radius)
    implements Serializable {
  static ChainOnRows of(SamplingContext context, String algorithm, OwnSettings own) {
    CollapsedBounds bounds = context.inputs().bounds();
    return new ChainOnRows(
        algorithm,
        own,
        context.kernel().making(),
        context.kernel().targetAcceptance(),
        bounds == null ? null : (Double) bounds.radius());
  }

  /**
   * Runs one chain.
   *
   * @param laplace the normal approximation of the density
   * @param chain its length and seed, and where it begins
   */
  RunResult run(
      ModelOfTable model,
      LaplaceApproximation laplace,
      List<DataBlock> blocks,
      ChainSettings chain) {
    RunInputs inputs =
        new RunInputs(
            model,
            laplace,
            radius == null ? null : new ShardBounds(model, laplace, blocks, radius),
            chain,
            new PlanSettings(PlanSettings.Plan.AUTO, 64, Integer.MAX_VALUE, 0),
            RunInputs.Kernel.of(kernel, laplace, model.prior(), target),
            new Streams(chain.seed()),
            new RunProgress.Silent());
    return SamplingAlgorithm.registry()
        .named(algorithm)
        .run(new InMemoryContext(inputs, blocks), own);
  }
}
