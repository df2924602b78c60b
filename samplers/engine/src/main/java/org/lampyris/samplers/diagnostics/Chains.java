package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** The draws of one variable, {@code double[chains][iterations]}: their shape and their halves. */
final class Chains {
  /** Draws that differ by less are one constant: an absolute number, as in R's posterior. */
  private static final double CONSTANT_TOLERANCE = Math.ulp(1.0);

  private Chains() {}

  /** Refuses draws that are no rectangle of at least one chain and one iteration. */
  static void requireRectangle(double[][] draws) {
    if (draws.length == 0 || draws[0].length == 0) {
      throw new IllegalArgumentException("no draws");
    }
    for (int chain = 1; chain < draws.length; chain++) {
      if (draws[chain].length != draws[0].length) {
        throw new IllegalArgumentException(
            String.format(
                "chain %d has %d draws where chain 1 has %d",
                chain + 1, draws[chain].length, draws[0].length));
      }
    }
  }

  /** Returns how many draws the halves of chains have in all. */
  static int sizeOfHalves(int chains, int iterations) {
    return Math.multiplyExact(chains, iterations == 1 ? 1 : iterations - iterations % 2);
  }

  /**
   * Returns the draws of the chains' halves, without the middle one of an odd number: the argument
   * itself if nothing is left out.
   */
  static double[][] withoutMiddle(double[][] draws) {
    int iterations = draws[0].length;
    if (iterations == 1 || iterations % 2 == 0) {
      return draws;
    }
    int half = iterations / 2;
    double[][] out = new double[draws.length][2 * half];
    for (int chain = 0; chain < draws.length; chain++) {
      System.arraycopy(draws[chain], 0, out[chain], 0, half);
      System.arraycopy(draws[chain], half + 1, out[chain], half, half);
    }
    return out;
  }

  /**
   * Returns the first halves of all chains, then the second halves. The middle draw of an odd
   * number belongs to neither; a single draw cannot be halved and is returned as it is.
   */
  static double[][] split(double[][] draws) {
    int iterations = draws[0].length;
    if (iterations == 1) {
      return draws;
    }
    int half = iterations / 2;
    double[][] halves = new double[2 * draws.length][];
    for (int chain = 0; chain < draws.length; chain++) {
      halves[chain] = Arrays.copyOf(draws[chain], half);
      halves[draws.length + chain] =
          Arrays.copyOfRange(draws[chain], iterations - half, iterations);
    }
    return halves;
  }

  /** Returns all draws in one new array, chain by chain. */
  static double[] pool(double[][] draws) {
    int iterations = draws[0].length;
    double[] pooled = new double[Math.multiplyExact(draws.length, iterations)];
    for (int chain = 0; chain < draws.length; chain++) {
      System.arraycopy(draws[chain], 0, pooled, chain * iterations, iterations);
    }
    return pooled;
  }

  /** Returns draws pooled as {@link #pool} does as chains again. */
  static double[][] unpool(int chains, double[] pooled) {
    int iterations = pooled.length / chains;
    double[][] draws = new double[chains][];
    for (int chain = 0; chain < chains; chain++) {
      draws[chain] = Arrays.copyOfRange(pooled, chain * iterations, (chain + 1) * iterations);
    }
    return draws;
  }

  /** Returns f of every draw. */
  static double[][] map(double[][] draws, DoubleUnaryOperator f) {
    double[][] out = new double[draws.length][draws[0].length];
    for (int chain = 0; chain < draws.length; chain++) {
      double[] from = draws[chain];
      double[] to = out[chain];
      for (int i = 0; i < from.length; i++) {
        to[i] = f.applyAsDouble(from[i]);
      }
    }
    return out;
  }

  /** Returns whether a draw is some number. */
  static boolean contain(double[][] draws, double number) {
    for (double[] chain : draws) {
      for (double draw : chain) {
        if (draw == number) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns true if no diagnostic is defined: a draw is NaN or infinite, or all are equal.
   *
   * @param min the least draw
   * @param max the greatest draw; it or the least is NaN if a draw is
   */
  static boolean areDegenerate(double min, double max) {
    return !Double.isFinite(min) || !Double.isFinite(max) || max - min < CONSTANT_TOLERANCE;
  }
}
