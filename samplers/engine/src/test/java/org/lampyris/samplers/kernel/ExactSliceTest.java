package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.kernel.Slice.Directions;

/**
 * Slice sampling on a {@link SliceLattice}, enumerated: the transition matrix, added up from the
 * very code that samples, must leave the density on the lattice invariant, to rounding.
 */
class ExactSliceTest {
  private static final double TOLERANCE = 1e-13;

  private static final SliceLattice TWO_MODES =
      new SliceLattice(new double[] {0.2, 1, 3, 1.5, 0.4, 0, 0.1, 0.9, 0.9, 2, 2.5, 0.3, 0.05});

  static Stream<Arguments> settings() {
    return Stream.of(
        Arguments.of(4, 1), Arguments.of(2, 3), Arguments.of(3, 2), Arguments.of(9, 1));
  }

  private static double[][] matrix(
      SliceLattice target, Directions directions, int width, int limit) {
    Slice slice = new Slice(Preconditioner.identity(1), width, directions, 1, limit);
    return target.matrix(SliceLattice.Step.of(target, slice));
  }

  @ParameterizedTest(name = "width {0}, limit {1}")
  @MethodSource("settings")
  void leavesTwoModesInvariant(int width, int limit) {
    for (Directions directions : Directions.values()) {
      double[][] matrix = matrix(TWO_MODES, directions, width, limit);
      assertEquals(0, violation(TWO_MODES, matrix), TOLERANCE);
      assertReversible(TWO_MODES, matrix);
    }
  }

  /** All but two, whose paths have no end: {@code MutantsTest} finds them out by sampling. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"LEVEL_REDRAWN", "SHRINKS_THE_WRONG_END"})
  void faultsAreFoundOut(Mutants.SliceFault fault) {
    double[][] matrix =
        TWO_MODES.matrix(
            (from, noise) -> Mutants.slice(TWO_MODES, new double[] {from}, noise, 3, fault)[0]);
    assertTrue(violation(TWO_MODES, matrix) > 1e-4, "violation " + violation(TWO_MODES, matrix));
  }

  private static double violation(SliceLattice target, double[][] matrix) {
    double total = Arrays.stream(target.density()).sum();
    double largest = 0;
    for (int j = 0; j < target.density().length; j++) {
      double after = 0;
      for (int i = 0; i < target.density().length; i++) {
        after += target.density()[i] * matrix[i][j];
      }
      largest = Math.max(largest, Math.abs(after - target.density()[j]) / total);
    }
    return largest;
  }

  private static void assertReversible(SliceLattice target, double[][] matrix) {
    for (int i = 0; i < target.density().length; i++) {
      for (int j = 0; j < target.density().length; j++) {
        double there = target.density()[i] * matrix[i][j];
        double back = target.density()[j] * matrix[j][i];
        assertEquals(there, back, 1e-13, i + " and " + j);
      }
    }
  }
}
