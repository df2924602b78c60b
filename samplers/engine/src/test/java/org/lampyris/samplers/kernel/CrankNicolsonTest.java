package org.lampyris.samplers.kernel;

class CrankNicolsonTest extends ThetaKernelContract {

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new CrankNicolson(centre, preconditioner, 0.7);
  }
}
