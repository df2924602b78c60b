package org.lampyris.samplers.kernel;

class BarkerTest extends ThetaKernelContract {

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Barker(preconditioner, 1);
  }
}
