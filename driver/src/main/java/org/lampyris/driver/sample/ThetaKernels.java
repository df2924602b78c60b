package org.lampyris.driver.sample;

import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.driver.config.SliceConfig;
import org.lampyris.samplers.kernel.Barker;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.subsampled.SubsampledKernel;

/** The θ-kernel that the configuration names, with the step size to begin with. */
final class ThetaKernels {

  private ThetaKernels() {}

  /**
   * Returns the kernel.
   *
   * @param config the section {@code sampler}
   * @param mode θ̂. Not modified.
   * @param covariance the Laplace covariance Σ̂, row-major. Not modified.
   * @param laplace L, with LLᵀ = Σ̂
   * @throws UserException (usage) if the settings do not go together
   */
  static ThetaKernel of(
      SamplerConfig config, double[] mode, double[] covariance, Preconditioner laplace) {
    int d = mode.length;
    boolean shaped = config.preconditioner() == SamplerConfig.Preconditioner.LAPLACE;
    Preconditioner shape = shaped ? laplace : Preconditioner.identity(d);
    // Without a shape, steps must suit the narrowest coordinate.
    double scale = shaped ? 1 : smallestDeviation(covariance, d);
    return switch (config.kernel()) {
      case RANDOM_WALK ->
          new RandomWalk(shape, stepSize(config, scale * RandomWalk.optimalStepSize(d)));
      case MALA -> new Mala(shape, stepSize(config, scale * Mala.optimalStepSize(d)));
      case BARKER -> new Barker(shape, stepSize(config, scale * Barker.optimalStepSize(d)));
      case HMC ->
          new Hmc(
              shape,
              stepSize(config, scale * Hmc.optimalStepSize(d)),
              config.hmc().leapfrogSteps());
      case SLICE -> slice(config, shape, scale);
      case AUTO -> throw new IllegalStateException("no kernel has been chosen");
      case PCN -> crankNicolson(config, mode, laplace);
    };
  }

  /**
   * Returns the mean acceptance probability that warm-up aims at.
   *
   * @param config the section {@code sampler}
   * @param kernel the kernel
   */
  static double targetAcceptance(SamplerConfig config, ThetaKernel kernel) {
    Double wanted = config.targetAcceptance();
    if (wanted != null) {
      return wanted;
    }
    return config.algorithm().isSubsampled()
        ? SubsampledKernel.targetAcceptance(SubsampledAlgorithm.test(config), kernel)
        : kernel.targetAcceptance();
  }

  private static double stepSize(SamplerConfig config, double byDefault) {
    return config.stepSize() != null ? config.stepSize() : byDefault;
  }

  private static Slice slice(SamplerConfig config, Preconditioner shape, double scale) {
    SliceConfig slice = config.slice();
    Slice.Directions directions =
        switch (slice.directions()) {
          case COORDINATE -> Slice.Directions.COORDINATE;
          case RANDOM_COORDINATE -> Slice.Directions.RANDOM_COORDINATE;
          case RANDOM -> Slice.Directions.RANDOM;
        };
    double width = stepSize(config, scale * Slice.optimalStepSize());
    return new Slice(shape, width, directions, slice.updates(), slice.bracketLimit());
  }

  private static CrankNicolson crankNicolson(
      SamplerConfig config, double[] mode, Preconditioner laplace) {
    if (config.preconditioner() == SamplerConfig.Preconditioner.NONE) {
      throw UserException.usage(
          "sampler.kernel: pcn proposes about the Laplace approximation, so"
              + " sampler.preconditioner: none does not go with it; leave it out.");
    }
    double stepSize = stepSize(config, CrankNicolson.optimalStepSize(mode.length));
    if (stepSize > 1) {
      throw UserException.usage(
          "sampler.step_size is at most 1 for sampler.kernel: pcn, but is " + stepSize + ".");
    }
    return new CrankNicolson(mode, laplace, stepSize);
  }

  private static double smallestDeviation(double[] covariance, int d) {
    double smallest = Double.POSITIVE_INFINITY;
    for (int j = 0; j < d; j++) {
      smallest = Math.min(smallest, Math.sqrt(covariance[j * d + j]));
    }
    return smallest;
  }
}
