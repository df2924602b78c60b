package org.lampyris.samplers.validation;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The exact test of Gandy and Scott (2020), as in {@link JointDistributionTest}, for the samplers
 * that look at a few rows. The false-alarm rate of the whole class is below 10⁻⁴.
 */
class SubsampledJointDistributionTest {
  private static final int FAULT_REPLICATES = 12_000;

  @TestFactory
  List<DynamicTest> samplersLeaveTheJointDistributionInvariant() {
    return JointDistribution.invariant("joint distribution, few rows", SubsampledSamplers.cases());
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    return JointDistribution.foundOut(
        "joint distribution, few rows, fault", SubsampledSamplers.mutants(), FAULT_REPLICATES);
  }
}
