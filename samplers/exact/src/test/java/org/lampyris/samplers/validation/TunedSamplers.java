package org.lampyris.samplers.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.firefly.Brightness;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyRows;
import org.lampyris.samplers.firefly.ScriptedRows;
import org.lampyris.samplers.kernel.Hmc;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.Slice;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.FullDataKernel;
import org.lampyris.samplers.run.InMemoryLikelihoodRows;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.testdata.Factors;

/**
 * Samplers that know nothing but the data: the mode and its curvature are searched for, bounds are
 * made tight there or nowhere in particular, chains begin far out, and the step size adapts.
 */
final class TunedSamplers {
  private static final double STEP_SIZE = 0.6;
  private static final int LEAPFROG_STEPS = 3;

  /** Of the ball of local bounds: a small table's posterior reaches further than a normal one. */
  private static final double RADIUS = 8;

  private static final double SMALL_RADIUS = 2.1;

  private TunedSamplers() {}

  /** Returns every experiment × algorithm. */
  static List<Calibration.Sampler> cases() {
    List<Calibration.Sampler> all = new ArrayList<>();
    List<Experiment> experiments = new ArrayList<>(Experiments.all());
    experiments.add(Experiments.gammaShape());
    for (Experiment experiment : experiments) {
      all.add(fullData(experiment, "metropolis", experiment.prior()));
      for (ZStep zStep : isLogistic(experiment) ? ZStep.all() : List.of(ZStep.PER_ROW)) {
        for (Form form : Form.of(experiment)) {
          all.add(firefly(experiment, zStep, form, "", experiment.prior(), rows -> rows));
        }
      }
    }
    Experiments.priors().forEach(one -> all.add(fullData(one, "metropolis", one.prior())));
    return all;
  }

  /** Returns samplers with one deliberate fault each. */
  static List<Calibration.Sampler> mutants() {
    Experiment logistic = Experiments.logistic();
    Experiment scale = Experiments.gaussianScale();
    Prior none = new Scaled(logistic.prior(), 0.2);
    Prior twice = new Scaled(logistic.prior(), 2);
    return List.of(
        fullData(logistic, "prior nearly dropped", none),
        fullData(logistic, "prior counted twice", twice),
        fullData(scale, "missing Jacobian", new WithoutJacobian(scale.prior(), 2)),
        firefly(
            logistic, ZStep.PER_ROW, Form.MAP_TUNED, "prior counted twice", twice, rows -> rows),
        firefly(logistic, ZStep.PER_ROW, Form.TOO_LOCAL, "", logistic.prior(), rows -> rows),
        firefly(
            logistic,
            ZStep.PER_ROW,
            Form.UNTUNED,
            "bright rows left out",
            logistic.prior(),
            TunedSamplers::withoutBrightRows));
  }

  /** The bound that no data have been looked at for, as in Maclaurin and Adams (2014). */
  private static Optional<Anchors> untuned(LowerBound bound) {
    return bound.untuned(bound instanceof JaakkolaJordanBound ? 1.5 : 0);
  }

  private static Calibration.Sampler fullData(Experiment experiment, String name, Prior prior) {
    return new Tuned(
        experiment.name() + ", " + name,
        experiment,
        5,
        tuning ->
            new FullDataKernel(
                prior,
                new InMemoryLikelihoodRows(
                    List.of(tuning.data()), new LikelihoodPass<>(experiment.model()))),
        tuning -> thetaKernel(tuning.experiment(), tuning.fit()));
  }

  private static Calibration.Sampler firefly(
      Experiment experiment,
      ZStep zStep,
      Form form,
      String fault,
      Prior prior,
      UnaryOperator<FireflyRows<Brightness>> rows) {
    return new Tuned(
        (experiment.name() + ", firefly " + form.text + ", " + zStep.name() + " " + fault).trim(),
        experiment,
        experiment.bound().isEmpty() && experiment.model().functionals() > 1 ? 36 : 12,
        tuning -> {
          double[] mode = tuning.fit().theta();
          LowerBound bound = form.bound(experiment, tuning.fit());
          Anchors anchors = form.anchors(bound, tuning.data(), tuning.fit());
          FireflyKernel<Brightness> kernel =
              zStep.firefly(
                  bound,
                  ZStep.Bounds.of(bound, tuning.data(), anchors, mode),
                  prior,
                  tuning.data(),
                  tuning.fit().laplace(),
                  rows,
                  tuning.streams());
          return form == Form.BEYOND
              ? ZStep.everywhere(
                  kernel, bound.region().orElseThrow(), experiment, tuning.data(), tuning.streams())
              : kernel;
        },
        tuning -> thetaKernel(tuning.experiment(), tuning.fit()));
  }

