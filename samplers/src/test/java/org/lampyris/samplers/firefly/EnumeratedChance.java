package org.lampyris.samplers.firefly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Takes every way that the random decisions of a z-step can fall, with its probability. */
final class EnumeratedChance implements Chance {
  private final List<Boolean> script;
  private final List<Boolean> taken = new ArrayList<>();
  private final Deque<List<Boolean>> open;
  private double probability = 1;

  private EnumeratedChance(List<Boolean> script, Deque<List<Boolean>> open) {
    this.script = script;
    this.open = open;
  }

  /** Runs a z-step once for every outcome of positive probability. */
  static void forEach(Consumer<EnumeratedChance> run) {
    Deque<List<Boolean>> open = new ArrayDeque<>();
    open.push(List.of());
    while (!open.isEmpty()) {
      run.accept(new EnumeratedChance(open.pop(), open));
    }
  }

  /** Returns the probability of the outcome that was taken. */
  double probability() {
    return probability;
  }

  @Override
  public boolean flip(double p) {
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
  public void candidates(CandidateRates rates, BoundBlock block, IntConsumer candidate) {
    for (int row = 0; row < block.data().rows(); row++) {
      if (flip(rates.rate(block, row))) {
        candidate.accept(row);
      }
    }
  }
}
