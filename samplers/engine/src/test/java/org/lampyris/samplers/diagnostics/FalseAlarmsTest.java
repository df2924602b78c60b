package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FalseAlarmsTest {

  /** Smirnov (1948); the whole series adds less than 10⁻⁷. */
  @Test
  void oneFigureHasTheKnownLimits() {
    FalseAlarms one = new FalseAlarms(0.01, 1);
    assertEquals(2.5758, one.sigmas(), 1e-4);
    assertEquals(1.6276, one.kolmogorov(), 1e-4);
    assertEquals(6.6349, one.chiSquared(1), 1e-4);
    FalseAlarms often = new FalseAlarms(0.05, 1);
    assertEquals(1.9600, often.sigmas(), 1e-4);
    assertEquals(1.3581, often.kolmogorov(), 1e-4);
    assertEquals(11.0705, often.chiSquared(5), 1e-4);
  }

  @Test
  void manyFiguresShareTheRate() {
    FalseAlarms many = new FalseAlarms(0.05, 50);
    FalseAlarms one = new FalseAlarms(0.001, 1);
    assertEquals(one.sigmas(), many.sigmas());
    assertEquals(one.kolmogorov(), many.kolmogorov());
    assertEquals(one.chiSquared(3), many.chiSquared(3));
  }
}
