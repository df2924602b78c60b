package org.lampyris.samplers.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.ScaleCoordinate;
import org.lampyris.bounds.effects.ScaleGroup;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.SharedHorseshoe;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.mhss.InMemoryPointRows;
import org.lampyris.samplers.mhss.PointStream;
import org.lampyris.samplers.mhss.ProxyBlock;
import org.lampyris.samplers.mhss.RowDecision;
import org.lampyris.samplers.mhss.SubsampledKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.scales.ScaledCoefficients;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * {@link JointDistributionTest} for coefficients with sampled scales, by every algorithm that draws
 * them, and planted faults. False-alarm rate as there.
 */
class ScaledJointDistributionTest {
  private static final int STEPS = 12;
  private static final int REPLICATES = 600;
  private static final int FAULT_REPLICATES = 1500;

  @TestFactory
  List<DynamicTest> scalesLeaveTheJointDistributionInvariant() {
    ScaledExperiment levels = ScaledExperiment.levels();
    ScaledExperiment smooths = ScaledExperiment.smooths();
    ScaledExperiment horseshoe = ScaledExperiment.horseshoe(null);
    ScaledExperiment regularised = ScaledExperiment.horseshoe(new SharedHorseshoe.Slab(1.5, 4));
    List<JointDistribution.Sampler> all =
        new ArrayList<>(
            List.of(
                new Case(levels, "metropolis", "hmc", Fault.NONE),
                new Case(levels, "firefly", "random-walk", Fault.NONE),
                new Case(levels, "mhss", "pcn", Fault.NONE),
                new Case(smooths, "metropolis", "hmc", Fault.NONE),
                new Case(smooths, "firefly", "random-walk", Fault.NONE),
                new Case(smooths, "mhss", "pcn", Fault.NONE),
                new Case(horseshoe, "firefly", "hmc", Fault.NONE),
                new Case(regularised, "metropolis", "random-walk", Fault.NONE)));
    if (JointDistribution.isLong()) {
      all.add(new Case(levels, "firefly", "hmc", Fault.NONE));
      all.add(new Case(horseshoe, "mhss", "pcn", Fault.NONE));
      all.add(new Case(regularised, "firefly", "hmc", Fault.NONE));
      all.add(new Case(regularised, "mhss", "pcn", Fault.NONE));
    }
    return JointDistribution.invariant(
        "joint distribution of scales", all, JointDistribution.isLong() ? 4000 : REPLICATES);
  }

  @TestFactory
  List<DynamicTest> faultsAreFoundOut() {
    List<JointDistribution.Sampler> mutants = new ArrayList<>();
    for (Fault fault : List.of(Fault.NO_JACOBIAN, Fault.NO_PRIOR, Fault.STALE_SCALE)) {
      mutants.add(new Case(ScaledExperiment.levels(), "metropolis", "hmc", fault));
    }
    mutants.add(new Case(ScaledExperiment.smooths(), "metropolis", "hmc", Fault.NO_JACOBIAN));
    mutants.add(new Case(ScaledExperiment.horseshoe(null), "firefly", "hmc", Fault.NO_JACOBIAN));
    return JointDistribution.foundOut(
        "joint distribution of scales, fault", mutants, FAULT_REPLICATES);
  }

