package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.metropolis.DelayedAcceptance;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Population;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

/** Exact samplers that decide by batches of rows, and faulty ones. */
final class BatchSamplers {
  private static final int STEPS = 30;
  private static final double VARIANCE = 0.5;

  private BatchSamplers() {}

  /** Returns every experiment × delayed acceptance or all rows by minibatch gradients. */
  static List<JointDistribution.Sampler> cases() {
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      all.add(new Case("delayed acceptance", experiment, new DelayedAcceptance(3), false, 0));
      all.add(
          new Case("delayed acceptance, proxies", experiment, new DelayedAcceptance(3), true, 0));
      all.add(new Case("minibatch MALA", experiment, new TrialKernel.AllRows(), false, 3));
    }
    return all;
  }

  /** Returns samplers with one deliberate fault each. */
  static List<JointDistribution.Sampler> mutants() {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals("logistic")).findAny().orElseThrow();
    BatchDecision withoutProxies =
        (trial, rng) -> Math.log(rng.nextDouble()) < trial.lookAt(trial.rows()).sum();
    BatchDecision withoutTheLastBatch =
        (trial, rng) -> {
          double sum = trial.lookAt(2 * trial.rows() / 3).sum();
          return Math.log(rng.nextDouble()) < trial.rest() + sum;
        };
    return List.of(
        new Case("the proxies' factor left out", experiment, withoutProxies, true, 0),
        new Case("the last batch left out", experiment, withoutTheLastBatch, false, 0));
  }

  /**
   * A sampler.
   *
   * @param what it is, or what is wrong with it
   * @param proxies whether proxies make a first factor
   * @param gradientRows how many rows MALA proposes by; 0 for a random walk
   */
  private record Case(
      String what,
      Experiment experiment,
      BatchDecision decision,
      boolean proxies,
      long gradientRows)
      implements JointDistribution.Sampler {
    @Override
    public String name() {
      return experiment.name() + ", " + what;
    }

    private LaplaceApproximation laplace() {
      int d = experiment.prior().dimension();
      double[] center = new double[d];
      Arrays.fill(center, 0.4);
      double[] covariance = new double[d * d];
      for (int j = 0; j < d; j++) {
        covariance[j * d + j] = VARIANCE;
      }
      return new LaplaceApproximation(center, covariance);
    }

    private ThetaKernel thetaKernel(Preconditioner factor) {
      return gradientRows == 0 ? new RandomWalk(factor, 0.7) : new Mala(factor, 0.7);
    }

    @Override
    public JointDistribution.State steps(double[] theta, DataBlock data, long seed) {
      BatchRows rows = Population.rows(data, seed);
      LaplaceApproximation laplace = laplace();
      Remainders remainders =
          proxies
              ? Remainders.about(experiment.model(), rows, 0, laplace, Double.POSITIVE_INFINITY)
              : Remainders.whole(experiment.model());
      TrialKernel kernel =
          new TrialKernel(
              rows,
              remainders,
              decision,
              new BatchGradient(experiment.model(), experiment.prior(), gradientRows, null),
              Remainders.Renewal.never(laplace));
      ChainTrace trace =
          new ChainRunner(
                  new ChainRunner.Length(0, 1, STEPS, 0.5), new Streams(seed), (c, i, info) -> {})
              .run(
                  1,
                  kernel,
                  thetaKernel(
                      Factors.choleskyOf(laplace.covariance(), experiment.prior().dimension())),
                  theta);
      return new JointDistribution.State(trace.draws().get(0), 0, 0);
    }

    @Override
    public JointDistribution.State exact(
        double[] theta, DataBlock data, UniformRandomProvider rng) {
      return new JointDistribution.State(theta, 0, 0);
    }
  }
}
