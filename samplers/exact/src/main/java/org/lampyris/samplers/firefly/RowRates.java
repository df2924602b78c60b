package org.lampyris.samplers.firefly;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A rate for each row, as a running sum of hazards. Immutable by convention. */
public final class RowRates implements BlockRates {
  private final double[] cumulativeHazard;
  private transient @Nullable HazardGuide guide;

  /** Takes H_n for each row, ascending; not copied. */
  public RowRates(double[] cumulativeHazard) {
    this.cumulativeHazard = cumulativeHazard;
  }

  @Override
  public double rate(int row) {
    return -Math.expm1(
        row == 0 ? -cumulativeHazard[0] : cumulativeHazard[row - 1] - cumulativeHazard[row]);
  }

  @Override
  public double hazardTo(int row) {
    return cumulativeHazard[row];
  }

  @Override
  public int rowAt(double hazard) {
    // Two threads may both make a guide, of which either will do: it is immutable.
    HazardGuide made = guide;
    if (made == null) {
      made = new HazardGuide(cumulativeHazard);
      guide = made;
    }
    return made.rowAt(hazard);
  }

  @Override
  public int rows() {
    return cumulativeHazard.length;
  }

  @Override
  public BlockRates select(int[] rows) {
    double[] logRates = new double[rows.length];
    Arrays.setAll(logRates, i -> logRate(rows[i]));
    return new SelectedRates(logRates);
  }

  @Override
  public BlockRates append(BlockRates other) {
    throw new IllegalStateException("the rates of a whole block cannot be joined with others");
  }
}
