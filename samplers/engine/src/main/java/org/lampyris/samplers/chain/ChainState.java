package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.DualAveraging;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.Shaping;
import org.lampyris.samplers.kernel.ThetaKernel;

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
  /** Returns the same place in the chain with the algorithm's state in another form. */
  public <T extends SamplerState> ChainState<T> with(T other) {
    return new ChainState<>(chain, iteration, other, kernel, adaptation, shaping);
  }
}