  /** A proposal of scales and coefficients is weighed by the density that it is reversible for. */
  @Test
  void proposalsOfScalesAreWeighedByTheirOwnDensity() {
    for (ScaledExperiment experiment :
        List.of(
            ScaledExperiment.levels(),
            ScaledExperiment.smooths(),
            ScaledExperiment.horseshoe(null),
            ScaledExperiment.horseshoe(new SharedHorseshoe.Slab(1.5, 4)))) {
      UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.INITIAL, 0, 0, 0);
      double[] theta = experiment.draw(rng);
      Case mhss = new Case(experiment, "mhss", "pcn", Fault.NONE);
      CollapsedQuadratic quadratic =
          mhss.coefficients().likelihood(mhss.about(), experiment.prior().ofKnown());
      ProposalKernel kernel = (ProposalKernel) mhss.thetaKernel();
      ToDoubleFunction<double[]> density =
          at ->
              quadratic.value(Arrays.copyOf(at, experiment.known()))
                  + experiment.prior().logDensity(at);
      int scales = 0;
      for (int i = 0; i < 200; i++) {
        double[] proposal = kernel.propose(theta, rng);
        if (proposal[experiment.known()] != theta[experiment.known()]) {
          double ratio = density.applyAsDouble(theta) - density.applyAsDouble(proposal);
          assertEquals(ratio, kernel.correction(theta, proposal), 1e-8 * (1 + Math.abs(ratio)));
          scales++;
          theta = proposal;
        }
      }
      assertTrue(scales > 50, experiment.name());
    }
  }

  /** A deliberate fault. */
  private enum Fault {
    NONE,
    /** Scales are moved with coefficients as if the volume of these stayed. */
    NO_JACOBIAN,
    /** Scales are moved and drawn without the prior of theirs. */
    NO_PRIOR,
    /** The coefficients' prior is given the scales before the last move. */
    STALE_SCALE;

    /** Returns the group as the moves of scales see it. */
    ScaleGroup moved(ScaleGroup group) {
      return switch (this) {
        case NO_JACOBIAN -> new Changed(group, true, false, null);
        case NO_PRIOR -> new Changed(group, false, true, null);
        default -> group;
      };
    }

    /** Returns the group as the target has it. */
    ScaleGroup target(ScaleGroup group) {
      return this == STALE_SCALE
          ? new Changed(group, false, false, new double[group.parameters()])
          : group;
    }
  }

  /** A group with something wrong. */
  private record Changed(
      ScaleGroup group, boolean noJacobian, boolean noPrior, double @Nullable [] stale)
      implements ScaleGroup {
    @Override
    public int parameters() {
      return group.parameters();
    }

    @Override
    public int[] coefficients() {
      return group.coefficients();
    }

    @Override
    public List<ScaleCoordinate> coordinates() {
      return group.coordinates();
    }

    @Override
    public double logPrior(double[] phi) {
      return noPrior ? 0 : group.logPrior(phi);
    }

    @Override
    public void whiten(double[] phi, double[] b) {
      group.whiten(phi, b);
    }

    @Override
    public void color(double[] phi, double[] u) {
      group.color(phi, u);
    }

    @Override
    public double[] sds(double[] phi) {
      return group.sds(phi);
    }

    @Override
    public double logDeterminant(double[] phi) {
      return noJacobian ? 0 : group.logDeterminant(phi);
    }

    @Override
    public void addPrecision(double[] phi, double[] matrix, int d) {
      group.addPrecision(phi, matrix, d);
    }

    @Override
    public double @Nullable [] levelPrecision(double[] phi) {
      return group.levelPrecision(phi);
    }

    @Override
    public void addGradient(double[] phi, double[] b, double[] gradient) {
      group.addGradient(stale == null ? phi : stale, b, gradient);
    }

    @Override
    public int[] shared() {
      return group.shared();
    }

    @Override
    public int @Nullable [] multiplied(int k) {
      return group.multiplied(k);
    }

    @Override
    public int[] compensating(int k) {
      return group.compensating(k);
    }

    @Override
    public double logConditional(int k, double[] phi, double[] b) {
      double log = group.logConditional(k, phi, b);
      return noPrior ? log - group.logPrior(phi) : log;
    }

    @Override
    public double logDensity(double[] phi, double[] b) {
      return group.logDensity(stale == null ? phi : stale, b);
    }

    @Override
    public List<String> names() {
      return group.names();
    }

    @Override
    public List<String> priors() {
      return group.priors();
    }

    @Override
    public double[] reported(double[] phi) {
      return group.reported(phi);
    }
  }

  /**
   * An algorithm under test.
   *
   * @param experiment the model
   * @param algorithm metropolis, firefly or mhss
   * @param kernel of the coefficients given scales
   * @param fault what is wrong with it
   */
  private record Case(ScaledExperiment experiment, String algorithm, String kernel, Fault fault)
      implements JointDistribution.Sampler {
    @Override
    public String name() {
      return experiment.name()
          + ", "
          + algorithm
          + ", "
          + kernel
          + (fault == Fault.NONE ? "" : ", " + fault);
    }

    @Override
    public JointDistribution.State steps(double[] theta, DataBlock data, long seed) {
      Streams streams = new Streams(seed);
      ProductPrior prior = experiment.prior(fault::target);
      Anchors anchors = experiment.bound().orElseThrow().anchorsAt(data, experiment.reference());
      ZStep.Bounds bounds =
          ZStep.Bounds.of(experiment.bound().orElseThrow(), data, anchors, experiment.reference());
      TransitionKernel<?> kernel =
          switch (algorithm) {
            case "firefly" ->
                new Samplers.Lit(
                    ZStep.PER_ROW.firefly(
                        experiment.bound().orElseThrow(),
                        bounds,
                        prior,
                        data,
                        about(),
                        UnaryOperator.identity(),
                        streams));
            case "mhss" -> subsampled(prior, data, streams);
            default ->
                new FullDataKernel(
                    prior,
                    new InMemoryLikelihoodRows(
                        List.of(data), new LikelihoodPass<>(experiment.model())));
          };
      ChainRunner.Length length = new ChainRunner.Length(0, 1, STEPS, 0.5);
      ChainTrace trace =
          new ChainRunner(length, streams, (chain, iteration, info) -> {})
              .run(1, kernel, thetaKernel(), theta);
      return new JointDistribution.State(trace.draws().get(0), 0, 0);
    }

    private SubsampledKernel subsampled(ProductPrior prior, DataBlock data, Streams streams) {
      TaylorProxy proxy = new TaylorProxy(experiment.model(), 2, about(), Double.POSITIVE_INFINITY);
      ProxyBlock block = ProxyBlock.of(proxy, data);
      CollapsedQuadratic collapsed = proxy.emptySum();
      proxy.collapse(data, collapsed);
      return new SubsampledKernel(
          proxy,
          prior,
          collapsed,
          new InMemoryPointRows(proxy, List.of(block), new PointStream(streams, 1, 8, 2)),
          new PointStream.Size(Long.MAX_VALUE, block.total()),
          new RowDecision.Scalable(true));
    }

    private LaplaceApproximation about() {
      int d = experiment.known();
      ScaledPrior scales = experiment.scales(UnaryOperator.identity());
      double[] wide = scales.precisions(scales.wide());
      double[] precision = new double[d * d];
      double[] covariance = new double[d * d];
      for (int j = 0; j < d; j++) {
        precision[j * d + j] = 1.5 + wide[j];
        covariance[j * d + j] = 1 / precision[j * d + j];
      }
      return new LaplaceApproximation(new double[d], covariance, new ArrowMatrix(precision, d));
    }

    private ScaledCoefficients coefficients() {
      int d = experiment.known();
      EffectColumns none = new EffectColumns(d, List.of(), new long[0][], List.of());
      return new ScaledCoefficients(none, experiment.scales(fault::moved));
    }

    private ThetaKernel thetaKernel() {
      SamplerSettings settings =
          MemoryRun.settings(
              Map.of(
                  "algorithm",
                  algorithm,
                  "kernel",
                  kernel,
                  "step_size",
                  kernel.equals("hmc") ? 0.5 : 0.7));
      return coefficients()
          .kernel(
              settings.making(),
              about(),
              experiment.prior().ofKnown(),
              SamplingAlgorithm.registry().named(algorithm).needs(),
              null)
          .kernel();
    }

    @Override
    public JointDistribution.State exact(
        double[] theta, DataBlock data, UniformRandomProvider rng) {
      return new JointDistribution.State(theta, 0, 0);
    }
  }
}
