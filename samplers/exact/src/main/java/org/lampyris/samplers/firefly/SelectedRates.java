package org.lampyris.samplers.firefly;

import java.util.Arrays;

/** The rates of rows that were taken out of their block: candidates cannot be drawn from them. */
public final class SelectedRates implements BlockRates {
  private final double[] logRates;

  SelectedRates(double[] logRates) {
    this.logRates = logRates;
  }

  @Override
  public double rate(int row) {
    return Math.exp(logRates[row]);
  }

  @Override
  public double logRate(int row) {
    return logRates[row];
  }

  @Override
  public double hazardTo(int row) {
    throw new IllegalStateException("nothing can be drawn from selected rows");
  }

  @Override
  public int rowAt(double hazard) {
    throw new IllegalStateException("nothing can be drawn from selected rows");
  }

  @Override
  public int rows() {
    return logRates.length;
  }

  @Override
  public BlockRates select(int[] rows) {
    double[] selected = new double[rows.length];
    Arrays.setAll(selected, i -> logRates[rows[i]]);
    return new SelectedRates(selected);
  }

  @Override
  public BlockRates append(BlockRates other) {
    double[] all = Arrays.copyOf(logRates, logRates.length + other.rows());
    for (int i = 0; i < other.rows(); i++) {
      all[logRates.length + i] = other.logRate(i);
    }
    return new SelectedRates(all);
  }
}
