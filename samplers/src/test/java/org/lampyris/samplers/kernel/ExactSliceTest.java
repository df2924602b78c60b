package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.firefly.TinyModel;
import org.lampyris.samplers.kernel.Slice.Directions;

/**
 * Slice sampling on a lattice, enumerated. A uniform number between two ends is one of the lattice
 * points between them (of the half-way points for the place of the bracket, so that its ends are
 * never lattice points), and the level is in one of the intervals between the values that the
 * density takes; everything else is finite. The proof that slice sampling is reversible holds for
 * the counting measure as it does for Lebesgue's, and so the transition matrix, added up from the
 * very code that samples, must leave the density on the lattice invariant, to rounding.
 */
class ExactSliceTest {
  private static final int STATES = 13;
  private static final double TOLERANCE = 1e-14;

  /** One step from a lattice point with given noise. */
  @FunctionalInterface
  interface Step {
    double step(double from, Noise noise);
  }

  /** A density on the points 0, 1, …, 12, and 0 everywhere else. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Lattice(double[] density) implements LogDensity {
    @Override
    public int dimension() {
      return 1;
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      for (int k = 0; k < thetas.length; k++) {
        double at = thetas[k][0];
        // An end of a bracket is between two points and belongs to the one below.
        int i = (int) Math.floor(at);
        out[k] = i >= 0 && i < STATES ? Math.log(density[i]) : Double.NEGATIVE_INFINITY;
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      throw new AssertionError("slice sampling asks for no gradient");
    }

    /** Returns the density that Firefly's conditional has on a grid of θ. */
    static Lattice ofFirefly(int set) {
      LogDensity conditional = TinyModel.conditional(set);
      double[] log = new double[STATES];
      for (int i = 0; i < STATES; i++) {
        log[i] = conditional.value(new double[] {-1.9 + 0.31 * i});
      }
      double peak = Arrays.stream(log).max().orElseThrow();
      return new Lattice(Arrays.stream(log).map(x -> Math.exp(x - peak)).toArray());
    }
  }

  private static final Lattice TWO_MODES =
      new Lattice(new double[] {0.2, 1, 3, 1.5, 0.4, 0, 0.1, 0.9, 0.9, 2, 2.5, 0.3, 0.05});

  static Stream<Arguments> settings() {
    return Stream.of(
        Arguments.of(4, 1), Arguments.of(2, 3), Arguments.of(3, 2), Arguments.of(9, 1));
  }

  private static Step step(Lattice target, Directions directions, int width, int limit) {
    Slice slice = new Slice(Preconditioner.identity(1), width, directions, 1, limit);
    return (from, noise) ->
        slice.step(target, Point.at(new double[] {from}), noise).point().theta()[0];
  }

  @ParameterizedTest(name = "width {0}, limit {1}")
  @MethodSource("settings")
  void leavesTwoModesInvariant(int width, int limit) {
    for (Directions directions :
        new Directions[] {Directions.COORDINATE, Directions.RANDOM_COORDINATE}) {
      double[][] matrix = matrix(TWO_MODES, step(TWO_MODES, directions, width, limit));
      assertEquals(0, violation(TWO_MODES, matrix), TOLERANCE);
      assertReversible(TWO_MODES, matrix);
    }
  }

  @Test
  void leavesEveryFireflyConditionalInvariant() {
    for (int set = 0; set < TinyModel.SETS; set++) {
      Lattice target = Lattice.ofFirefly(set);
      double[][] matrix = matrix(target, step(target, Directions.COORDINATE, 3, 2));
      assertEquals(0, violation(target, matrix), TOLERANCE, "bright rows " + set);
    }
  }

  /** All but two, whose paths have no end: {@code MutantsTest} finds them out by sampling. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"LEVEL_REDRAWN", "SHRINKS_THE_WRONG_END"})
  void faultsAreFoundOut(Mutants.SliceFault fault) {
    double[][] matrix =
        matrix(
            TWO_MODES,
            (from, noise) -> Mutants.slice(TWO_MODES, new double[] {from}, noise, 3, fault)[0]);
    assertTrue(violation(TWO_MODES, matrix) > 1e-4, "violation " + violation(TWO_MODES, matrix));
  }

  private static double[][] matrix(Lattice target, Step step) {
    double[][] matrix = new double[STATES][STATES];
    for (int from = 0; from < STATES; from++) {
      if (target.density()[from] > 0) {
        double[] row = matrix[from];
        int start = from;
        new LatticeNoise(target.density(), from)
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

  private static double violation(Lattice target, double[][] matrix) {
    double total = Arrays.stream(target.density()).sum();
    double largest = 0;
    for (int j = 0; j < STATES; j++) {
      double after = 0;
      for (int i = 0; i < STATES; i++) {
        after += target.density()[i] * matrix[i][j];
      }
      largest = Math.max(largest, Math.abs(after - target.density()[j]) / total);
    }
    return largest;
  }

  private static void assertReversible(Lattice target, double[][] matrix) {
    for (int i = 0; i < STATES; i++) {
      for (int j = 0; j < STATES; j++) {
        double there = target.density()[i] * matrix[i][j];
        double back = target.density()[j] * matrix[j][i];
        assertEquals(there, back, 1e-13, i + " and " + j);
      }
    }
  }

  /** The finite noise of a step from a lattice point. */
  private static final class LatticeNoise extends PathNoise {
    private final double[] levels;
    private final double current;

    LatticeNoise(double[] density, int from) {
      this.levels =
          Stream.concat(Stream.of(0.0), Arrays.stream(density).boxed())
              .distinct()
              .sorted()
              .mapToDouble(x -> x)
              .toArray();
      this.current = density[from];
    }

    @Override
    public double normal() {
      throw new AssertionError("a coordinate's direction is not drawn");
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
