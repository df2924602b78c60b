package org.lampyris.samplers.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.LogisticTable;

/** The baselines' rules. */
class BaselineTest {
  private static final double REST = -0.4;
  private static final double[] VALUES = {0.2, -0.1, 0.35, 9, 9, 9};

  /** λ = rest + 6·0.15, σ² = 36·s²/3·(1 − 2/5), s² = 0.0525. */
  @Test
  void thePenaltyIsHalfTheVariance() {
    double limit = Math.exp(REST + 6 * 0.15 - 0.5 * 36 * 0.0525 / 3 * 0.6);
    for (double off : new double[] {-1e-9, 1e-9}) {
      assertEquals(
          off < 0,
          new OneBatch.PenaltyDecision(3)
              .accepts(Population.trial(REST, VALUES), Population.uniforms(limit + off)));
    }
  }

  @Test
  void theBatchTakesThePlaceOfTheUniformNumber() {
    for (double rest : new double[] {-0.9 - 1e-9, -0.9 + 1e-9}) {
      assertEquals(
          rest > -0.9,
          new OneBatch.ExchangeDecision(3, false)
              .accepts(Population.trial(rest, VALUES), Population.uniforms()));
    }
  }

  /** Rows come again: the second and the fourth of the numbers drawn are the same. */
  @Test
  void withReplacementARowCountsAsOftenAsItIsDrawn() {
    UniformRandomProvider numbers = Population.whole(4, 2, 0, 2);
    Trial trial = Population.trial(0, VALUES);
    BatchMoments seen = trial.drawWithReplacement(4, numbers);
    // The first three rows of the permutation stand for the numbers 4, 2 and 0.
    assertEquals(4, seen.count());
    assertEquals(0.2 - 0.1 + 0.35 - 0.1, seen.sum(), 1e-15);
  }

  /** Σ ℓ_n, or λ times that, on average over 4,000 subsets; a subset's error is 3 to 4. */
  @Test
  void theNaiveEstimateIsThatOfARandomSubset() {
    DataBlock block = LogisticTable.blocks(200, 200, false).get(0);
    LinearModel model = new LinearModel(new LogisticLikelihood(), LogisticTable.D);
    double[] theta = LogisticTable.mode();
    double[] exact = new double[1];
    model.addLogLikelihoods(block, new double[][] {theta}, exact);
    BatchRows rows = Population.rows(block, 3);
    ProductPrior prior = ProductPrior.shared(new UnivariatePrior.Flat(), LogisticTable.D);
    RandomWalk still = new RandomWalk(Preconditioner.identity(LogisticTable.D), 1e-12);
    for (boolean scaled : List.of(true, false)) {
      EstimateAlgorithm.Kernel kernel =
          new EstimateAlgorithm.Kernel(
              prior, rows, new NaiveSubsampling.SubsetSum(model, 0.3, scaled));
      double sum = 0;
      double evaluations = 0;
      for (int i = 1; i <= 4000; i++) {
        TransitionKernel.Transition<Point> made =
            kernel.step(Point.at(theta), i, still, new Streams(5).iteration(1, i));
        sum += made.state().logDensity();
        evaluations += made.info().likelihoodEvaluations();
      }
      double expected = (scaled ? 1 : 0.3) * exact[0];
      assertEquals(expected, sum / 4000, 0.01 * Math.abs(exact[0]));
      assertEquals(2 * 0.3 * 200, evaluations / 4000, 1);
    }
  }
}
