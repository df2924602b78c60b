package org.lampyris.samplers.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.lampyris.samplers.random.Noise;

/**
 * Takes every way that the discrete decisions of a θ-step can fall, each with its probability,
 * while continuous numbers are what the test says.
 */
abstract class PathNoise implements Noise {
  /** Where a ratio is 1 but for rounding, whether it reaches 1 must not matter. */
  private static final double CERTAIN = 1 - 1e-11;

  private List<Integer> script = List.of();
  private final List<Integer> taken = new ArrayList<>();
  private final StringBuilder decisions = new StringBuilder();
  private final Deque<List<Integer>> open = new ArrayDeque<>();
  private double probability = 1;

  /** Runs a step once for every path of positive probability. */
  final void forEachPath(Consumer<PathNoise> step) {
    open.push(List.of());
    while (!open.isEmpty()) {
      script = open.pop();
      taken.clear();
      decisions.setLength(0);
      probability = 1;
      step.accept(this);
    }
  }

  /** Returns the probability of the path. */
  final double probability() {
    return probability;
  }

  /** Returns the path's decisions, and which of them were certain. */
  final String decisions() {
    return decisions.toString();
  }

  /** Takes one of several outcomes, the others later. */
  final int choose(double... probabilities) {
    int outcome;
    if (taken.size() < script.size()) {
      outcome = script.get(taken.size());
    } else {
      outcome = -1;
      for (int i = 0; i < probabilities.length; i++) {
        if (probabilities[i] > 0) {
          if (outcome < 0) {
            outcome = i;
          } else {
            List<Integer> other = new ArrayList<>(taken);
            other.add(i);
            open.push(other);
          }
        }
      }
    }
    taken.add(outcome);
    probability *= probabilities[outcome];
    decisions.append(outcome).append(probabilities[outcome] > CERTAIN ? '!' : '?');
    return outcome;
  }

  @Override
  public boolean flip(double p) {
    if (!(p >= 0 && p <= 1)) {
      throw new AssertionError("probability " + p);
    }
    return choose(p, 1 - p) == 0;
  }

  @Override
  public int index(int count) {
    double[] probabilities = new double[count];
    java.util.Arrays.fill(probabilities, 1.0 / count);
    return choose(probabilities);
  }
}
