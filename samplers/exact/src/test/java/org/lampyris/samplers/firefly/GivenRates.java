package org.lampyris.samplers.firefly;

import java.util.Arrays;

/** Rates of rows as a test gives them. */
public final class GivenRates {
  private GivenRates() {}

  /** Returns the rates of a block. */
  public static BlockRates.OfRows of(double... q) {
    double[] hazard = Arrays.stream(q).map(BlockRates::hazard).toArray();
    Arrays.parallelPrefix(hazard, Double::sum);
    return new BlockRates.OfRows(hazard);
  }
}
