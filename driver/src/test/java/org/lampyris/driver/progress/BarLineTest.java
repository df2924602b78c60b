package org.lampyris.driver.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BarLineTest {
  private final BarLine line = new BarLine(false, new Pace());

  @Test
  void aPhaseOfKnownLengthHasABarAndTheTimeLeft() {
    assertEquals(
        "sampling     25 % ##......... 250/1000  6.0 s left  accept 0.23, bright 28.3",
        line.line("sampling", 250, 1000, 2, 6, "accept 0.23, bright 28.3", 76));
    assertEquals(
        "sampling      0 % .......... 0/1000  ",
        line.line("sampling", 0, 1000, 2, Double.NaN, "", 37));
    assertEquals(
        "sampling    100 % " + "#".repeat(40) + " 1000/1000  took 12 s",
        line.line("sampling", 1000, 1000, 12, 0, "", 200).stripTrailing());
  }

  @Test
  void aPhaseOfUnknownLengthHasTheTimeSoFar() {
    assertEquals(
        "prepare     42 s  block pass 1 of 2",
        line.line("prepare", 0, 0, 42, Double.NaN, " block pass 1 of 2", 80).stripTrailing());
  }

  @Test
  void theLineFillsItsWidth() {
    // What an earlier, longer line left behind is overwritten.
    assertEquals(80, line.line("prepare", 0, 0, 42, Double.NaN, "x", 80).length());
    assertEquals(80, line.line("sampling", 3, 9, 42, 84, "x", 80).length());
    assertEquals(80, line.line("prepare", 0, 0, 42, Double.NaN, "x".repeat(100), 80).length());
  }

  @Test
  void aNarrowTerminalLosesTheBarFirst() {
    assertEquals(
        "sampling     25 %  250/1000  6.0 s left  accept 0.23  ",
        line.line("sampling", 250, 1000, 2, 6, "accept 0.23", 54));
    assertEquals(
        "sampling     25 %  250", line.line("sampling", 250, 1000, 2, 6, "accept 0.23", 22));
  }
}
