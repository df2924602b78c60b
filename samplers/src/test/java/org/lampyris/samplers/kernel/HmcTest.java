package org.lampyris.samplers.kernel;

class HmcTest extends ThetaKernelContract {

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Hmc(preconditioner, 0.35, 4);
  }

  @Override
  int questionsAtAKnownPoint() {
    return 6;
  }
}
