package org.lampyris.samplers.validation;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The exact test of Gandy and Scott (2020) for every experiment × algorithm: draw θ from the prior
 * and data given θ, make a number of steps of the sampler given the data, and compare with a fresh
 * draw of θ and data. If the sampler leaves the posterior invariant, the two are equal in
 * distribution, whatever the number of steps and however slowly it mixes.
 *
 * <p>The false-alarm rate of a case is at most {@link JointDistribution#FALSE_ALARM}, that of the
 * whole class below 10⁻⁴, and 2·10⁻⁴ in the long form. A p-value is exact but for Kolmogorov's
 * limit.
 */
class JointDistributionTest {
  /** Enough for the faults of least effect. */
  private static final int FAULT_REPLICATES = 8000;

  @TestFactory
  List<DynamicTest> samplersLeaveTheJointDistributionInvariant() {
    return JointDistribution.invariant("joint distribution", Samplers.cases());
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    return JointDistribution.foundOut(
        "joint distribution, fault", Samplers.mutants(), FAULT_REPLICATES);
  }
}
