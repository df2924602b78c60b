package org.lampyris.bounds.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.Differences;
import org.lampyris.bounds.RandomBlocks;
import org.lampyris.bounds.family.BetaFamily;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.rows.DataBlock;

/** Models with a sampled scale or shape against those with a given one, and against differences. */
class DispersedModelTest {
  private static final int D = 3;

  @Test
  void robust() {
    List<DataBlock> blocks = RandomBlocks.withOffset(5, 20, D, random -> 3 * random.nextGaussian());
    assertAgree(
        blocks,
        new RobustFamily.ScaleLikelihood(4),
        parameter -> new RobustFamily.RobustLikelihood(4, parameter));
  }

  @Test
  void gamma() {
    List<DataBlock> blocks =
        RandomBlocks.withOffset(6, 20, D, random -> Math.exp(random.nextGaussian()));
    assertAgree(blocks, new GammaFamily.ShapeLikelihood(), GammaFamily.GammaLikelihood::new);
  }

  @Test
  void negativeBinomial() {
    List<DataBlock> blocks = RandomBlocks.withOffset(8, 20, D, random -> random.nextInt(12));
    assertAgree(
        blocks,
        new NegativeBinomialFamily.ShapeLikelihood(),
        NegativeBinomialFamily.GivenLikelihood::new);
  }

  @Test
  void beta() {
    List<DataBlock> blocks =
        RandomBlocks.withOffset(9, 20, D, random -> 1 / (1 + Math.exp(random.nextGaussian())));
    assertAgree(blocks, new BetaFamily.PrecisionLikelihood(), BetaFamily.GivenLikelihood::new);
  }

  private static void assertAgree(
      List<DataBlock> blocks, DispersedLikelihood sampled, DoubleFunction<Likelihood> given) {
    DispersedModel model = new DispersedModel(sampled, D);
    for (double parameter : new double[] {1e-3, 0.4, 2, 30, 1e4}) {
      double[] theta = Arrays.copyOf(RandomBlocks.normal(RandomBlocks.random(3), D, 0.5), D + 1);
      theta[D] = Math.log(parameter);
      Model known = new LinearModel(given.apply(parameter), D);
      for (DataBlock block : blocks) {
        double[] gradient = new double[D + 1];
        double[] hessian = new double[(D + 1) * (D + 1)];
        double[] expected = new double[D];
        double value = model.addHessians(block, theta, gradient, hessian);
        double size = 1e-11 * (1 + Math.abs(value));
        assertEquals(known.addHessians(block, theta, expected, new double[D * D]), value, size);
        double scale = Arrays.stream(gradient).map(Math::abs).max().orElse(0);
        assertArrayEquals(expected, Arrays.copyOf(gradient, D), 1e-10 * (1 + scale));
        for (int i = 0; i <= D; i++) {
          int at = i;
          ToDoubleFunction<double[]> density =
              t -> model.addHessians(block, t, new double[D + 1], new double[(D + 1) * (D + 1)]);
          ToDoubleFunction<double[]> slope =
              t -> {
                double[] there = new double[D + 1];
                model.addHessians(block, t, there, new double[(D + 1) * (D + 1)]);
                return there[at];
              };
          double step = 1e-3 * Math.min(1, Math.max(parameter, 1e-2));
          String where = parameter + ", element " + i;
          double difference = Differences.central(density, theta, i, step);
          assertEquals(difference, gradient[i], 2e-6 * (1 + scale + Math.abs(value)), where);
          for (int j = 0; j <= i; j++) {
            double curvature = Differences.central(slope, theta, j, step);
            double found = hessian[i * (D + 1) + j];
            assertEquals(curvature, found, 1e-4 * (1 + Math.abs(found) + scale), where);
          }
        }
      }
    }
  }

  @Test
  void rowsAddUp() {
    DispersedModel model = new DispersedModel(new RobustFamily.ScaleLikelihood(4), D);
    double[] theta = {0.2, -0.1, 0.4, 0.3};
    for (DataBlock block : RandomBlocks.withOffset(7, 20, D, random -> 3 * random.nextGaussian())) {
      double[] gradient = new double[D + 1];
      double[] hessian = new double[(D + 1) * (D + 1)];
      double[] gradients = new double[D + 1];
      double[] hessians = new double[(D + 1) * (D + 1)];
      double sum = 0;
      for (int row = 0; row < block.rows(); row++) {
        sum += model.addHessian(block, row, theta, gradient, hessian);
      }
      assertEquals(sum, model.addHessians(block, theta, gradients, hessians), 1e-11);
      assertArrayEquals(gradient, gradients, 1e-11);
      assertArrayEquals(hessian, hessians, 1e-11);
    }
  }

  /** θ has further elements, as where groups have effects. */
  @Test
  void givenSeveralParametersItIsAFunctionOfEta() {
    Map<String, Object> both = Map.of("scale", "exponential(1)", "df", "gamma(2, 0.1)");
    FamilySpec spec = new FamilySpec("robust", both, List.of());
    PredictorModel model = (PredictorModel) new RobustFamily().model(spec, List.of("x"));
    double[] theta = {0, Math.log(2), Math.log(5), 7, 8};
    Likelihood of = model.given(theta);
    for (DataBlock block : RandomBlocks.withOffset(4, 10, 1, random -> random.nextGaussian())) {
      for (int row = 0; row < block.rows(); row++) {
        double y = block.response(row);
        double eta = block.linearPredictor(row, theta);
        ToDoubleFunction<double[]> density = t -> of.logLikelihood(t[0], y);
        ToDoubleFunction<double[]> slope = t -> of.derivative(t[0], y);
        double[] at = {eta};
        assertEquals(
            model.logLikelihood(block, row, theta), block.weight(row) * of.logLikelihood(eta, y));
        assertEquals(Differences.central(density, at, 0, 1e-5), of.derivative(eta, y), 1e-8);
        assertEquals(Differences.central(slope, at, 0, 1e-5), of.secondDerivative(eta, y), 1e-8);
      }
    }
  }
}
