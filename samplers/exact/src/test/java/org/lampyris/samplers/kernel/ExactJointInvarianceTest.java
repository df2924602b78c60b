package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.firefly.TinyConditional;
import org.lampyris.samplers.firefly.TinyModel;
import org.lampyris.samplers.firefly.TinyModelZSteps;
import org.lampyris.samplers.kernel.Slice.Directions;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.validation.Report;

/**
 * Every z-kernel × every θ-kernel, enumerated: four rows, one coefficient on a lattice of {@value
 * #STATES} points, and so 208 states (θ, z). The matrix of an iteration, z-step then θ-step, is
 * added up from the very code that samples, and must leave the joint posterior, computed from the
 * formulas of Maclaurin and Adams (2014), as it is, to rounding.
 *
 * <p>How a θ-kernel comes to have a matrix: see {@link LatticeKernel} for those with normal noise
 * (Hamiltonian Monte Carlo with one leapfrog step; with more, its ends are off any lattice: {@link
 * ExactContinuousInvarianceTest}) and {@link SliceLattice} for slice sampling.
 */
class ExactJointInvarianceTest {
  static final int STATES = 13;
  private static final double TOLERANCE = 1e-12;
  private static final int SETS = TinyModel.SETS;
  private static final LatticeKernel.Lattice LATTICE =
      new LatticeKernel.Lattice(-1.9, 0.31, STATES);
  private static final double[] JOINT = joint();
  private static final Map<String, double[][][]> Z_STEPS = zSteps();

  /** The matrix of a θ-kernel for a target, on the lattice. */
  private record ThetaStep(String name, Function<LogDensity, double[][]> matrix) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<ThetaStep> thetaSteps() {
    Preconditioner unit = Factors.choleskyOf(new double[] {0.81}, 1);
    double[] centre = {0.4};
    Map<String, LatticeKernel.Step> kernels = new LinkedHashMap<>();
    kernels.put("random walk", new RandomWalk(unit, 1.1)::step);
    kernels.put("MALA", new Mala(unit, 0.9)::step);
    kernels.put("HMC, one step", new Hmc(unit, 1.2, 1)::step);
    for (boolean turns : new boolean[] {true, false}) {
      kernels.put(
          "HMC about a mode, one step" + (turns ? "" : ", straight"),
          (target, point, noise) ->
              new Hmc(unit, centre, 1.2, 1).trajectory(target, point, noise, turns, false));
    }
    kernels.put("Barker", new Barker(unit, 1.2)::step);
    kernels.put("Crank–Nicolson", new CrankNicolson(centre, unit, 0.7)::step);
    kernels.put("independence", new CrankNicolson(centre, unit, 1)::step);
    List<ThetaStep> all = new ArrayList<>();
    kernels.forEach(
        (name, kernel) ->
            all.add(new ThetaStep(name, target -> LatticeKernel.matrix(LATTICE, target, kernel))));
    for (Directions directions : Directions.values()) {
      Slice slice = new Slice(Preconditioner.identity(1), 3, directions, 1, 2);
      all.add(new ThetaStep("slice, " + directions, target -> slice(target, slice)));
    }
    return all.stream();
  }

