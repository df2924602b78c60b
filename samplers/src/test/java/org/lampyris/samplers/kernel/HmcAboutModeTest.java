package org.lampyris.samplers.kernel;

/** Hamiltonian trajectories about the mode of a normal approximation. */
class HmcAboutModeTest extends ThetaKernelContract {
  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Hmc(preconditioner, centre, 0.3, Hmc.BY_TIME);
  }

  @Override
  int questionsAtAKnownPoint() {
    return 7;
  }
}
