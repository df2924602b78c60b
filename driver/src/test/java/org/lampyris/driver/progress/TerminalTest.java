package org.lampyris.driver.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void theLauncherKnowsBest() {
    assertTrue(Terminal.isTerminal("true", "xterm", () -> false));
    assertFalse(Terminal.isTerminal("false", "xterm", () -> true));
    assertTrue(Terminal.isTerminal(null, null, () -> true));
    assertFalse(Terminal.isTerminal("true", "dumb", () -> true));
  }

  @Test
  void readingsLeaveOutWhatThereIsNot() {
    assertEquals("", Reading.NONE.toString());
    assertEquals("accept 0.25", new Reading(0.25, Map.of(), Double.NaN).toString());
    assertEquals(
        "accept 0.25, bright 5,643, evals/iter 6,275",
        new Reading(0.25, Map.of("bright", 5642.7), 6275).toString());
  }
}
