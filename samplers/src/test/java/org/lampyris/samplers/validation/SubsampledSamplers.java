package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.subsampled.CandidateRows;
import org.lampyris.samplers.subsampled.CandidateStream;
import org.lampyris.samplers.subsampled.FactorisedTest;
import org.lampyris.samplers.subsampled.InMemoryCandidateRows;
import org.lampyris.samplers.subsampled.ProxyBlock;
import org.lampyris.samplers.subsampled.RowTest;
import org.lampyris.samplers.subsampled.ScalableSubsampling;
import org.lampyris.samplers.subsampled.SubsampledKernel;

/** Samplers that look at a few rows by Taylor proxies, and faulty ones. */
final class SubsampledSamplers {
  private static final int STEPS = 30;
  private static final double VARIANCE = 0.5;

  private SubsampledSamplers() {}

  /** Returns every experiment with a proxy × order × test of the rows × proposal. */
  static List<JointDistribution.Sampler> cases() {
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      double radius = radius(experiment);
      if (!(radius > 0)) {
        continue;
      }
      boolean every = JointDistribution.isLong() || experiment.name().equals("logistic");
      for (int order : new int[] {2, 1}) {
        for (boolean crankNicolson : new boolean[] {true, false}) {
          for (RowTest test :
              List.of(
                  new ScalableSubsampling(order == 2),
                  new FactorisedTest(),
                  new ScalableSubsampling(order == 1))) {
            // The quick form leaves out what the other families do no differently.
            if (every || ((order == 2) == crankNicolson && test.proxiesFirst())) {
              all.add(
                  new Case(
                      "",
                      experiment,
                      radius,
                      order,
                      test,
                      crankNicolson,
                      SubsampledSamplers::many));
            }
          }
        }
      }
      all.add(
          new Case(
              "all rows",
              experiment,
              radius,
              2,
              new ScalableSubsampling(true),
              true,
              UnaryOperator.identity()));
    }
    return all;
  }

  /** Returns samplers with one deliberate fault each. */
  static List<JointDistribution.Sampler> mutants() {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals("logistic")).findAny().orElseThrow();
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (RowTest test : List.of(new ScalableSubsampling(false), new FactorisedTest())) {
      all.add(mutant("points used again", experiment, test, r -> new Changed(r, 0, 1e300)));
      all.add(
          mutant("points from low heights only", experiment, test, r -> new Changed(r, 1, 0.1)));
    }
    return all;
  }

  private static double[] center(Experiment experiment) {
    double[] center = new double[experiment.prior().dimension()];
    java.util.Arrays.fill(center, 0.4);
    return center;
  }

  private static double[] covariance(Experiment experiment) {
    int d = experiment.prior().dimension();
    double[] covariance = new double[d * d];
    for (int j = 0; j < d; j++) {
      covariance[j * d + j] = VARIANCE;
    }
    return covariance;
  }

  private static TaylorProxy proxy(Experiment experiment, int order, double radius) {
    LaplaceApproximation laplace =
        new LaplaceApproximation(center(experiment), covariance(experiment));
    return new TaylorProxy(experiment.model(), order, laplace, radius);
  }

  /** Where the family's derivatives are bounded: everywhere, in a ball, or, 0, in none. */
  private static double radius(Experiment experiment) {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    DataBlock data = experiment.simulate(center(experiment), rng);
    for (double radius : new double[] {Double.POSITIVE_INFINITY, 1}) {
      try {
        proxy(experiment, 1, radius).constants(data);
        proxy(experiment, 2, radius).constants(data);
        return radius;
      } catch (UserException e) {
        // Not bounded there.
      }
    }
    return 0;
  }

  private static Case mutant(
      String name, Experiment experiment, RowTest test, UnaryOperator<CandidateRows> fault) {
    return new Case(
        name,
        experiment,
        Double.POSITIVE_INFINITY,
        1,
        test,
        false,
        rows -> fault.apply(many(rows)));
  }

  /** Rows that say that they are many, so that not all of them are looked at. */
  private static CandidateRows many(CandidateRows rows) {
    return new Changed(rows, 1, Double.POSITIVE_INFINITY);
  }

  /**
   * Rows that say that they are many.
   *
   * @param all the rows
   * @param iterations what the iteration is multiplied with
   * @param highest no point above it is named
   */
  private record Changed(CandidateRows all, long iterations, double highest)
      implements CandidateRows {
    @Override
    public long rows() {
      return Long.MAX_VALUE;
    }

    @Override
    public double total() {
      return all.total();
    }

    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      all.visit(iterations * iteration, Math.min(height, highest), visitor);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return all.differences(from, to);
    }
  }

  private record Case(
      String fault,
      Experiment experiment,
      double radius,
      int order,
      RowTest test,
      boolean crankNicolson,
      UnaryOperator<CandidateRows> rows)
      implements JointDistribution.Sampler {

    @Override
    public String name() {
      String proposal = crankNicolson ? "pcn" : "random walk";
      return (experiment.name() + ", order " + order + ", " + test + ", " + proposal + " " + fault)
          .trim();
    }

    private TaylorProxy proxy() {
      return SubsampledSamplers.proxy(experiment, order, radius);
    }

    private ThetaKernel thetaKernel() {
      Preconditioner factor =
          Preconditioner.choleskyOf(covariance(experiment), experiment.prior().dimension());
      return crankNicolson
          ? new CrankNicolson(center(experiment), factor, 0.6)
          : new RandomWalk(factor, 0.7);
    }

    /** Outside of the ball the chain stays where it is, which leaves anything invariant there. */
    @Override
    public JointDistribution.State steps(double[] theta, DataBlock data, long seed) {
      TaylorProxy proxy = proxy();
      if (!proxy.holdsAt(theta)) {
        return new JointDistribution.State(theta, 0, 0);
      }
      Streams streams = new Streams(seed);
      CandidateRows inMemory =
          new InMemoryCandidateRows(
              proxy, List.of(ProxyBlock.of(proxy, data)), new CandidateStream(streams, 1, 8, 2));
      CollapsedQuadratic collapsed = proxy.emptySum();
      proxy.collapse(data, collapsed);
      SubsampledKernel kernel =
          new SubsampledKernel(proxy, experiment.prior(), collapsed, rows.apply(inMemory), test);
      ChainRunner.Length length = new ChainRunner.Length(0, 1, STEPS, 0.5);
      ChainTrace trace =
          new ChainRunner(length, streams, (chain, iteration, info) -> {})
              .run(1, kernel, thetaKernel(), theta);
      return new JointDistribution.State(trace.draws().get(0), 0, 0);
    }

    @Override
    public JointDistribution.State exact(
        double[] theta, DataBlock data, UniformRandomProvider rng) {
      return new JointDistribution.State(theta, 0, 0);
    }
  }
}
