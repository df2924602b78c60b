package org.lampyris.samplers.sgld;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.DecisionErrors;
import org.lampyris.samplers.minibatch.MinibatchRun;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Stochastic gradient Langevin dynamics, {@link LangevinKernel}; with friction, {@link
 * HamiltonianKernel}; by Fisher scoring, {@link FisherKernel}.
 */
public final class LangevinAlgorithm implements SamplingAlgorithm {
  /** Rows of a gradient, and of about as many batches as a test reads. */
  private static final long USUAL_BATCHES = 4;

  @Override
  public String name() {
    return "sgld";
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.FEW_ROWS, Trait.WITHOUT_COVARIANCE);
  }

  @Override
  public String knob(OwnSettings own) {
    Settings settings = own.of(Settings.class);
    String steps =
        "sampler.sgld.step: %s, sampler.sgld.batch: %s"
            .formatted(settings.step(), settings.batch());
    if (settings.dynamics() == Settings.Dynamics.HAMILTONIAN) {
      return steps + ", sampler.sgld.friction: " + settings.friction();
    }
    return settings.corrector() == Settings.Corrector.NONE
        ? steps
        : steps + ", sampler.sgld.epsilon: " + settings.epsilon();
  }

  @Override
  public String defaultKernel() {
    return "mala";
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    SamplingAlgorithm.super.require(model, settings);
    MinibatchRun.requireEqualBlocks(model.isGrouped(), name());
    if (settings.theta().type().filter(Mala.Type.class::isInstance).isEmpty()) {
      throw LangevinKernel.withoutMala();
    }
    settings.own().of(Settings.class).requireDynamics();
  }

  /**
   * {@inheritDoc}
   *
   * <p>With decreasing steps, a draw represents the time ε_k that the chain spends at it. Draws are
   * kept in proportion to it, so plain averages over kept draws equal the weighted ones of Welling
   * and Teh (2011), equation 5.
   */
  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    Settings settings = own.of(Settings.class);
    double target = context.thetaKernel().targetAcceptance();
    boolean corrected = settings.corrector() == Settings.Corrector.AUSTERITY;
    RunResult result =
        corrected
            ? MinibatchRun.run(context, name(), target, rows -> corrected(context, own, rows))
            : switch (settings.dynamics()) {
              case LANGEVIN ->
                  MinibatchRun.run(
                      context,
                      name(),
                      target,
                      rows -> plan(context, settings, rows, LangevinKernel::new));
              case HAMILTONIAN ->
                  MinibatchRun.run(
                      context,
                      name(),
                      target,
                      rows -> plan(context, settings, rows, HamiltonianKernel::new));
              case FISHER ->
                  MinibatchRun.run(
                      context,
                      name(),
                      target,
                      rows -> plan(context, settings, rows, FisherKernel::new));
            };
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

  /** Factory of a chain's kernel, sent to the executors. */
  private interface KernelFactory<S extends SamplerState> extends Serializable {
    TransitionKernel<S> of(BatchGradient gradient, BatchRows rows, Settings settings);
  }

  private static <S extends SamplerState> MinibatchRun.Plan<S> plan(
      SamplingContext context,
      Settings settings,
      ResidentRows<PlainBlock> rows,
      KernelFactory<S> kernels) {
    BatchGradient gradient = gradient(context, settings, rows);
    return new MinibatchRun.Plan<>(
        (chain, batches) -> kernels.of(gradient, batches, settings),
        Math.min(context.table().rows(), settings.batch()),
        settings.controlVariates() ? MinibatchRun.Setup.ofPass(context) : MinibatchRun.Setup.NONE,
        null);
  }

  private MinibatchRun.Plan<TrialKernel.State> corrected(
      SamplingContext context, OwnSettings own, ResidentRows<PlainBlock> rows) {
    Settings settings = own.of(Settings.class);
    boolean controlled = settings.controlVariates();
    BatchGradient gradient = gradient(context, settings, rows);
    Remainders remainders =
        controlled
            ? Remainders.atMode(context, rows, Double.POSITIVE_INFINITY)
            : Remainders.whole(gradient.model());
    StudentDecision test = new StudentDecision(settings.batch(), settings.epsilon());
    Remainders.Renewal never = Remainders.Renewal.never(context.laplace());
    MinibatchRun.Setup pass = MinibatchRun.Setup.ofPass(context);
    return new MinibatchRun.Plan<>(
        (chain, batches) ->
            new CorrectedKernel(
                new TrialKernel(batches, remainders, test, gradient, never), settings),
        Math.min(context.table().rows(), USUAL_BATCHES * settings.batch()),
        controlled ? pass.and(pass) : MinibatchRun.Setup.NONE,
        new DecisionErrors(context, knob(own)));
  }

  private static BatchGradient gradient(
      SamplingContext context, Settings settings, ResidentRows<PlainBlock> rows) {
    return new BatchGradient(
        context.model().model(),
        context.model().prior(),
        settings.batch(),
        settings.controlVariates() ? BatchGradient.Mode.of(context, rows) : null);
  }

  /** Draws as many again, each in proportion to its step, in order: a systematic resample. */
  static ChainTrace inProportion(ChainTrace chain, Settings settings, int warmup, int thin) {
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

  /**
   * The section {@code sampler.sgld}.
   *
   * @param batch m, how many rows a gradient is taken from
   * @param controlVariates whether the gradients at the mode are control variates
   * @param step ε_1, in the units of the preconditioner: with {@code laplace}, of the posterior's
   *     variances
   * @param decay with which power ε falls, see {@link #stepAt}; 0 for a constant step
   * @param delay after how many iterations ε has fallen by 2 to that power
   * @param corrector whether a test decides on the steps
   * @param epsilon of the test
   * @param dynamics which steps are made
   * @param friction α of Hamiltonian steps
   */
  public record Settings(
      long batch,
      boolean controlVariates,
      double step,
      double decay,
      double delay,
      Corrector corrector,
      double epsilon,
      Dynamics dynamics,
      double friction)
      implements Serializable {
    /** Rule that makes a step of a gradient. */
    public enum Dynamics {
      /** Langevin dynamics. */
      LANGEVIN,
      /** Hamiltonian dynamics with friction. */
      HAMILTONIAN,
      /** Fisher scoring. */
      FISHER
    }

    /** Rule that decides on a step. */
    public enum Corrector {
      /** Nothing: each is made. */
      NONE,
      /** The sequential t-test of austerity, with batches of the gradient's size. */
      AUSTERITY
    }

    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            "sgld",
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.whole("batch", 500, 1, Integer.MAX_VALUE),
                    section.flag("control_variates", true),
                    section.number("step", 0.1, Interval.POSITIVE),
                    section.number("decay", 0, new Interval(0, true, 1, true)),
                    section.number("delay", 100, Interval.POSITIVE),
                    section.choice("corrector", Corrector.NONE),
                    section.number("epsilon", 0.05, new Interval(0, true, 0.5, false)),
                    section.choice("dynamics", Dynamics.LANGEVIN),
                    section.number("friction", 0.1, new Interval(0, false, 1, true))));

    /** Refuses settings that do not go together. */
    void requireDynamics() {
      if (dynamics != Dynamics.LANGEVIN && corrector != Corrector.NONE) {
        throw UserException.usage(
            "sampler.sgld.corrector: %s decides on Langevin steps, whose way back is known. Remove"
                    .formatted(ConfigText.of(corrector))
                + " sampler.sgld.dynamics, or the corrector.");
      }
      if (dynamics == Dynamics.FISHER && (controlVariates || batch < 2)) {
        throw UserException.usage(
            "sampler.sgld.dynamics: fisher measures the gradient's noise by two rows or more, and"
                + " control variates would change it. Set sampler.sgld.control_variates: false, and"
                + " sampler.sgld.batch to at least 2.");
      }
    }

    /** Returns ε_k = ε_1·(1 + (k − 1)/delay)^(−decay), of iteration k from 1. */
    double stepAt(long iteration) {
      return step * Math.pow(1 + (iteration - 1) / delay, -decay);
    }
  }
}
