package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.ScriptedRows;
import org.lampyris.samplers.kernel.Barker;
import org.lampyris.samplers.kernel.CrankNicolson;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.Inside;
import org.lampyris.samplers.run.LikelihoodPass;

/** The samplers that the joint-distribution test holds to account, and faulty ones. */
final class Samplers {
  private static final int STEPS = 30;

  private Samplers() {}

  /** Returns every experiment × algorithm × θ-kernel. */
  static List<JointDistribution.Sampler> cases() {
    List<JointDistribution.Sampler> all = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      List<Theta> kernels = thetaKernels(experiment.prior().dimension());
      // The quick form holds every kernel to account on one family, and fewer on the others.
      boolean every = JointDistribution.isLong() || experiment.name().equals("logistic");
      for (Theta theta : every ? kernels : kernels.subList(0, 2)) {
        boolean first = theta.equals(kernels.get(0));
        all.add(fullData(experiment, theta, experiment.prior(), "metropolis"));
        if (experiment.name().equals("logistic")) {
          all.add(firefly(Experiments.local().get(0), theta, ZStep.PER_ROW, Fault.none()));
          all.add(firefly(Experiments.strip(), theta, ZStep.PER_ROW, Fault.none()));
        }
        if (experiment.bound().isPresent()) {
          for (ZStep zStep : every || first ? ZStep.all() : List.of(ZStep.PER_ROW)) {
            all.add(firefly(experiment, theta, zStep, Fault.none()));
          }
        }
      }
    }
    for (Experiment local : Experiments.local()) {
      Theta theta = thetaKernels(local.prior().dimension()).get(0);
      all.add(firefly(local, theta, ZStep.IMPLICIT, Fault.none()));
      all.add(firefly(local, theta, ZStep.PER_ROW, Fault.none()));
    }
    return all;
  }

  /** Returns samplers with one deliberate fault each. */
  static List<JointDistribution.Sampler> mutants() {
    Experiment experiment = Experiments.logistic();
    Theta theta = thetaKernels(experiment.prior().dimension()).get(0);
    return List.of(
        fullData(experiment, theta, new Scaled(experiment.prior(), 0), "prior dropped"),
        fullData(experiment, theta, new Scaled(experiment.prior(), 2), "prior counted twice"),
        firefly(
            experiment,
            theta,
            ZStep.IMPLICIT,
            new Fault("prior counted twice", 2, false, false, UnaryOperator.identity())),
        firefly(
            Experiments.local().get(0),
            theta,
            ZStep.PER_ROW,
            new Fault("confined", 1, false, true, UnaryOperator.identity())),
        firefly(
            Experiments.strip(),
            theta,
            ZStep.PER_ROW,
            new Fault("confined", 1, false, true, UnaryOperator.identity())),
        firefly(
            experiment,
            theta,
            ZStep.IMPLICIT,
            new Fault("stale anchor", 1, true, false, UnaryOperator.identity())),
        firefly(
            experiment,
            theta,
            ZStep.IMPLICIT,
            new Fault("candidates used again", 1, false, false, Samplers::reusingCandidates)),
        firefly(
            experiment,
            theta,
            ZStep.EXPLICIT,
            new Fault("brightness at the proposal", 1, false, false, Samplers::atTheProposal)));
  }

  /** A θ-kernel and its name. */
  record Theta(String name, ThetaKernel kernel) {}

  /**
   * A deliberate fault.
   *
   * @param name what it is
   * @param priorFactor how often the prior counts
   * @param staleAnchor whether the collapsed bounds belong to other anchors than the rows'
   * @param confined whether the chain stays in the region where its bounds hold
   * @param rows what becomes of the rows
   */
  record Fault(
      String name,
      double priorFactor,
      boolean staleAnchor,
      boolean confined,
      UnaryOperator<FireflyRows<Brightness>> rows) {
    static Fault none() {
      return new Fault("", 1, false, false, UnaryOperator.identity());
    }
  }

  /** Step sizes large enough that proposals are refused often. */
  private static List<Theta> thetaKernels(int dimension) {
    Preconditioner identity = Preconditioner.identity(dimension);
    double[] mode = new double[dimension];
    Arrays.fill(mode, 0.4);
    return List.of(
        new Theta("random walk", new RandomWalk(identity, 0.8)),
        new Theta("hmc", new Hmc(identity, 0.4, 4)),
        new Theta("mala", new Mala(identity, 0.7)),
        new Theta("barker", new Barker(identity, 0.8)),
        new Theta("pcn", new CrankNicolson(mode, identity, 0.6)),
        new Theta("slice", new Slice(identity, 0.9, Slice.Directions.COORDINATE, 1, 6)),
        new Theta("slice, random", new Slice(identity, 0.9, Slice.Directions.RANDOM, 1, 6)));
  }

  static JointDistribution.Sampler fullData(
      Experiment experiment, Theta theta, Prior prior, String name) {
    return new Case(
        experiment.name() + ", " + name + ", " + theta.name(),
        experiment,
        theta.kernel(),
        null,
        (data, streams) ->
            new FullDataKernel(
                prior,
                new InMemoryLikelihoodRows(
                    List.of(data), new LikelihoodPass<>(experiment.model()))));
  }

  static JointDistribution.Sampler firefly(
      Experiment experiment, Theta theta, ZStep zStep, Fault fault) {
    String name =
        experiment.name() + ", firefly " + zStep.name() + ", " + theta.name() + " " + fault.name();
    return new Case(
        name.trim(),
        experiment,
        theta.kernel(),
        data -> slack(experiment, zStep, data),
        (data, streams) -> fireflyKernel(experiment, zStep, fault, data, streams));
  }

  /** Returns by how much the bound of each row is lower than its anchor has it. */
  private static double[] slack(Experiment experiment, ZStep zStep, DataBlock data) {
    LowerBound bound = experiment.bound().orElseThrow();
    double[] reference = experiment.reference();
    ZStep.Bounds bounds = ZStep.Bounds.of(bound, data, bound.anchorsAt(data, reference), reference);
    return zStep.slack(bound, bounds, data, about(reference));
  }

  private static LaplaceApproximation about(double[] reference) {
    int d = reference.length;
    double[] covariance = new double[d * d];
    for (int j = 0; j < d; j++) {
      covariance[j * d + j] = 0.5;
    }
    return new LaplaceApproximation(reference, covariance);
  }

  private static TransitionKernel<?> fireflyKernel(
      Experiment experiment, ZStep zStep, Fault fault, DataBlock data, Streams streams) {
    int d = experiment.prior().dimension();
    double[] reference = experiment.reference();
    LowerBound bound = experiment.bound().orElseThrow();
    Anchors anchors = bound.anchorsAt(data, reference);
    double[] other = new double[d];
    Arrays.fill(other, 4);
    Anchors collapsed = fault.staleAnchor() ? bound.anchorsAt(data, other) : anchors;
    ZStep.Bounds bounds =
        new ZStep.Bounds(anchors, ZStep.Bounds.of(bound, data, collapsed, reference).collapsed());
    Lit kernel =
        new Lit(
            zStep.firefly(
                bound,
                bounds,
                new Scaled(experiment.prior(), fault.priorFactor()),
                data,
                about(reference),
                fault.rows(),
                streams));
    return bound.region().isPresent() && !fault.confined()
        ? ZStep.everywhere(kernel, bound.region().orElseThrow(), experiment, data, streams)
        : kernel;
  }

  /** Firefly that begins with a draw of z from p(z | θ), so that its first state is distributed. */
  record Lit(FireflyKernel<Brightness> kernel) implements Inside<FireflyKernel.State<Brightness>> {
    @Override
    public Transition<FireflyKernel.State<Brightness>> init(double[] theta) {
      return enter(kernel.init(theta).state(), theta, 0);
    }

    @Override
    public Transition<FireflyKernel.State<Brightness>> step(
        FireflyKernel.State<Brightness> state,
        long iteration,
        ThetaKernel thetaKernel,
        UniformRandomProvider rng) {
      return kernel.step(state, iteration, thetaKernel, rng);
    }

    @Override
    public Transition<FireflyKernel.State<Brightness>> enter(
        FireflyKernel.State<Brightness> before, double[] theta, long iteration) {
      return kernel.enter(before, theta, iteration);
    }

    @Override
    public FireflyKernel.State<Brightness> outside(
        FireflyKernel.@Nullable State<Brightness> before, Point point) {
      return kernel.outside(before, point);
    }

    @Override
    public List<Double> columnsOutside() {
      return kernel.columnsOutside();
    }
  }

  /** Makes every z-step with the random numbers of the first, as if a pool were used again. */
  private static FireflyRows<Brightness> reusingCandidates(FireflyRows<Brightness> rows) {
    return withUpdates(
        rows,
        update ->
            new BrightnessKernel.Update(update.kernel(), update.theta(), 1, update.selected()));
  }

  /** Makes every z-step at the last proposal, accepted or not. */
  private static FireflyRows<Brightness> atTheProposal(FireflyRows<Brightness> rows) {
    double[][] proposal = new double[1][];
    FireflyRows<Brightness> faulty =
        withUpdates(
            rows,
            update ->
                new BrightnessKernel.Update(
                    update.kernel(),
                    proposal[0] == null ? update.theta() : proposal[0],
                    update.iteration(),
                    update.selected()));
    return new ScriptedRows(
        (before, question) -> {
          FireflyRows.Answered<Brightness> answered = faulty.ask(before, question);
          proposal[0] = question.thetas()[question.thetas().length - 1];
          return answered;
        });
  }

  private static FireflyRows<Brightness> withUpdates(
      FireflyRows<Brightness> rows, UnaryOperator<BrightnessKernel.Update> change) {
    return new ScriptedRows(
        (before, question) -> {
          BrightnessKernel.Update update = question.update();
          return rows.ask(
              before,
              new FireflyRows.Question(
                  question.chain(),
                  update == null || update.iteration() == 0 ? update : change.apply(update),
                  question.thetas(),
                  question.gradient()));
        });
  }

  /** Makes a transition kernel for some data. */
  @FunctionalInterface
  interface KernelFactory {
    TransitionKernel<?> of(DataBlock data, Streams streams);
  }

  /**
   * An algorithm under test: any transition kernel and θ-kernel.
   *
   * @param name the name that a failure shows
   * @param experiment the model, and how data are drawn
   * @param thetaKernel the θ-kernel
   * @param slack that of each row's bound about {@link Experiment#reference}; null where rows have
   *     no brightness
   * @param factory makes the transition kernel
   */
  record Case(
      String name,
      Experiment experiment,
      ThetaKernel thetaKernel,
      @Nullable Function<DataBlock, double[]> slack,
      KernelFactory factory)
      implements JointDistribution.Sampler {

    @Override
    public JointDistribution.State steps(double[] theta, DataBlock data, long seed) {
      Streams streams = new Streams(seed);
      ChainRunner.Length length = new ChainRunner.Length(0, 1, STEPS, 0.5);
      ChainTrace trace =
          new ChainRunner(length, streams, (chain, iteration, info) -> {})
              .run(1, factory.of(data, streams), thetaKernel, theta);
      List<Double> columns = trace.sampling().get(STEPS - 1).info().columns();
      return new JointDistribution.State(
          trace.draws().get(0), slack != null ? columns.get(0) : 0, trace.logDensities().get(0));
    }

    @Override
    public JointDistribution.State exact(
        double[] theta, DataBlock data, UniformRandomProvider rng) {
      double bright = 0;
      double logDensity = experiment.prior().logDensity(theta);
      boolean inside =
          experiment
              .bound()
              .flatMap(LowerBound::region)
              .map(region -> region.holds(theta))
              .orElse(true);
      double[] lower = slack == null ? new double[0] : slack.apply(data);
      for (int row = 0; row < data.rows(); row++) {
        logDensity += experiment.model().logLikelihood(data, row, theta);
        if (slack != null && inside) {
          LowerBound bound = experiment.bound().orElseThrow();
          Anchors anchors = bound.anchorsAt(data, experiment.reference());
          double gap = bound.gap(data, row, theta, anchors);
          double probability = StableMath.brightProbability(gap + lower[row]);
          boolean isBright = rng.nextDouble() < probability;
          // What the slack takes from the bounds is a constant, and left out.
          logDensity += isBright ? Math.log(probability) + lower[row] : -gap;
          bright += isBright ? 1 : 0;
        }
      }
      return new JointDistribution.State(theta, bright, logDensity);
    }
  }
}
