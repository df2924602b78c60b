package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** The statistics of iterations by column: 33 bytes an iteration and 8 a declared column. */
final class IterationColumns extends AbstractList<ChainTrace.Iteration>
    implements RandomAccess, Serializable {
  /** How many columns come before those that the algorithm declares. */
  private static final int COMMON = 3;

  /** Acceptance probability, tuning and seconds, then the declared columns. */
  private double[][] columns = new double[COMMON][16];

  private long[] evaluations = new long[16];
  private boolean[] divergent = new boolean[16];
  private int size;

  @Override
  public boolean add(ChainTrace.Iteration iteration) {
    StepInfo info = iteration.info();
    reserve(size + 1, COMMON + info.columns().size());
    columns[0][size] = info.acceptanceProbability();
    columns[1][size] = info.tuning();
    columns[2][size] = iteration.seconds();
    for (int k = COMMON; k < columns.length; k++) {
      columns[k][size] = info.columns().get(k - COMMON);
    }
    evaluations[size] = info.likelihoodEvaluations();
    divergent[size] = info.divergent();
    size++;
    return true;
  }

  void append(IterationColumns further) {
    reserve(size + further.size, further.columns.length);
    for (int k = 0; k < columns.length && further.size > 0; k++) {
      System.arraycopy(further.columns[k], 0, columns[k], size, further.size);
    }
    System.arraycopy(further.evaluations, 0, evaluations, size, further.size);
    System.arraycopy(further.divergent, 0, divergent, size, further.size);
    size += further.size;
  }

  /** Makes room; the first iteration settles how many columns there are. */
  private void reserve(int needed, int width) {
    if (size == 0) {
      columns = new double[width][evaluations.length];
    }
    if (needed > evaluations.length) {
      int length = Math.max(needed, Math.addExact(evaluations.length, evaluations.length / 2));
      Arrays.setAll(columns, k -> Arrays.copyOf(columns[k], length));
      evaluations = Arrays.copyOf(evaluations, length);
      divergent = Arrays.copyOf(divergent, length);
    }
  }

  @Override
  public ChainTrace.Iteration get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    List<Double> declared =
        Arrays.stream(columns).skip(COMMON).map(column -> column[index]).toList();
    StepInfo info =
        new StepInfo(
            columns[0][index], evaluations[index], divergent[index], columns[1][index], declared);
    return new ChainTrace.Iteration(info, columns[2][index]);
  }

  @Override
  public int size() {
    return size;
  }
}