  private static double[][] slice(LogDensity target, Slice slice) {
    SliceLattice lattice = SliceLattice.of(target, LATTICE.thetas());
    return lattice.matrix(SliceLattice.Step.of(lattice, slice));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("thetaSteps")
  void everyZStepThenThetaStepLeavesTheJointPosteriorInvariant(ThetaStep thetaStep) {
    double[][][] theta = givenBrightness(thetaStep.matrix());
    double largest = 0;
    for (Map.Entry<String, double[][][]> zStep : Z_STEPS.entrySet()) {
      double[][] iteration = product(zStep.getValue(), theta);
      for (double[] row : iteration) {
        assertEquals(1, Arrays.stream(row).sum(), TOLERANCE, zStep.getKey());
      }
      double violation = violation(JOINT, iteration);
      assertEquals(0, violation, TOLERANCE, zStep.getKey());
      largest = Math.max(largest, violation);
    }
    Report.print("enumerated", thetaStep.name(), largest);
  }

  /** Metropolis on all rows: the marginal posterior of θ. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("thetaSteps")
  void leavesThePosteriorOfAllRowsInvariant(ThetaStep thetaStep) {
    double[][] matrix = thetaStep.matrix().apply(TinyModel.posterior());
    double[] posterior = new double[STATES];
    for (int i = 0; i < JOINT.length; i++) {
      posterior[i / SETS] += JOINT[i];
    }
    assertEquals(0, violation(posterior, matrix), TOLERANCE);
  }

  /** Nothing invariant would be proved of a chain that never leaves a part of the states. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("thetaSteps")
  void theChainForgetsWhereItBegan(ThetaStep thetaStep) {
    double[][] zThenTheta =
        product(zStep("implicit, per-row rates"), givenBrightness(thetaStep.matrix()));
    double[] state = new double[JOINT.length];
    state[0] = 1;
    for (int i = 0; i < 3000; i++) {
      state = after(state, zThenTheta);
    }
    for (int i = 0; i < state.length; i++) {
      assertEquals(JOINT[i], state[i], 1e-6);
    }
  }

  /** A θ-step that takes the bright rows to be others than they are. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("thetaSteps")
  void staleBrightnessIsFoundOut(ThetaStep thetaStep) {
    double[][][] theta = new double[SETS][][];
    for (int set = 0; set < SETS; set++) {
      theta[set] = thetaStep.matrix().apply(TinyConditional.of(set ^ 1));
    }
    assertFoundOut(theta);
  }

  /** A θ-step on the posterior of all rows, with z still there. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("thetaSteps")
  void aThetaStepThatDoesNotLookAtBrightnessIsFoundOut(ThetaStep thetaStep) {
    double[][][] theta = new double[SETS][][];
    Arrays.fill(theta, thetaStep.matrix().apply(TinyModel.posterior()));
    assertFoundOut(theta);
  }

  private static void assertFoundOut(double[][][] theta) {
    Z_STEPS.forEach(
        (name, zStep) -> {
          double violation = violation(JOINT, product(zStep, theta));
          assertTrue(violation > 1e-5, name + ": " + violation);
        });
  }

  /** A z-step given another θ than the chain's, as if it were made at a proposal. */
  @Test
  void aZStepAtAnotherThetaIsFoundOut() {
    double[][][] theta = givenBrightness(thetaSteps().findFirst().orElseThrow().matrix());
    Z_STEPS.forEach(
        (name, zStep) -> {
          double[][][] moved = zStep.clone();
          System.arraycopy(zStep, 0, moved, 1, STATES - 1);
          double violation = violation(JOINT, product(moved, theta));
          assertTrue(violation > 1e-5, name + ": " + violation);
        });
  }

  /** The density that θ-kernels see is the joint one, up to one factor for all sets. */
  @Test
  void theConditionalsAreThoseOfTheJointPosterior() {
    double[] thetas = LATTICE.thetas();
    double factor = TinyConditional.of(0).value(new double[] {thetas[0]}) - Math.log(JOINT[0]);
    for (int i = 0; i < JOINT.length; i++) {
      double log = TinyConditional.of(i % SETS).value(new double[] {thetas[i / SETS]});
      // L − B, as it stands in the formula, cancels where the bound is nearly tight.
      assertEquals(Math.log(JOINT[i]) + factor, log, 1e-8);
    }
  }

  /**
   * A gradient that is wrong leaves most kernels exact, and only slow: it takes this to find it.
   */
  @Test
  void theGradientsAreThoseOfTheDensities() {
    double h = 1e-5; // far less than the distance to the next hole
    for (double theta : LATTICE.thetas()) {
      for (int set = 0; set <= SETS; set++) {
        LogDensity target = set == SETS ? TinyModel.posterior() : TinyConditional.of(set);
        double[] gradient = new double[1];
        target.valueAndGradient(new double[] {theta}, gradient);
        double[] ends = new double[4];
        double[][] thetas = {{theta - 2 * h}, {theta - h}, {theta + h}, {theta + 2 * h}};
        target.values(thetas, ends);
        double slope = (8 * (ends[2] - ends[1]) - (ends[3] - ends[0])) / (12 * h);
        assertEquals(slope, gradient[0], 1e-8 * (1 + Math.abs(slope)), set + " at " + theta);
      }
    }
  }

  private static double[][][] givenBrightness(Function<LogDensity, double[][]> matrix) {
    double[][][] theta = new double[SETS][][];
    for (int set = 0; set < SETS; set++) {
      theta[set] = matrix.apply(TinyConditional.of(set));
    }
    return theta;
  }

  private static double[][][] zStep(String name) {
    return java.util.Objects.requireNonNull(Z_STEPS.get(name));
  }

  private static Map<String, double[][][]> zSteps() {
    Map<String, double[][][]> byName = new LinkedHashMap<>();
    double[] thetas = LATTICE.thetas();
    for (int g = 0; g < STATES; g++) {
      int at = g;
      TinyModelZSteps.matrices(thetas[g])
          .forEach(
              (name, matrix) ->
                  byName.computeIfAbsent(name, n -> new double[STATES][][])[at] = matrix);
    }
    return byName;
  }

  private static double[] joint() {
    double[] joint = new double[STATES * SETS];
    double[] thetas = LATTICE.thetas();
    for (int i = 0; i < joint.length; i++) {
      joint[i] = TinyModel.joint(thetas[i / SETS], i % SETS);
    }
    double total = Arrays.stream(joint).sum();
    return Arrays.stream(joint).map(p -> p / total).toArray();
  }

  /** The z-step leaves θ where it is, and the θ-step the bright rows. */
  private static double[][] product(double[][][] zStep, double[][][] theta) {
    double[][] product = new double[STATES * SETS][STATES * SETS];
    for (int i = 0; i < product.length; i++) {
      for (int j = 0; j < product.length; j++) {
        product[i][j] = zStep[i / SETS][i % SETS][j % SETS] * theta[j % SETS][i / SETS][j / SETS];
      }
    }
    return product;
  }

  private static double[] after(double[] state, double[][] matrix) {
    double[] after = new double[state.length];
    for (int i = 0; i < state.length; i++) {
      for (int j = 0; j < state.length; j++) {
        after[j] += state[i] * matrix[i][j];
      }
    }
    return after;
  }

  /** Returns the largest change of a distribution by one iteration. */
  private static double violation(double[] distribution, double[][] matrix) {
    double[] after = after(distribution, matrix);
    double largest = 0;
    for (int j = 0; j < after.length; j++) {
      largest = Math.max(largest, Math.abs(after[j] - distribution[j]));
    }
    return largest;
  }
}
