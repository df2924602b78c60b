package org.lampyris.samplers.firefly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;

/** Takes every way that the random decisions of a z-step can fall, with its probability. */
public final class EnumeratedChance implements BrightnessResampling.Chance {
  /** What a z-step gets wrong. */
  public enum Fault {
    /** Nothing. */
    NONE,
    /** It decides the other way around. */
    TURNED,
    /** It decides the other way around for candidates only. */
    TURNED_FOR_CANDIDATES
  }

  private final List<BoundBlock> blocks;
  private final Fault fault;
  private final List<Boolean> script;
  private final List<Boolean> taken = new ArrayList<>();
  private final Deque<List<Boolean>> open;
  private double probability = 1;

  private EnumeratedChance(
      List<BoundBlock> blocks, Fault fault, List<Boolean> script, Deque<List<Boolean>> open) {
    this.blocks = blocks;
    this.fault = fault;
    this.script = script;
    this.open = open;
  }

  /** Runs a z-step once for every outcome of positive probability. */
  public static void forEach(List<BoundBlock> blocks, Consumer<EnumeratedChance> run) {
    forEach(blocks, Fault.NONE, run);
  }

  /** Runs a z-step that may be wrong once for every outcome of positive probability. */
  public static void forEach(List<BoundBlock> blocks, Fault fault, Consumer<EnumeratedChance> run) {
    Deque<List<Boolean>> open = new ArrayDeque<>();
    open.push(List.of());
    while (!open.isEmpty()) {
      run.accept(new EnumeratedChance(blocks, fault, open.pop(), open));
    }
  }

  /** Returns the probability of the outcome that was taken. */
  public double probability() {
    return probability;
  }

  /**
   * Makes a z-step by the code that samples, with these decisions.
   *
   * @param bound the rows' bound
   * @param update the z-step
   * @param bright the ids of the bright rows before it, ascending
   * @return the ids of the bright rows after it
   */
  public long[] resample(LowerBound bound, BrightnessKernel.Update update, long[] bright) {
    double[] unknown = new double[bright.length];
    Arrays.fill(unknown, Double.NaN);
    BrightnessResampling rows =
        new BrightnessResampling(
            Rows.whole(blocks),
            bound,
            update.theta(),
            new Brightness(new double[0][], bright, new double[0][]),
            unknown);
    update.kernel().resample(rows, this, update);
    return rows.after(Brightness.dark()).rows();
  }

  @Override
  public boolean flip(double p) {
    return decide(fault == Fault.TURNED ? 1 - p : p);
  }

  @Override
  public boolean flip(int candidate, double p) {
    return decide(fault == Fault.NONE ? p : 1 - p);
  }

  private boolean decide(double p) {
    if (!(p >= 0 && p <= 1)) {
      throw new AssertionError("probability " + p);
    }
    boolean outcome;
    if (p == 0 || p == 1) {
      return p == 1;
    } else if (taken.size() < script.size()) {
      outcome = script.get(taken.size());
    } else {
      List<Boolean> other = new ArrayList<>(taken);
      other.add(false);
      open.push(other);
      outcome = true;
    }
    taken.add(outcome);
    probability *= outcome ? p : 1 - p;
    return outcome;
  }

  @Override
  public void enter(long block) {
    // Every decision is enumerated, whichever block it is about.
  }

  @Override
  public void candidates(BrightnessKernel.Update update, LongConsumer candidate) {
    if (update.kernel() instanceof ImplicitBrightness) {
      for (BoundBlock block : blocks) {
        for (int row = 0; row < block.data().rows(); row++) {
          if (decide(block.rates().rate(row))) {
            candidate.accept(RowId.of(block.id(), row));
          }
        }
      }
    } else {
      // Which rows are selected is no decision: the test adds up over the selections itself.
      BrightnessKernel.Candidates selected =
          new BrightnessKernel.Candidates(
              update.kernel(), new Streams(1), 1, RowSelection.Size.fixed(update.selected()));
      new DrawnEvents<>(selected, blocks)
          .visit(
              update.iteration(),
              Double.POSITIVE_INFINITY,
              (row, number) -> {
                candidate.accept(row);
                return true;
              });
    }
  }
}
