package org.lampyris.dataprep.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class CellTextTest {
  /** An hour east of Greenwich it is later: the same moment is an hour earlier in UTC. */
  @Test
  void aTimeWithAnOffsetIsThatOfUtc() {
    assertEquals(1 - 1 / 24.0, days("1970-01-02T00:00+01:00"), 1e-12);
    assertEquals(1 + 2.5 / 24, days("1970-01-02 00:00-02:30"), 1e-12);
    assertEquals(1, days("1970-01-02T00:00Z"));
  }

  private static double days(String cell) {
    return Objects.requireNonNull(CellText.days(cell), cell);
  }

  /** NA is R's; na may be a name. */
  @Test
  void theCaseOfNaCounts() {
    assertTrue(CellText.isMissing(" NA "));
    assertTrue(CellText.isMissing("Null"));
    assertFalse(CellText.isMissing("na"));
  }
}
