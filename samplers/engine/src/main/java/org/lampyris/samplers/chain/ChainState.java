package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.DualAveraging;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.Shaping;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.rows.Stored;

/**
 * State of a chain between two iterations, including its adaptation.
 *
 * @param chain the chain's number, from 1
 * @param iteration the last iteration that was made, 0 before the first
 * @param state all that the next iteration needs
 * @param kernel the θ-kernel with its present step size
 * @param adaptation the state of the step size's adaptation in warm-up
 * @param shaping the adaptation of the kernel's shape; null if the shape is not adapted
 */
public record ChainState<S extends SamplerState>(
    int chain,
    long iteration,
    S state,
    ThetaKernel kernel,
    DualAveraging adaptation,
    @Nullable Shaping shaping)
    implements Serializable {
  /**
   * Place in a chain as it is kept and sent, without what follows from the configuration.
   *
   * @param state the chain's state; a checkpoint has its {@link SamplerState#stored} form
   * @param stepSize the step size of the θ-kernel
   */
  public record Kept(
      int chain,
      long iteration,
      SamplerState state,
      double stepSize,
      DualAveraging adaptation,
      Shaping.@Nullable Kept shaping)
      implements Stored {
    /**
     * Returns the place in the chain.
     *
     * @param state the state, as the chain's kernel takes it
     * @param begun the θ-kernel with which chains begin
     */
    public <S extends SamplerState> ChainState<S> resumed(S state, ThetaKernel begun) {
      Shaping shape = shaping == null ? null : shaping.of(begun);
      ThetaKernel kernel =
          shape == null || shape.stretch() == null ? begun : begun.withShape(shape.shape());
      return new ChainState<>(
          chain, iteration, state, kernel.withStepSize(stepSize), adaptation, shape);
    }
  }

  /** Returns this place for a checkpoint. */
  public Kept kept() {
    return kept(state.stored());
  }

  /** Returns this place with the state in some form. */
  public Kept kept(SamplerState form) {
    return new Kept(
        chain,
        iteration,
        form,
        kernel.stepSize(),
        adaptation,
        shaping == null ? null : shaping.kept());
  }

  /** Returns the θ-kernel as chains begin with it, apart from its step size. */
  public ThetaKernel begun() {
    return shaping == null ? kernel : kernel.withShape(shaping.given());
  }

  /** Returns the same place in the chain with the algorithm's state in another form. */
  public <T extends SamplerState> ChainState<T> with(T other) {
    return new ChainState<>(chain, iteration, other, kernel, adaptation, shaping);
  }
}
