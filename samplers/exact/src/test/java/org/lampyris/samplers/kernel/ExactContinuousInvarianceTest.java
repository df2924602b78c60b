package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.samplers.firefly.TinyConditional;
import org.lampyris.samplers.firefly.TinyModel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.validation.Report;

/**
 * The kernels whose noise is normal, in one dimension, by quadrature: ∫ π(θ) E[f(θ') − f(θ) | θ] dθ
 * = 0 within 10⁻⁸ for several f, among them the indicator of a half-line, with E over the normal
 * number z and over all decisions of the very code that runs.
 *
 * <p>The integrals are taken between the points where something jumps or has a kink (the acceptance
 * probability reaching 1, θ' passing the half-line's end or a hole), which are found by bisection.
 * The targets are a skewed one and Firefly's conditional, for sets of bright rows, with its holes.
 * Together with the enumeration of the updates of z this shows that (θ, z) keeps its distribution.
 *
 * <p>Slice sampling draws a number of uniforms that has no bound: see {@link ExactSliceTest}.
 */
@EnabledIfSystemProperty(
    named = "lampyris.validation",
    matches = "all",
    disabledReason = "minutes long: run with -Dlampyris.validation=all")
class ExactContinuousInvarianceTest {
  private static final double TOLERANCE = 1e-8;

  /** log G, G ~ Gamma(2). */
  private static final LogDensity LOG_GAMMA = new SkewedDensity(2);

  private static final double EDGE = 0.37;
  private static final int FUNCTIONS = 4;
  private static final double THETA_ERROR = 1e-9;
  private static final double NOISE_ERROR = 1e-10;
  private static final int DEPTH = 12;

  /** The range of z is cut into so many cells to either side, each searched at so many points. */
  private static final int CELLS = 8;

  private static final int LOOKS = 12;
  private static final double LARGEST_Z = 8.3;
  private static final GaussLegendre RULE = new GaussLegendre(10);

  private static final Preconditioner UNIT = Preconditioner.identity(1);

  private static List<Arguments> kernels() {
    double[] centre = {0.4};
    return List.of(
        Arguments.of("random walk", (LatticeKernel.Step) new RandomWalk(UNIT, 1.1)::step),
        Arguments.of("MALA", (LatticeKernel.Step) new Mala(UNIT, 0.9)::step),
        Arguments.of("Barker", (LatticeKernel.Step) new Barker(UNIT, 1.2)::step),
        Arguments.of("HMC", (LatticeKernel.Step) new Hmc(UNIT, 0.5, 2)::step),
        Arguments.of("HMC about a mode", (LatticeKernel.Step) new Hmc(UNIT, centre, 0.7, 2)::step),
        Arguments.of(
            "Crank–Nicolson", (LatticeKernel.Step) new CrankNicolson(centre, UNIT, 0.7)::step),
        Arguments.of(
            "independence", (LatticeKernel.Step) new CrankNicolson(centre, UNIT, 1)::step));
  }

  static Stream<Arguments> kernelsOnFirefly() {
    // One bright row with its two holes, and all four.
    return Stream.of(4, 15)
        .flatMap(set -> kernels().stream().map(k -> Arguments.of(k.get()[0], set, k.get()[1])));
  }

