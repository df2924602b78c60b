package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.samplers.chain.StateContract;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.LogisticTable;

/** The state of a chain that decides by batches, with and without proxies, and its evaluations. */
class TrialStateTest {
  private static final LinearModel MODEL =
      new LinearModel(new LogisticLikelihood(), LogisticTable.D);
  private static final LaplaceApproximation LAPLACE =
      new LaplaceApproximation(LogisticTable.mode(), LogisticTable.covariance());
  private static final long N = LogisticTable.ROWS;

  private static BatchRows rows(int chain) {
    BatchQuestions questions = new BatchQuestions(17, N, LogisticTable.BLOCK_ROWS);
    Place<PlainBlock> place =
        Place.whole(LogisticTable.blocks().stream().map(PlainBlock::new).toList());
    return BatchRows.of(
        N,
        (iteration, low, high, term) -> {
          BatchQuestions.Question asked =
              new BatchQuestions.Question(chain, iteration, low, high, term);
          return questions.merge(asked, questions.add(place, List.of(asked)));
        });
  }

  private static TrialKernel kernel(
      int chain, boolean proxies, BatchDecision decision, long gradientRows, long every) {
    BatchRows rows = rows(chain);
    Remainders begun =
        proxies
            ? Remainders.about(MODEL, rows, 0, LAPLACE, Double.POSITIVE_INFINITY)
            : Remainders.whole(MODEL);
    return new TrialKernel(
        rows,
        begun,
        decision,
        new BatchGradient(
            MODEL,
            ProductPrior.shared(new UnivariatePrior.Normal(0, 1), LogisticTable.D),
            gradientRows,
            null),
        new Remainders.Renewal(every, LAPLACE, Double.POSITIVE_INFINITY));
  }

  /** Looks at half of the rows, and decides by them. */
  private static final BatchDecision HALF =
      (trial, rng) -> {
        double threshold = trial.threshold(rng.nextDouble());
        return trial.lookAt(trial.rows() / 2).mean() > threshold;
      };

  private abstract static class Contract extends StateContract<TrialKernel.State> {
    private final boolean proxies;
    private final long gradientRows;
    private final long every;

    Contract(boolean proxies, long gradientRows, long every) {
      this.proxies = proxies;
      this.gradientRows = gradientRows;
      this.every = every;
    }

    @Override
    protected TransitionKernel<TrialKernel.State> kernel(int chain) {
      return TrialStateTest.kernel(chain, proxies, HALF, gradientRows, every);
    }

    @Override
    protected List<ThetaKernel> thetaKernels() {
      Preconditioner laplace = Factors.choleskyOf(LogisticTable.covariance(), LogisticTable.D);
      return List.of(new RandomWalk(laplace, 0.6), new Mala(laplace, 0.7));
    }

    @Override
    protected double[] start() {
      return LogisticTable.mode();
    }
  }

  @Nested
  class OfLogLikelihoods extends Contract {
    OfLogLikelihoods() {
      super(false, N, 0);
    }
  }

  @Nested
  class OfRemaindersWithMinibatchGradients extends Contract {
    OfRemaindersWithMinibatchGradients() {
      super(true, 30, 0);
    }
  }

  @Nested
  class OfProxiesThatAreDropped extends Contract {
    OfProxiesThatAreDropped() {
      super(true, N, 5);
    }
  }

  /** 2t a look at t rows; t where all rows are known at θ; a gradient once a row. */
  @Test
  void evaluationsAreCounted() {
    RandomWalk walk = new RandomWalk(Preconditioner.identity(LogisticTable.D), 1e-9);
    TrialKernel half = kernel(1, false, HALF, N, 0);
    TrialKernel.State begun = half.init(LogisticTable.mode()).state();
    assertEquals(2 * (N / 2), evaluations(half, begun, walk));
    TrialKernel.State known = new TrialKernel.State(begun.point(), true, begun.remainders());
    assertEquals(N / 2, evaluations(half, known, walk));
    Mala mala = new Mala(Preconditioner.identity(LogisticTable.D), 1e-9);
    assertEquals(2 * (N / 2) + 2 * N, evaluations(half, begun, mala));
    TrialKernel stochastic = kernel(1, false, HALF, 30, 0);
    assertEquals(2 * (N / 2) + 2 * 30, evaluations(stochastic, begun, mala));
    TrialKernel all = kernel(1, false, new TrialKernel.AllRows(), N, 0);
    TrialKernel.State after = all.step(begun, 1, walk, rng(1)).state();
    assertEquals(true, after.known());
    assertEquals(N, evaluations(all, after, walk));
  }

  private static UniformRandomProvider rng(long iteration) {
    return new Streams(2).iteration(1, iteration);
  }

  private static long evaluations(TrialKernel kernel, TrialKernel.State state, ThetaKernel theta) {
    return kernel.step(state, 3, theta, rng(3)).info().likelihoodEvaluations();
  }
}
