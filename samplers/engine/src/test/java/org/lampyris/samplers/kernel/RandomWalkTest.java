package org.lampyris.samplers.kernel;

class RandomWalkTest extends ThetaKernelContract {

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new RandomWalk(preconditioner, 0.9);
  }
}
