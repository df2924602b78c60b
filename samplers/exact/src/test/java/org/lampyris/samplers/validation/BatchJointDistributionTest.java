package org.lampyris.samplers.validation;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The exact test of Gandy and Scott (2020), as in {@link JointDistributionTest}, for the exact
 * samplers that decide by batches. The false-alarm rate of the whole class is below 10⁻⁴.
 */
class BatchJointDistributionTest {
  private static final int FAULT_REPLICATES = 8000;

  @TestFactory
  List<DynamicTest> samplersLeaveTheJointDistributionInvariant() {
    return JointDistribution.invariant("joint distribution, batches", BatchSamplers.cases());
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    return JointDistribution.foundOut(
        "joint distribution, batches, fault", BatchSamplers.mutants(), FAULT_REPLICATES);
  }
}
