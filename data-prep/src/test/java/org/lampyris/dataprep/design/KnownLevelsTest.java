package org.lampyris.dataprep.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class KnownLevelsTest {
  @Test
  void aCellIsTheLevelToTheLetterOrTheOneOfItsNumber() {
    KnownLevels known = KnownLevels.of(List.of("007", "7", "1.10", "1.1", "2.0", "A12"));
    for (String level : List.of("007", "7", "1.10", "1.1", "2.0", "A12")) {
      assertEquals(level, known.level(level));
    }
    assertEquals("2.0", known.level(2.0));
    assertEquals("2.0", known.level(2));
    assertEquals("7", known.level("7.0"));
    assertEquals("07", known.level("07"), "no level, and not 7");
    assertEquals("3", known.level("3.0"), "no level either");
    assertNull(known.level(" "));
    assertNull(known.level(null));
  }

  @Test
  void aThirdSpellingOfTwoLevelsIsNeither() {
    KnownLevels known = KnownLevels.of(List.of("1.0", "1.00"));
    assertEquals("1.00", known.level("1.00"));
    assertEquals("1", known.level("1"));
  }
}
