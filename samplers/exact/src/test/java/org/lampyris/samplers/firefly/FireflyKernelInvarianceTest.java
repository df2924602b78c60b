package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Metropolis;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.RowId;

/**
 * An iteration of {@link FireflyKernel}, enumerated over every decision of its z-step and its
 * θ-steps together: its matrix must be the product of the z-step's and the θ-step's, and leave the
 * joint posterior as it is. What it knew of the density before the z-step it must forget.
 */
class FireflyKernelInvarianceTest {
  private static final double[] GRID = {-1.2, -0.4, 0.3, 0.8, 1.9};
  private static final int SETS = TinyModel.SETS;
  private static final double TOLERANCE = 1e-14;
  private static final BlockRates RATES = new BlockRates.Uniform(0.4, 4);

  @ParameterizedTest(name = "explicit {0}, {1} theta-steps")
  @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
  void anIterationIsAZStepAndThenThetaSteps(boolean explicit, int thetaSteps) {
    BrightnessKernel zKernel =
        explicit
            ? new ExplicitBrightness(new RowSelection.Scheduled(2, 4))
            : new ImplicitBrightness();
    double[][] iteration = iteration(zKernel, thetaSteps);
    double[][] expected = zMatrix(zKernel);
    for (int i = 0; i < thetaSteps; i++) {
      expected = times(expected, thetaMatrix());
    }
    double[] joint = joint();
    for (int j = 0; j < joint.length; j++) {
      double after = 0;
      for (int i = 0; i < joint.length; i++) {
        assertEquals(expected[i][j], iteration[i][j], TOLERANCE);
        after += joint[i] * iteration[i][j];
      }
      assertEquals(joint[j], after, TOLERANCE);
    }
  }

  private static double[][] iteration(BrightnessKernel zKernel, int thetaSteps) {
    double[][] matrix = new double[GRID.length * SETS][GRID.length * SETS];
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.THETA, 1, 1, 0);
    for (int from = 0; from < matrix.length; from++) {
      double[] row = matrix[from];
      int set = from % SETS;
      double[] theta = {GRID[from / SETS]};
      long[] before = TinyModel.ids(TinyModel.rows(set));
      Point start = new Point(theta, TinyConditional.of(set).value(theta));
      EnumeratedChance.forEach(
          List.of(TinyModel.block(RATES)),
          chance -> {
            FireflyRows<Brightness> rows =
                new ScriptedRows(
                    (old, question) -> {
                      BrightnessKernel.Update update = question.update();
                      long[] bright = old.rows();
                      if (update != null) {
                        bright = chance.resample(TinyModelZSteps.BOUND, update, bright);
                      }
                      FireflyRows.Question asked =
                          new FireflyRows.Question(1, null, question.thetas(), question.gradient());
                      return new FireflyRows.Answered<>(
                          TinyModel.brightness(bright),
                          TinyModel.answer(
                              asked, Arrays.stream(bright).mapToInt(RowId::row).toArray()));
                    });
            FireflyKernel.State<Brightness> end =
                new FireflyKernel<>(
                        1,
                        TinyModel.prior(),
                        TinyModel.collapsed(),
                        rows,
                        new FireflyKernel.ZStep(zKernel, RowSelection.Size.fixed(0)),
                        thetaSteps)
                    .step(
                        new FireflyKernel.State<>(start, TinyModel.brightness(before)),
                        1,
                        new NeighbourWalk(chance),
                        rng)
                    .state();
            int g = Arrays.binarySearch(GRID, end.point().theta()[0]);
            row[g * SETS + TinyModelZSteps.set(end.rows().rows())] += chance.probability();
          });
    }
    return matrix;
  }

  private static double[][] zMatrix(BrightnessKernel kernel) {
    double[][] matrix = new double[GRID.length * SETS][GRID.length * SETS];
    for (int g = 0; g < GRID.length; g++) {
      double[][] at = TinyModelZSteps.matrix(GRID[g], kernel, 1, RATES);
      for (int set = 0; set < SETS; set++) {
        System.arraycopy(at[set], 0, matrix[g * SETS + set], g * SETS, SETS);
      }
    }
    return matrix;
  }

  private static double[][] thetaMatrix() {
    double[][] matrix = new double[GRID.length * SETS][GRID.length * SETS];
    for (int set = 0; set < SETS; set++) {
      LogDensity target = TinyConditional.of(set);
      for (int g = 0; g < GRID.length; g++) {
        double stay = 1;
        for (int to = Math.max(0, g - 1); to <= Math.min(GRID.length - 1, g + 1); to++) {
          if (to != g) {
            double ratio =
                target.value(new double[] {GRID[to]}) - target.value(new double[] {GRID[g]});
            matrix[g * SETS + set][to * SETS + set] = 0.5 * Math.min(1, Math.exp(ratio));
            stay -= matrix[g * SETS + set][to * SETS + set];
          }
        }
        matrix[g * SETS + set][g * SETS + set] = stay;
      }
    }
    return matrix;
  }

  private static double[] joint() {
    double[] joint = new double[GRID.length * SETS];
    Arrays.setAll(joint, i -> TinyModel.joint(GRID[i / SETS], i % SETS));
    double total = Arrays.stream(joint).sum();
    Arrays.setAll(joint, i -> joint[i] / total);
    return joint;
  }

  private static double[][] times(double[][] a, double[][] b) {
    double[][] product = new double[a.length][a.length];
    for (int i = 0; i < a.length; i++) {
      for (int k = 0; k < a.length; k++) {
        for (int j = 0; j < a.length; j++) {
          product[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return product;
  }

  /** Metropolis to either neighbour on the grid, with what the point knows of its density. */
  private record NeighbourWalk(EnumeratedChance chance) implements ThetaKernel {
    @Override
    public Step step(LogDensity target, Point point, Noise noise) {
      int g = Arrays.binarySearch(GRID, point.theta()[0]);
      int to = chance.flip(0.5) ? g + 1 : g - 1;
      double current = point.isEvaluated() ? point.logDensity() : target.value(point.theta());
      if (to < 0 || to >= GRID.length) {
        return new Step(new Point(point.theta(), current), 0, false);
      }
      double[] theta = {GRID[to]};
      double proposed = target.value(theta);
      double probability = Metropolis.acceptanceProbability(current, proposed);
      boolean accepted = chance.flip(probability);
      return new Step(
          accepted ? new Point(theta, proposed) : new Point(point.theta(), current),
          probability,
          false);
    }

    @Override
    public double stepSize() {
      return 1;
    }

    @Override
    public ThetaKernel withStepSize(double size) {
      return this;
    }

    @Override
    public double targetAcceptance() {
      return 0.5;
    }
  }
}
