package org.lampyris.samplers.validation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Simulation-based calibration of every experiment × algorithm, as a user runs it: with the mode
 * found, bounds tuned or not, an over-dispersed start and a warm-up. See {@link Calibration}.
 *
 * <p>The false-alarm rate of a case is {@link #FALSE_ALARM}, that of the whole class below 10⁻⁴, as
 * far as the limits of the tests hold and draws are independent.
 */
class CalibrationTest {
  private static final double FALSE_ALARM = 1e-6;
  private static final Calibration.Length QUICK = new Calibration.Length(200, 80, 1);
  private static final Calibration.Length LONG = new Calibration.Length(5000, 200, 3);
  private static final Calibration.Length FAULT = new Calibration.Length(800, 80, 1);

  @TestFactory
  List<DynamicTest> ranksAreUniform() {
    return JointDistribution.tests(
        TunedSamplers.cases(),
        Calibration.Sampler::name,
        sampler -> {
          Calibration.Result result =
              Calibration.run(sampler, JointDistribution.isLong() ? LONG : QUICK);
          Report.print("calibration", sampler.name(), result);
          assertTrue(
              result.pValue() > FALSE_ALARM,
              sampler.name() + ": " + result + ", seed " + Calibration.SEED);
        });
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    return JointDistribution.tests(
        TunedSamplers.mutants(),
        Calibration.Sampler::name,
        mutant -> {
          Calibration.Result result = Calibration.run(mutant, FAULT);
          Report.print("calibration, fault", mutant.name(), result);
          assertTrue(result.pValue() < FALSE_ALARM, mutant.name() + " goes unnoticed: " + result);
        });
  }
}
