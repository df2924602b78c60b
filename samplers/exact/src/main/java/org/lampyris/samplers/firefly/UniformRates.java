package org.lampyris.samplers.firefly;

/** One rate for all rows, as in Algorithm 2 of Maclaurin and Adams (2014). Immutable. */
public final class UniformRates implements BlockRates {
  private final double hazard;
  private final double rate;
  private final double logRate;
  private final int rows;

  /** Takes q, in (0, 1], and how many rows the block has. */
  public UniformRates(double q, int rows) {
    this.hazard = BlockRates.hazard(q);
    this.rate = -Math.expm1(-hazard);
    this.logRate = Math.log(rate);
    this.rows = rows;
  }

  private UniformRates(UniformRates same, int rows) {
    this.hazard = same.hazard;
    this.rate = same.rate;
    this.logRate = same.logRate;
    this.rows = rows;
  }

  @Override
  public double rate(int row) {
    return rate;
  }

  @Override
  public double logRate(int row) {
    return logRate;
  }

  @Override
  public double hazardTo(int row) {
    return hazard * (row + 1);
  }

  @Override
  public int rowAt(double position) {
    int row = (int) Math.min(rows - 1.0, Math.floor(position / hazard));
    return hazardTo(row) < position && row < rows - 1 ? row + 1 : row;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public BlockRates select(int[] selected) {
    return new UniformRates(this, selected.length);
  }

  @Override
  public BlockRates append(BlockRates other) {
    return new UniformRates(this, rows + other.rows());
  }
}
