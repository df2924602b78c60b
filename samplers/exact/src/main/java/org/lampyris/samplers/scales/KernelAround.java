package org.lampyris.samplers.scales;

import org.lampyris.samplers.kernel.ThetaKernel;

/** A θ-kernel about another one, whose step size is its own. */
interface KernelAround extends ThetaKernel {
  /** Returns the other kernel. */
  ThetaKernel inner();

  @Override
  default double stepSize() {
    return inner().stepSize();
  }

  @Override
  default double largestStepSize() {
    return inner().largestStepSize();
  }

  @Override
  default double targetAcceptance() {
    return inner().targetAcceptance();
  }
}
