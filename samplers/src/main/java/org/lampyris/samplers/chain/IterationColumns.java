package org.lampyris.samplers.chain;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.lampyris.samplers.kernel.StepInfo;

/**
 * The statistics of iterations, column by column: 41 bytes an iteration, however many there are.
 */
final class IterationColumns extends AbstractList<ChainTrace.Iteration>
    implements RandomAccess, Serializable {
  private static final long serialVersionUID = 1L;

  private double[] acceptance = new double[16];
  private double[] tuning = new double[16];
  private double[] seconds = new double[16];
  private long[] evaluations = new long[16];
  private long[] bright = new long[16];
  private boolean[] divergent = new boolean[16];
  private int size;

  @Override
  public boolean add(ChainTrace.Iteration iteration) {
    reserve(size + 1);
    StepInfo info = iteration.info();
    acceptance[size] = info.acceptanceProbability();
    tuning[size] = info.tuning();
    seconds[size] = iteration.seconds();
    evaluations[size] = info.likelihoodEvaluations();
    bright[size] = info.brightRows();
    divergent[size] = info.divergent();
    size++;
    return true;
  }

  void append(IterationColumns further) {
    reserve(size + further.size);
    System.arraycopy(further.acceptance, 0, acceptance, size, further.size);
    System.arraycopy(further.tuning, 0, tuning, size, further.size);
    System.arraycopy(further.seconds, 0, seconds, size, further.size);
    System.arraycopy(further.evaluations, 0, evaluations, size, further.size);
    System.arraycopy(further.bright, 0, bright, size, further.size);
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
      bright = Arrays.copyOf(bright, length);
      divergent = Arrays.copyOf(divergent, length);
    }
  }

  @Override
  public ChainTrace.Iteration get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return new ChainTrace.Iteration(
        new StepInfo(
            acceptance[index], evaluations[index], bright[index], divergent[index], tuning[index]),
        seconds[index]);
  }

  @Override
  public int size() {
    return size;
  }
}
