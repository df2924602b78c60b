package org.lampyris.samplers.selection;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Features that enter and leave a model: each has one coefficient of θ for each linear predictor. A
 * feature is out where these are 0, exactly, which no draw from a density is. All other elements of
 * θ, intercepts and dispersions, are always there.
 *
 * @param elements the elements of each feature, in order; none is in two
 * @param dimension the length of θ
 */
record Features(List<int[]> elements, int dimension) implements Serializable {
  /** Returns D, the number of features. */
  int count() {
    return elements.size();
  }

  /** Returns which features are in. θ is not modified. */
  boolean[] in(double[] theta) {
    boolean[] in = new boolean[count()];
    for (int f = 0; f < in.length; f++) {
      in[f] = Arrays.stream(elements.get(f)).anyMatch(j -> theta[j] != 0);
    }
    return in;
  }

  /** Returns how many features are in. */
  static int size(boolean[] in) {
    return numbers(in.length, f -> in[f]).length;
  }

  /** Returns the numbers in 0 … count − 1 that satisfy a condition, ascending. */
  static int[] numbers(int count, IntPredicate which) {
    return IntStream.range(0, count).filter(which).toArray();
  }

  /** Returns the elements of θ that are there if these features are in, ascending. */
  int[] present(boolean[] in) {
    boolean[] absent = absent(in);
    return numbers(dimension, j -> !absent[j]);
  }

  /** Returns for each element of θ whether it belongs to a feature that is out. */
  boolean[] absent(boolean[] in) {
    boolean[] absent = new boolean[dimension];
    for (int f = 0; f < in.length; f++) {
      for (int j : elements.get(f)) {
        absent[j] = !in[f];
      }
    }
    return absent;
  }
}
