package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;

/** The statistics of iterations, a row of numbers each: 40 bytes and 8 a declared column. */
final class IterationColumns extends AbstractList<ChainTrace.Iteration>
    implements RandomAccess, Serializable {
  /** How many numbers come before those of the columns that the algorithm declares. */
  private static final int COMMON = 5;

  private final DoubleRows rows;

  IterationColumns(boolean overflows) {
    rows = new DoubleRows(overflows);
  }

  @Override
  public boolean add(ChainTrace.Iteration iteration) {
    StepInfo info = iteration.info();
    double[] row = new double[COMMON + info.columns().size()];
    row[0] = info.acceptanceProbability();
    row[1] = info.tuning();
    row[2] = iteration.seconds();
    row[3] = info.likelihoodEvaluations(); // whole up to 2⁵³
    row[4] = info.divergent() ? 1 : 0;
    for (int k = COMMON; k < row.length; k++) {
      row[k] = info.columns().get(k - COMMON);
    }
    rows.add(row);
    return true;
  }

  void append(IterationColumns further) {
    rows.addAll(further.rows);
  }

  @Override
  public ChainTrace.Iteration get(int index) {
    return of(rows.get(index));
  }

  @Override
  public Iterator<ChainTrace.Iteration> iterator() {
    return from(0);
  }

  /** Reads many at once, where that of a list would read one after the other. */
  @Override
  public Spliterator<ChainTrace.Iteration> spliterator() {
    return Spliterators.spliterator(iterator(), size(), Spliterator.ORDERED);
  }

  /** Returns the iterations from one on: reads them many at once. */
  Iterator<ChainTrace.Iteration> from(int first) {
    return rows.iterator(first, IterationColumns::of);
  }

  private static ChainTrace.Iteration of(double[] row) {
    List<Double> declared = new ArrayList<>(row.length - COMMON);
    for (int k = COMMON; k < row.length; k++) {
      declared.add(row[k]);
    }
    return new ChainTrace.Iteration(
        new StepInfo(row[0], (long) row[3], row[4] != 0, row[1], declared), row[2]);
  }

  @Override
  public int size() {
    return rows.size();
  }
}
