package org.lampyris.samplers.langevin;

import java.util.List;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** Stochastic gradient Langevin dynamics: {@link LangevinKernel}. */
public final class LangevinAlgorithm implements SamplingAlgorithm {
  @Override
  public String name() {
    return "sgld";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(LangevinSettings.SECTION);
  }

  @Override
  public boolean isExact() {
    return false;
  }

  @Override
  public boolean looksAtFewRows() {
    return true;
  }

  @Override
  public String defaultKernel() {
    return "mala";
  }

  /**
   * {@inheritDoc}
   *
   * <p>Draws of falling steps stand for the time ε_k that the chain spends at them: they are kept
   * in proportion to it, so that plain averages over what is kept are the weighted ones of Welling
   * and Teh (2011), equation 5.
   */
  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    LangevinSettings settings = own.of(LangevinSettings.class);
    double target = context.thetaKernel().targetAcceptance();
    RunResult result =
        MinibatchRun.run(context, name(), target, rows -> plan(context, settings, rows));
    int warmup = context.inputs().chains().warmup();
    int thin = context.inputs().chains().thin();
    long last = warmup + (long) context.inputs().chains().draws() * thin;
    result.chains().forEach(chain -> chain.freeze(Math.sqrt(settings.stepAt(last))));
    if (settings.decay() == 0) {
      return result;
    }
    return result.withChains(
        result.chains().stream()
            .map(chain -> inProportion(chain, settings, warmup, thin))
            .toList());
  }

  private static MinibatchRun.Plan<Point> plan(
      SamplingContext context, LangevinSettings settings, ResidentRows<PlainBlock> rows) {
    Model model = context.model().model();
    Prior prior = context.model().prior();
    double[] theta = context.laplace().mode();
    boolean controlled = settings.controlVariates();
    double[] gradient =
        controlled
            ? rows.sum(
                theta.length,
                (block, out) ->
                    model.addGradients(
                        block.data(), new double[][] {theta}, new double[1], new double[][] {out}))
            : new double[theta.length];
    LangevinKernel.Mode mode = new LangevinKernel.Mode(theta, gradient);
    long count = context.table().rows();
    return new MinibatchRun.Plan<>(
        (chain, batches) -> new LangevinKernel(model, prior, batches, settings, mode),
        Math.min(count, settings.batch()),
        controlled ? MinibatchRun.Setup.ofProxies(context) : MinibatchRun.Setup.NONE,
        null);
  }

  /** Draws as many again, each in proportion to its step, in order: a systematic resample. */
  static ChainTrace inProportion(
      ChainTrace chain, LangevinSettings settings, int warmup, int thin) {
    int size = chain.size();
    double[] upTo = new double[size];
    double total = 0;
    for (int i = 0; i < size; i++) {
      total += settings.stepAt(warmup + (i + 1L) * thin);
      upTo[i] = total;
    }
    int[] kept = new int[size];
    int next = 0;
    for (int k = 0; k < size; k++) {
      while (upTo[next] < (k + 0.5) * total / size) {
        next++;
      }
      kept[k] = next;
    }
    return chain.keeping(kept);
  }
}
