package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.scales.MonotonicEffects;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * {@link JointDistributionTest} for monotonic effects, by every kind of kernel that moves them, and
 * planted faults. Chains need not mix: pcn, which {@code sampler.kernel} refuses beside mo(x), is
 * held to its correction too. False-alarm rate as there.
 */
class MonotonicJointDistributionTest {
  private static final int REPLICATES = 800;
  private static final MonotonicExperiment MO = new MonotonicExperiment();

  @TestFactory
  List<DynamicTest> effectsLeaveTheJointDistributionInvariant() {
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (String kernel : List.of("pcn", "hmc")) {
      all.add(Samplers.fullData(MO, theta(kernel), MO.prior(), "metropolis"));
    }
    for (String kernel : List.of("slice", "random-walk")) {
      all.add(Samplers.firefly(MO, theta(kernel), ZStep.PER_ROW, Samplers.Fault.none()));
    }
    return JointDistribution.invariant(
        "joint distribution of mo(x)", all, JointDistribution.isLong() ? 8000 : REPLICATES);
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    List<JointDistribution.Sampler> mutants = new ArrayList<>();
    for (String kernel : List.of("random-walk", "hmc")) {
      for (boolean ofCoordinates : new boolean[] {true, false}) {
        mutants.add(
            Samplers.fullData(
                MO,
                theta(kernel),
                new NoVolume(MO.prior(), ofCoordinates),
                ofCoordinates ? "no volume of (b, log ratios)" : "no volume of (b, simplex)"));
      }
    }
    return JointDistribution.foundOut("joint distribution of mo(x), fault", mutants, REPLICATES);
  }

  private static Samplers.Theta theta(String kernel) {
    double[] covariance = new double[MonotonicExperiment.D * MonotonicExperiment.D];
    for (int j = 0; j < MonotonicExperiment.D; j++) {
      covariance[(MonotonicExperiment.D + 1) * j] = 0.7;
    }
    LaplaceApproximation about =
        new LaplaceApproximation(new double[] {0.4, 0.5, 0.8, 0.2}, covariance);
    SamplerSettings settings =
        MemoryRun.settings(
            Map.of("algorithm", "firefly", "kernel", kernel, "step_size", sizeOf(kernel)));
    ThetaKernel made = MonotonicEffects.making(settings.making()).kernel(about, MO.prior());
    return new Samplers.Theta(kernel, made);
  }

  private static double sizeOf(String kernel) {
    return kernel.equals("hmc") ? 0.4 : 0.7;
  }

  /**
   * A prior that takes a density of other coordinates for one of c: without |dc/dψ| = |Π c_k/Σ c_k|
   * of the kernels' coordinates, or without |dc/d(b, ζ)|, a multiple of |Σ c_k|^(D − 1).
   */
  private record NoVolume(Prior prior, boolean ofCoordinates) implements Prior {
    private double logVolume(double[] theta) {
      double[] c = Arrays.copyOfRange(theta, 1, theta.length);
      double sum = Math.abs(Arrays.stream(c).sum());
      return ofCoordinates
          ? Arrays.stream(c).map(x -> Math.log(Math.abs(x))).sum() - Math.log(sum)
          : -(c.length - 1) * Math.log(sum);
    }

    @Override
    public int dimension() {
      return prior.dimension();
    }

    @Override
    public double logDensity(double[] theta) {
      double log = prior.logDensity(theta);
      return log > Double.NEGATIVE_INFINITY ? log - logVolume(theta) : log;
    }

    @Override
    public double addGradient(double[] theta, double[] gradient) {
      double log = prior.addGradient(theta, gradient);
      double[] c = Arrays.copyOfRange(theta, 1, theta.length);
      double sum = Arrays.stream(c).sum();
      for (int k = 0; k < c.length; k++) {
        gradient[1 + k] -= ofCoordinates ? 1 / c[k] - 1 / sum : -(c.length - 1) / sum;
      }
      return log > Double.NEGATIVE_INFINITY ? log - logVolume(theta) : log;
    }

    @Override
    public void addCurvature(double[] theta, double[] diagonal) {
      prior.addCurvature(theta, diagonal);
    }
  }
}
