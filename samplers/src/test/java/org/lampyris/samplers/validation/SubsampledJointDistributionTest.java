package org.lampyris.samplers.validation;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
    return SubsampledSamplers.cases().stream()
        .map(
            sampler ->
                DynamicTest.dynamicTest(
                    sampler.name(),
                    () -> {
                      double p = JointDistribution.pValue(sampler, JointDistribution.replicates());
                      assertTrue(
                          p > JointDistribution.FALSE_ALARM,
                          sampler.name() + ": p = " + p + ", seed " + JointDistribution.SEED);
                    }))
        .toList();
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    return SubsampledSamplers.mutants().stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      double p = JointDistribution.pValue(mutant, FAULT_REPLICATES);
                      assertTrue(
                          p < JointDistribution.FALSE_ALARM,
                          mutant.name() + " goes unnoticed: p = " + p);
                    }))
        .toList();
  }
}
