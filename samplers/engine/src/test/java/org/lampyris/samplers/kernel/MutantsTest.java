package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The test of invariance that {@link ThetaKernelContract} runs finds every fault out. */
class MutantsTest {

  static Stream<Arguments> mutants() {
    return Mutants.all().entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void isFoundOut(String name, Invariance.Stepper mutant) {
    double worst = Invariance.worstScore(mutant, 5);
    assertTrue(worst > Invariance.LIMIT, name + ": only " + worst + " standard errors");
  }
}
