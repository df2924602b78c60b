package org.lampyris.samplers.run;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/**
 * Inputs of every algorithm in addition to the rows.
 *
 * @param model likelihood, bounds, priors
 * @param laplace the Laplace approximation of the posterior
 * @param bounds the collapsed lower bounds; null if the family has none
 * @param chains how many chains there are, how long, and where they begin
 * @param plan how iterations are to be spread over jobs
 * @param kernel how θ is proposed; null as long as no algorithm is chosen
 * @param streams the random streams of the run
 * @param outlets receivers of reports during the run
 */
public record RunInputs(
    ModelOfTable model,
    LaplaceApproximation laplace,
    @Nullable CollapsedBounds bounds,
    ChainSettings chains,
    PlanSettings plan,
    @Nullable Kernel kernel,
    Streams streams,
    Outlets outlets) {
  /**
   * Receivers of reports during a run.
   *
   * @param progress receives the progress
   * @param effects is given the summaries of effects of groups
   * @param checkpoints keeps where the chains are
   */
  public record Outlets(RunProgress progress, EffectSink effects, Checkpoints checkpoints) {
    /** Creates outlets with progress alone. */
    public Outlets(RunProgress progress) {
      this(progress, new EffectSink.None(), new Checkpoints.None());
    }
  }

  /** Creates the inputs of a run with progress as its only outlet. */
  public RunInputs(
      ModelOfTable model,
      LaplaceApproximation laplace,
      @Nullable CollapsedBounds bounds,
      ChainSettings chains,
      PlanSettings plan,
      @Nullable Kernel kernel,
      Streams streams,
      RunProgress progress) {
    this(model, laplace, bounds, chains, plan, kernel, streams, new Outlets(progress));
  }

  /** Returns the receiver of progress. */
  public RunProgress progress() {
    return outlets.progress;
  }

  /** Returns the receiver of summaries of group effects. */
  public EffectSink effects() {
    return outlets.effects;
  }

  /** Returns the storage of checkpoints. */
  public Checkpoints checkpoints() {
    return outlets.checkpoints;
  }

  /** Returns the same with another kernel. */
  public RunInputs with(Kernel other) {
    return new RunInputs(model, laplace, bounds, chains, plan, other, streams, outlets);
  }

  /** Returns the same with another kernel, and without reports. */
  public RunInputs silently(Kernel other) {
    RunProgress silent = new RunProgress.Silent();
    return new RunInputs(model, laplace, bounds, chains, plan, other, streams, silent);
  }

  /**
   * Proposal of θ.
   *
   * @param kernel the θ-kernel with the step size to begin with
   * @param targetAcceptance the acceptance rate that the user wants; null for the kernel's own
   * @param making makes such a kernel for another density
   */
  public record Kernel(ThetaKernel kernel, @Nullable Double targetAcceptance, Making making) {
    /** Creates the kernel of a density, from its normal approximation and the prior. */
    public static Kernel of(
        Making making,
        LaplaceApproximation laplace,
        Prior prior,
        @Nullable Double targetAcceptance) {
      return new Kernel(making.kernel(laplace, prior), targetAcceptance, making);
    }

    /** Returns the kernel for a density that is {@linkplain ThetaKernel#about near} normal. */
    public Kernel about(double[] mode) {
      return new Kernel(kernel.about(mode), targetAcceptance, making);
    }
  }

  /** Factory of the configured θ-kernel; can be sent to executors. */
  @FunctionalInterface
  public interface Making extends Serializable {
    /** Returns the kernel for a density, with its initial step size. */
    ThetaKernel kernel(LaplaceApproximation laplace, Prior prior);
  }
}
