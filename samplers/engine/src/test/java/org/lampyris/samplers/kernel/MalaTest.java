package org.lampyris.samplers.kernel;

class MalaTest extends ThetaKernelContract {

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Mala(preconditioner, 0.8);
  }
}
