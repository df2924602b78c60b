package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Streams;

class SelectionSizeTest {

  /** E D = rows·(1 − (1 − 1/rows)^draws); the mean of 2,000 draws is within 5 standard errors. */
  @Test
  void distinctRowsAmongDrawsWithReplacement() {
    RowSelection.Size size = RowSelection.Size.distinctOf(60, 100);
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.THETA, 1, 1, 0);
    double sum = 0;
    double squares = 0;
    int draws = 2000;
    for (int i = 0; i < draws; i++) {
      double d = size.draw(rng);
      sum += d;
      squares += d * d;
    }
    double mean = sum / draws;
    double error = Math.sqrt((squares / draws - mean * mean) / draws);
    assertEquals(100 * (1 - Math.pow(0.99, 60)), mean, 5 * error);
    assertTrue(error > 0);
  }
}
