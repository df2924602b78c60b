package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.Stream;
import org.lampyris.samplers.random.Noise;

/**
 * A density on the points 0, 1, …, K − 1, and 0 everywhere else, on which slice sampling has a
 * transition matrix.
 *
 * <p>A uniform number between two ends is one of the lattice points between them (of the half-way
 * points for the place of the bracket, so that its ends are never lattice points), and the level is
 * in one of the intervals between the values that the density takes; everything else is finite. A
 * direction in one dimension is up or down. The proof that slice sampling is reversible holds for
 * the counting measure as it does for Lebesgue's.
 *
 * @param density the density, not normalised
 */
record SliceLattice(double[] density) implements LogDensity {

  /** One step from a lattice point with given noise. */
  @FunctionalInterface
  interface Step {
    double step(double from, Noise noise);

    /** Returns the steps of slice sampling, with the bracket's width in lattice points. */
    static Step of(SliceLattice target, Slice slice) {
      return (from, noise) ->
          slice.step(target, Point.at(new double[] {from}), noise).point().theta()[0];
    }
  }

  /** Returns the density that a target has at some θ, in ascending order. */
  static SliceLattice of(LogDensity target, double[] thetas) {
    double[] log = Arrays.stream(thetas).map(theta -> target.value(new double[] {theta})).toArray();
    double peak = Arrays.stream(log).max().orElseThrow();
    return new SliceLattice(Arrays.stream(log).map(x -> Math.exp(x - peak)).toArray());
  }

  @Override
  public int dimension() {
    return 1;
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    for (int k = 0; k < thetas.length; k++) {
      // An end of a bracket is between two points and belongs to the one below.
      int i = (int) Math.floor(thetas[k][0]);
      out[k] = i >= 0 && i < density.length ? Math.log(density[i]) : Double.NEGATIVE_INFINITY;
    }
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    throw new AssertionError("slice sampling asks for no gradient");
  }

  /** Returns the transition matrix; points of density 0 are left out. */
  double[][] matrix(Step step) {
    double[][] matrix = new double[density.length][density.length];
    for (int from = 0; from < density.length; from++) {
      if (density[from] > 0) {
        double[] row = matrix[from];
        int start = from;
        new FiniteNoise(from)
            .forEachPath(
                noise -> {
                  double to = step.step(start, noise);
                  assertEquals(Math.rint(to), to);
                  row[(int) to] += noise.probability();
                });
        assertEquals(1, Arrays.stream(row).sum(), 1e-12);
      }
    }
    return matrix;
  }

  /** The finite noise of a step from a lattice point. */
  private final class FiniteNoise extends PathNoise {
    private final double[] levels;
    private final double current;

    FiniteNoise(int from) {
      this.levels =
          Stream.concat(Stream.of(0.0), Arrays.stream(density).boxed())
              .distinct()
              .sorted()
              .mapToDouble(x -> x)
              .toArray();
      this.current = density[from];
    }

    /** Returns 1 or −1: only the sign of a normal number matters to a direction. */
    @Override
    public double normal() {
      return 1 - 2 * index(2);
    }

    /** Returns e with the level y = π·exp(−e) half-way between two values of the density. */
    @Override
    public double exponential() {
      int below = Arrays.binarySearch(levels, current);
      double[] probabilities = new double[below];
      for (int i = 0; i < below; i++) {
        probabilities[i] = (levels[i + 1] - levels[i]) / current;
      }
      int chosen = choose(probabilities);
      return Math.log(current) - Math.log(0.5 * (levels[chosen] + levels[chosen + 1]));
    }

    /** Returns a whole number between the ends; a half-way one if they are 0 and the width. */
    @Override
    public double uniform(double low, double high) {
      boolean place = low == 0;
      double first = place ? low + 0.5 : Math.floor(low) + 1;
      double last = place ? high - 0.5 : Math.ceil(high) - 1;
      // A faulty bracket may hold no point at all, and then stays as it is.
      return last < first ? low : first + index((int) Math.rint(last - first) + 1);
    }
  }
}
