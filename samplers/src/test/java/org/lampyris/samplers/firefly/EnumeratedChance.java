package org.lampyris.samplers.firefly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.lampyris.bounds.family.logistic.JaakkolaJordanBound;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;
import org.lampyris.samplers.random.Streams;

/** Takes every way that the random decisions of a z-step can fall, with its probability. */
final class EnumeratedChance implements Chance {
  private static final FireflyPass PASS =
      new FireflyPass(new JaakkolaJordanBound(1), new Streams(1));

  private final List<BoundBlock> blocks;
  private final List<Boolean> script;
  private final List<Boolean> taken = new ArrayList<>();
  private final Deque<List<Boolean>> open;
  private double probability = 1;

  private EnumeratedChance(
      List<BoundBlock> blocks, List<Boolean> script, Deque<List<Boolean>> open) {
    this.blocks = blocks;
    this.script = script;
    this.open = open;
  }

  /** Runs a z-step once for every outcome of positive probability. */
  static void forEach(List<BoundBlock> blocks, Consumer<EnumeratedChance> run) {
    Deque<List<Boolean>> open = new ArrayDeque<>();
    open.push(List.of());
    while (!open.isEmpty()) {
      run.accept(new EnumeratedChance(blocks, open.pop(), open));
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
  public boolean flip(int candidate, double p) {
    return flip(p);
  }

  @Override
  public void enter(BoundBlock block) {
    // Every decision is enumerated, whichever block it is about.
  }

  @Override
  public void candidates(BrightnessUpdate update, Candidate candidate) {
    if (update.kernel() instanceof ImplicitBrightness implicit) {
      for (int b = 0; b < blocks.size(); b++) {
        for (int row = 0; row < blocks.get(b).data().rows(); row++) {
          if (flip(implicit.rates().rate(blocks.get(b), row))) {
            candidate.row(Brightness.key(b, row));
          }
        }
      }
    } else {
      // Which rows are selected is no decision: the test adds up over the selections itself.
      new DrawnCandidates(PASS, blocks, null)
          .candidates(update, 1, (key, uniform) -> candidate.row(key));
    }
  }
}