  /** Where the bounds are tight, and where they hold. */
  private enum Form {
    MAP_TUNED("MAP-tuned"),
    UNTUNED("untuned"),
    LOCAL("local"),
    /** In a ball that holds about 90 % of the posterior, and beyond it. */
    BEYOND("local and beyond"),
    /** In that ball alone. */
    TOO_LOCAL("local, in too small a ball");

    private final String text;

    Form(String text) {
      this.text = text;
    }

    static List<Form> of(Experiment experiment) {
      List<Form> forms = new ArrayList<>();
      experiment.bound().ifPresent(bound -> forms.add(MAP_TUNED));
      experiment.bound().flatMap(TunedSamplers::untuned).ifPresent(same -> forms.add(UNTUNED));
      if (isLogistic(experiment)) {
        forms.add(LOCAL);
      }
      int d = experiment.prior().dimension();
      double[] identity = new double[d * d];
      IntStream.range(0, d).forEach(j -> identity[j * (d + 1)] = 1);
      LaplaceApproximation any = new LaplaceApproximation(new double[d], identity);
      experiment.local(any, 1).ifPresent(local -> forms.add(BEYOND));
      return forms;
    }

    LowerBound bound(Experiment experiment, MapFit fit) {
      return switch (this) {
        case MAP_TUNED, UNTUNED -> experiment.bound().orElseThrow();
        case LOCAL -> experiment.local(fit.laplace(), RADIUS).orElseThrow();
        case BEYOND, TOO_LOCAL -> experiment.local(fit.laplace(), SMALL_RADIUS).orElseThrow();
      };
    }

    Anchors anchors(LowerBound bound, DataBlock data, MapFit fit) {
      return switch (this) {
        case MAP_TUNED, LOCAL, BEYOND, TOO_LOCAL -> bound.anchorsAt(data, fit.theta());
        case UNTUNED -> untuned(bound).orElseThrow();
      };
    }
  }

  private static boolean isLogistic(Experiment experiment) {
    return experiment.name().equals("logistic");
  }

  private static boolean hasEnds(Prior prior) {
    return IntStream.range(0, prior.dimension())
        .anyMatch(j -> Double.isFinite(prior.lower(j)) || Double.isFinite(prior.upper(j)));
  }

  /** Answers as if Σ log L̃_n were 0. */
  private static FireflyRows<Brightness> withoutBrightRows(FireflyRows<Brightness> rows) {
    int d = Experiments.logistic().prior().dimension();
    return new ScriptedRows(
        (before, question) ->
            new FireflyRows.Answered<>(
                rows.ask(before, question).rows(), FireflyRows.Answer.of(question, List.of(), d)));
  }

  /** An HMC step in the shape of the curvature; slice sampling where the prior ends somewhere. */
  static ThetaKernel thetaKernel(Experiment experiment, MapFit fit) {
    int d = fit.theta().length;
    if (hasEnds(experiment.prior())) {
      // Where the density is cut off, the curvature at the mode says nothing about its width.
      return new Slice(Preconditioner.identity(d), 1, Slice.Directions.COORDINATE, 1, 4);
    }
    Preconditioner shape = Factors.choleskyOf(fit.covariance(), d);
    return new Hmc(shape, STEP_SIZE, LEAPFROG_STEPS);
  }

  /**
   * What an algorithm is made of.
   *
   * @param experiment the model
   * @param data the data
   * @param fit the mode and its curvature
   * @param streams the random streams
   */
  record Tuning(Experiment experiment, DataBlock data, MapFit fit, Streams streams) {}

  /**
   * An algorithm under test: any transition kernel and θ-kernel.
   *
   * @param name the name that a failure shows
   * @param experiment the model, and how data are drawn
   * @param thin how many iterations are made for each kept draw
   * @param transition makes the transition kernel
   * @param theta makes the θ-kernel
   */
  record Tuned(
      String name,
      Experiment experiment,
      int thin,
      Function<Tuning, TransitionKernel<?>> transition,
      Function<Tuning, ThetaKernel> theta)
      implements Calibration.Sampler {

    @Override
    public Calibration.Chain chain(DataBlock data, Streams streams) {
      int d = experiment.prior().dimension();
      List<String> names = IntStream.range(0, d).mapToObj(j -> "theta" + j).toList();
      MapFit fit =
          new MapFinder(experiment.prior(), names, 1e-3, 200)
              .find(Objective.of(List.of(data), experiment.model(), 1), null, pass -> {});
      Tuning tuning = new Tuning(experiment, data, fit, streams);
      double[] start = fit.theta();
      if (!hasEnds(experiment.prior())) {
        Preconditioner shape = Factors.choleskyOf(fit.covariance(), d);
        UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 1, 0, 0);
        start = StartingPoint.laplace(start, shape, StartingPoint.OVERDISPERSION, rng);
      }
      return new Calibration.Chain(transition.apply(tuning), theta.apply(tuning), start);
    }
  }
}
