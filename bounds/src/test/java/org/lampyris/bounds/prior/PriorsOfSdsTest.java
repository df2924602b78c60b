package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;

/** Priors of the standard deviations of smooths, which {@code model.priors} names. */
class PriorsOfSdsTest {
  private static final UnivariatePrior DEFAULT = PriorParser.parse("half_student_t(3, 0, 2.5)");

  private static PriorConfig of(String prior) {
    return PriorConfig.of(
        "flat", Map.of("sds_sx_1", prior, "x", "normal(0, 1)"), PriorConfig.Scale.INPUT);
  }

  @Test
  void aStandardDeviationHasThePriorThatItsNameGives() {
    PriorConfig config = of("half_normal(0, 1)");
    assertEquals(PriorParser.parse("half_normal(0, 1)"), config.ofSd("sds_sx_1", DEFAULT));
    assertEquals(DEFAULT, config.ofSd("sds_sz_1", DEFAULT));
    assertEquals(DEFAULT, of("auto").ofSd("sds_sx_1", DEFAULT));
    assertEquals(Set.of("x"), config.without(List.of("sds_sx_1")).priors().keySet());
  }

  @Test
  void aPriorWithNegativeValuesIsRefused() {
    UserException refused =
        assertThrows(UserException.class, () -> of("normal(0, 1)").ofSd("sds_sx_1", DEFAULT));
    assertTrue(String.valueOf(refused.getMessage()).contains("sds_sx_1"), refused.getMessage());
    assertTrue(String.valueOf(refused.getMessage()).contains("half_normal"), refused.getMessage());
  }

  @Test
  void theNameIsKnownWhereThereIsSuchASmooth() {
    PriorNames names =
        new PriorNames(List.of("sx_1", "s_sx_1[1]", "s_sx_1[2]"), List.of(), List.of(), false);
    names.require(Set.of("sds_sx_1", "sx_1"));
    assertThrows(UserException.class, () -> names.require(Set.of("sds_sz_1")));
  }
}
