package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LampyrisTest {
  private static final String SUPERVISED = "spark.driver.supervise";

  @AfterEach
  void clear() {
    System.clearProperty(SUPERVISED);
  }

  private static List<Integer> codesNotRepeated() {
    return IntStream.range(0, 256).filter(Lampyris::isRepeatedInVain).boxed().toList();
  }

  /** A lost driver is started again; a mistake, a damaged table and few draws are not. */
  @Test
  void aSupervisorIsToldWhichCodesNeedAPerson() {
    assertEquals(List.of(), codesNotRepeated());
    System.setProperty(SUPERVISED, "true");
    assertEquals(List.of(2, 3, 4), codesNotRepeated());
  }
}
