package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * The statistics of iterations, column by column: 33 bytes an iteration and 8 a declared column,
 * however many there are.
 */
final class IterationColumns extends AbstractList<ChainTrace.Iteration>
    implements RandomAccess, Serializable {
  private static final long serialVersionUID = 1L;

  private double[] acceptance = new double[16];
  private double[] tuning = new double[16];
  private double[] seconds = new double[16];
  private long[] evaluations = new long[16];
  private double[][] columns = new double[0][];
  private boolean[] divergent = new boolean[16];
  private int size;

  @Override
  public boolean add(ChainTrace.Iteration iteration) {
    StepInfo info = iteration.info();
    if (size == 0) {
      columns = new double[info.columns().size()][acceptance.length];
    }
    reserve(size + 1);
    acceptance[size] = info.acceptanceProbability();
    tuning[size] = info.tuning();
    seconds[size] = iteration.seconds();
    evaluations[size] = info.likelihoodEvaluations();
    for (int k = 0; k < columns.length; k++) {
      columns[k][size] = info.columns().get(k);
    }
    divergent[size] = info.divergent();
    size++;
    return true;
  }

  void append(IterationColumns further) {
    if (size == 0) {
      columns = new double[further.columns.length][acceptance.length];
    }
    reserve(size + further.size);
    System.arraycopy(further.acceptance, 0, acceptance, size, further.size);
    System.arraycopy(further.tuning, 0, tuning, size, further.size);
    System.arraycopy(further.seconds, 0, seconds, size, further.size);
    System.arraycopy(further.evaluations, 0, evaluations, size, further.size);
    for (int k = 0; k < columns.length && further.size > 0; k++) {
      System.arraycopy(further.columns[k], 0, columns[k], size, further.size);
    }
    System.arraycopy(further.divergent, 0, divergent, size, further.size);
    size += further.size;
  }

  private void reserve(int needed) {
    if (needed > acceptance.length) {
      int length = Math.max(needed, Math.addExact(acceptance.length, acceptance.length / 2));
      acceptance = Arrays.copyOf(acceptance, length);
      tuning = Arrays.copyOf(tuning, length);
      seconds = Arrays.copyOf(seconds, length);
      evaluations = Arrays.copyOf(evaluations, length);
      for (int k = 0; k < columns.length; k++) {
        columns[k] = Arrays.copyOf(columns[k], length);
      }
      divergent = Arrays.copyOf(divergent, length);
    }
  }

  @Override
  public ChainTrace.Iteration get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    List<Double> extra = Arrays.stream(columns).map(column -> column[index]).toList();
    return new ChainTrace.Iteration(
        new StepInfo(acceptance[index], evaluations[index], divergent[index], tuning[index], extra),
        seconds[index]);
  }

  @Override
  public int size() {
    return size;
  }
}
