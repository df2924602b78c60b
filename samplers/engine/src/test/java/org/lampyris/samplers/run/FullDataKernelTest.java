package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.TransitionKernel.Transition;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;

/** The full-data kernel against a plain loop over the rows. */
class FullDataKernelTest {
  private static final int D = 2;
  private static final int ROWS = 30;
  private static final int BLOCKS = 3;

  private final List<DataBlock> blocks = new ArrayList<>();
  private final InMemoryLikelihoodRows rows;
  private final ProductPrior prior = ProductPrior.parse(List.of("normal(0, 2)", "cauchy(0, 1)"));

  FullDataKernelTest() {
    UniformRandomProvider rng = new Streams(2).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    for (int b = 0; b < BLOCKS; b++) {
      double[] x = rng.doubles(ROWS * D, -2, 2).toArray();
      double[] y = rng.ints(ROWS, 0, 2).mapToDouble(i -> 2 * i - 1).toArray();
      blocks.add(new DenseBlock(b, D, x, y, null));
    }
    LinearModel model = new LinearModel(new LogisticLikelihood(), D);
    rows = new InMemoryLikelihoodRows(blocks, new LikelihoodPass<>(model));
  }

  private double plainLogLikelihood(double[] theta) {
    double sum = 0;
    for (DataBlock block : blocks) {
      for (int row = 0; row < ROWS; row++) {
        double s = block.response(row) * block.dot(row, theta, 0);
        sum -= Math.log1p(Math.exp(-s));
      }
    }
    return sum;
  }

  @Test
  void sumsAndGradientsAreThoseOfThePlainLoop() {
    double[][] thetas = {{0.3, -1}, {2, 0.1}};
    double[] answer = rows.ask(thetas, true);
    assertEquals(2 * (1 + D), answer.length);
    double h = 1e-5;
    for (int k = 0; k < 2; k++) {
      assertEquals(plainLogLikelihood(thetas[k]), answer[k], 1e-11);
      assertEquals(answer[k], rows.ask(thetas, false)[k], 1e-12);
      for (int j = 0; j < D; j++) {
        double[] up = thetas[k].clone();
        double[] down = thetas[k].clone();
        up[j] += h;
        down[j] -= h;
        double slope = (plainLogLikelihood(up) - plainLogLikelihood(down)) / (2 * h);
        assertEquals(slope, answer[2 + k * D + j], 1e-6);
      }
    }
    assertEquals(ROWS * BLOCKS, rows.rows());
  }

  @Test
  void everyPointIsThePosteriorAndEveryRowCounts() {
    FullDataKernel kernel = new FullDataKernel(prior, rows);
    double[] start = {0.1, 0.2};
    Transition<Point> now = kernel.init(start);
    assertEquals(ROWS * BLOCKS, now.info().likelihoodEvaluations());
    RandomWalk walk = new RandomWalk(Preconditioner.identity(D), 0.6);
    Streams streams = new Streams(5);
    int moves = 0;
    for (int t = 1; t <= 200; t++) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.THETA, 1, t, 0);
      Transition<Point> next = kernel.step(now.state(), t, walk, rng);
      assertEquals(ROWS * BLOCKS, next.info().likelihoodEvaluations(), "one pass a step");
      assertEquals(List.of(), next.info().columns());
      double[] theta = next.state().theta();
      assertEquals(
          plainLogLikelihood(theta) + prior.logDensity(theta), next.state().logDensity(), 1e-10);
      moves += theta[0] == now.state().theta()[0] ? 0 : 1;
      now = next;
    }
    assertEquals(100, moves, 80, "it moves, and not always");
  }
}