  static Stream<Arguments> kernelsOnSkewed() {
    return kernels().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kernelsOnSkewed")
  void leavesASkewedTargetInvariant(String name, LatticeKernel.Step kernel) {
    double[] change = new Problem(LOG_GAMMA, kernel, -15, 5, new double[0]).change();
    Report.print("quadrature, skewed target", name, largest(change));
    assertEquals(0, largest(change), TOLERANCE, name + " " + Arrays.toString(change));
  }

  @ParameterizedTest(name = "{0}, bright rows {1}")
  @MethodSource("kernelsOnFirefly")
  void leavesTheFireflyConditionalInvariant(String name, int set, LatticeKernel.Step kernel) {
    LogDensity target = TinyConditional.of(set);
    double[] change = new Problem(target, kernel, -12, 12, TinyModel.holes(set)).change();
    Report.print("quadrature, bright rows " + set, name, largest(change));
    assertEquals(0, largest(change), TOLERANCE, name + " " + Arrays.toString(change));
  }

  /** The quadrature notices a kernel that accepts what it should not. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("kernelsOnSkewed")
  void anUnadjustedKernelIsFoundOut(String name, LatticeKernel.Step kernel) {
    LatticeKernel.Step unadjusted =
        (target, point, noise) ->
            kernel.step(target, point, new Accepting(noise, name.equals("Barker")));
    double[] change = new Problem(LOG_GAMMA, unadjusted, -15, 5, new double[0]).change();
    assertTrue(largest(change) > 1e-3, name + " " + Arrays.toString(change));
  }

  private static double largest(double[] change) {
    return Arrays.stream(change).map(Math::abs).max().orElseThrow();
  }

  private static double[] functions(double theta) {
    return new double[] {
      theta, Math.tanh(theta - 0.3), Math.exp(-theta * theta), theta < EDGE ? 1 : 0
    };
  }

  /** A target, a kernel, and where the integral over θ is taken. */
  private record Problem(
      LogDensity target,
      LatticeKernel.Step kernel,
      double from,
      double to,
      double[] special,
      double peak) {

    Problem(
        LogDensity target, LatticeKernel.Step kernel, double from, double to, double[] special) {
      this(target, kernel, from, to, special, peak(target, from, to));
    }

    /** Returns the largest log-density, near enough for densities of the size of 1. */
    private static double peak(LogDensity target, double from, double to) {
      double peak = Double.NEGATIVE_INFINITY;
      for (int i = 0; i <= 500; i++) {
        peak = Math.max(peak, target.value(new double[] {from + (to - from) * i / 500}));
      }
      return peak;
    }

    /** Returns ∫ π(θ) E[f(θ') − f(θ) | θ] dθ / ∫ π(θ) dθ for each f. */
    double[] change() {
      List<Double> cuts = new ArrayList<>(List.of(from, to, EDGE));
      for (double s : special) {
        cuts.add(s);
      }
      for (double cut = Math.ceil(from); cut < to; cut++) {
        cuts.add(cut);
      }
      cuts.sort(null);
      double[] total = new double[FUNCTIONS + 1];
      for (int i = 1; i < cuts.size(); i++) {
        if (cuts.get(i) > cuts.get(i - 1)) {
          double a = cuts.get(i - 1);
          double b = cuts.get(i);
          addAdaptively(a, b, overTheta(a, b), 0, total);
        }
      }
      double[] change = new double[FUNCTIONS];
      for (int f = 0; f < FUNCTIONS; f++) {
        change[f] = total[f] / total[FUNCTIONS];
      }
      return change;
    }

    private void addAdaptively(double a, double b, double[] whole, int depth, double[] total) {
      double middle = 0.5 * (a + b);
      double[] left = overTheta(a, middle);
      double[] right = overTheta(middle, b);
      double error = 0;
      for (int f = 0; f <= FUNCTIONS; f++) {
        error = Math.max(error, Math.abs(left[f] + right[f] - whole[f]));
      }
      if (error < THETA_ERROR || depth == DEPTH) {
        for (int f = 0; f <= FUNCTIONS; f++) {
          total[f] += left[f] + right[f];
        }
      } else {
        addAdaptively(a, middle, left, depth + 1, total);
        addAdaptively(middle, b, right, depth + 1, total);
      }
    }

    private double[] overTheta(double a, double b) {
      double[] sum = new double[FUNCTIONS + 1];
      for (int k = 0; k < RULE.size(); k++) {
        double theta = RULE.node(k, a, b);
        double density = density(theta);
        double weight = RULE.weight(k, a, b) * density;
        if (weight > 1e-13) {
          double[] inner = overNoise(theta, density);
          for (int f = 0; f < FUNCTIONS; f++) {
            sum[f] += weight * inner[f];
          }
        }
        sum[FUNCTIONS] += weight;
      }
      return sum;
    }

    private double density(double theta) {
      return Math.exp(target.value(new double[] {theta}) - peak);
    }

    /** Returns E[f(θ') − f(θ) | θ], the more exactly the more it weighs. */
    private double[] overNoise(double theta, double density) {
      List<Double> cuts = new ArrayList<>();
      double width = LARGEST_Z / CELLS / LOOKS;
      String before = look(theta, -LARGEST_Z).decisions;
      for (int i = -CELLS * LOOKS; i < CELLS * LOOKS; i++) {
        if (i % LOOKS == 0) {
          cuts.add(i * width);
        }
        String after = look(theta, (i + 1) * width).decisions;
        findJumps(theta, i * width, before, (i + 1) * width, after, cuts);
        before = after;
      }
      cuts.add(LARGEST_Z);
      double[] sum = new double[FUNCTIONS];
      for (int i = 1; i < cuts.size(); i++) {
        double a = cuts.get(i - 1);
        double b = cuts.get(i);
        addAdaptively(theta, a, b, overZ(theta, a, b), NOISE_ERROR / density, 0, sum);
      }
      return sum;
    }

    /** Adds the z between two where decisions fall otherwise, in ascending order. */
    private void findJumps(
        double theta, double a, String atA, double b, String atB, List<Double> cuts) {
      if (atA.equals(atB)) {
        return;
      }
      double middle = 0.5 * (a + b);
      if (b - a < 1e-10) {
        // No closer: where a ratio crosses 1 slowly, rounding makes it cross back and forth.
        cuts.add(middle);
        return;
      }
      String atMiddle = look(theta, middle).decisions;
      findJumps(theta, a, atA, middle, atMiddle, cuts);
      findJumps(theta, middle, atMiddle, b, atB, cuts);
    }

    private void addAdaptively(
        double theta,
        double a,
        double b,
        double[] whole,
        double tolerance,
        int depth,
        double[] sum) {
      double middle = 0.5 * (a + b);
      double[] left = overZ(theta, a, middle);
      double[] right = overZ(theta, middle, b);
      double error = 0;
      for (int f = 0; f < FUNCTIONS; f++) {
        error = Math.max(error, Math.abs(left[f] + right[f] - whole[f]));
      }
      if (error < tolerance || depth == DEPTH) {
        for (int f = 0; f < FUNCTIONS; f++) {
          sum[f] += left[f] + right[f];
        }
      } else {
        addAdaptively(theta, a, middle, left, tolerance, depth + 1, sum);
        addAdaptively(theta, middle, b, right, tolerance, depth + 1, sum);
      }
    }

    private double[] overZ(double theta, double a, double b) {
      double[] sum = new double[FUNCTIONS];
      for (int k = 0; k < RULE.size(); k++) {
        double z = RULE.node(k, a, b);
        double weight = RULE.weight(k, a, b) * Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
        double[] change = look(theta, z).change;
        for (int f = 0; f < FUNCTIONS; f++) {
          sum[f] += weight * change[f];
        }
      }
      return sum;
    }

    /** Returns E[f(θ') − f(θ) | θ, z] over all decisions, and which way they may fall. */
    private Seen look(double theta, double z) {
      double[] start = functions(theta);
      double[] change = new double[FUNCTIONS];
      StringBuilder decisions = new StringBuilder();
      Point point = Point.at(new double[] {theta});
      LastAsked asked = new LastAsked(target);
      new OneNormal(z)
          .forEachPath(
              noise -> {
                double next = kernel.step(asked, point, noise).point().theta()[0];
                double[] end = functions(next);
                for (int f = 0; f < FUNCTIONS; f++) {
                  change[f] += noise.probability() * (end[f] - start[f]);
                }
                decisions.append(noise.decisions()).append(next < EDGE ? '<' : '>');
                // Near a hole the proposal is refused, in a window that may be narrow.
                decisions.append(Arrays.binarySearch(special, asked.theta()));
              });
      return new Seen(change, decisions.toString());
    }
  }

  /**
   * What follows from θ and z.
   *
   * @param change E[f(θ') − f(θ) | θ, z]
   * @param decisions which ways the decisions may fall, and on which side of the edge θ' is
   */
  private record Seen(double[] change, String decisions) {}

  /** Accepts every proposal; Barker's first decision, on the direction, is left as it is. */
  private static final class Accepting extends Mutants.Wrapped {
    private boolean direction;

    Accepting(Noise noise, boolean direction) {
      super(noise);
      this.direction = direction;
    }

    @Override
    public boolean flip(double probability) {
      if (direction) {
        direction = false;
        return super.flip(probability);
      }
      return true;
    }
  }
}
