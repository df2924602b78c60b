package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.mhss.InMemoryPointRows;
import org.lampyris.samplers.mhss.PointRows;
import org.lampyris.samplers.mhss.PointStream;
import org.lampyris.samplers.mhss.ProxyBlock;
import org.lampyris.samplers.mhss.RowDecision;
import org.lampyris.samplers.mhss.SubsampledKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;

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
          for (RowDecision test :
              List.of(
                  new RowDecision.Scalable(order == 2),
                  new RowDecision.Factorised(),
                  new RowDecision.Scalable(order == 1))) {
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
                      true,
                      UnaryOperator.identity()));
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
              new RowDecision.Scalable(true),
              true,
              false,
              UnaryOperator.identity()));
    }
    return all;
  }

  /** Returns samplers with one deliberate fault each. */
  static List<JointDistribution.Sampler> mutants() {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals("logistic")).findAny().orElseThrow();
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (RowDecision test :
        List.of(new RowDecision.Scalable(false), new RowDecision.Factorised())) {
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
      String name, Experiment experiment, RowDecision test, UnaryOperator<PointRows> fault) {
    return new Case(name, experiment, Double.POSITIVE_INFINITY, 1, test, false, true, fault);
  }

  /**
   * Rows with other points.
   *
   * @param all the rows
   * @param iterations what the iteration is multiplied with
   * @param highest no point above it is named
   */
  private record Changed(PointRows all, long iterations, double highest) implements PointRows {
    @Override
    public void visit(long iteration, double height, Visitor visitor) {
      all.visit(iterations * iteration, Math.min(height, highest), visitor);
    }

    @Override
    public double differences(double[] from, double[] to) {
      return all.differences(from, to);
    }
  }

  /**
   * A sampler.
   *
   * @param fault what is wrong with it, or what is particular
   * @param experiment the model
   * @param radius of the ball that it is confined to
   * @param order of the proxies
   * @param test how rows decide
   * @param crankNicolson whether it proposes by preconditioned Crank–Nicolson
   * @param many whether it takes the rows for so many that it never looks at all of them
   * @param rows what becomes of the rows
   */
  private record Case(
      String fault,
      Experiment experiment,
      double radius,
      int order,
      RowDecision test,
      boolean crankNicolson,
      boolean many,
      UnaryOperator<PointRows> rows)
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
          Factors.choleskyOf(covariance(experiment), experiment.prior().dimension());
      return crankNicolson
          ? new CrankNicolson(center(experiment), factor, 0.6)
          : new RandomWalk(factor, 0.7);
    }

    @Override
    public JointDistribution.State steps(double[] theta, DataBlock data, long seed) {
      TaylorProxy proxy = proxy();
      Streams streams = new Streams(seed);
      ProxyBlock block = ProxyBlock.of(proxy, data);
      PointRows inMemory =
          new InMemoryPointRows(proxy, List.of(block), new PointStream(streams, 1, 8, 2));
      PointStream.Size size =
          new PointStream.Size(many ? Long.MAX_VALUE : data.rows(), block.total());
      CollapsedQuadratic collapsed = proxy.emptySum();
      proxy.collapse(data, collapsed);
      SubsampledKernel kernel =
          new SubsampledKernel(
              proxy, experiment.prior(), collapsed, rows.apply(inMemory), size, test);
      ChainRunner.Length length = new ChainRunner.Length(0, 1, STEPS, 0.5);
      ChainTrace trace =
          new ChainRunner(length, streams, (chain, iteration, info) -> {})
              .run(1, everywhere(kernel, data, streams), thetaKernel(), theta);
      return new JointDistribution.State(trace.draws().get(0), 0, 0);
    }

    private TransitionKernel<Point> everywhere(
        SubsampledKernel kernel, DataBlock data, Streams streams) {
      if (Double.isInfinite(radius)) {
        return kernel;
      }
      Ball ball = new LaplaceApproximation(center(experiment), covariance(experiment)).ball(radius);
      return ZStep.everywhere(kernel, ball, experiment, data, streams);
    }

    @Override
    public JointDistribution.State exact(
        double[] theta, DataBlock data, UniformRandomProvider rng) {
      return new JointDistribution.State(theta, 0, 0);
    }
  }
}
