package org.lampyris.samplers.laplace;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * The normal approximation N(θ̂, Σ̂) of the posterior as an algorithm: {@linkplain NormalDraws
 * independent draws} in the time of the mode, in the sampler's coordinates, in which scales are
 * logarithms.
 *
 * <p>By the theorem of Bernstein and von Mises it is the limit of the posterior for many rows. How
 * far from the limit a table is, {@linkplain ImportanceWeights importance weights} of some hundreds
 * of draws show, which take one pass over the rows. On demand, the draws are corrected: more are
 * made, each is weighted by all rows, and the wanted number is resampled by the smoothed weights.
 *
 * <p>Source: van der Vaart (1998), theorem 10.1; Rubin (1988) for sampling by importance
 * resampling; Vehtari et al. (2024) for smoothed weights.
 */
public final class LaplaceAlgorithm implements SamplingAlgorithm {
  private static final String NAME = "laplace";
  private static final String BIAS = "bias";

  /**
   * Times as many draws are weighed if k̂ of the first ones leaves a doubt, and that takes seconds:
   * k̂ of 400 draws has a standard deviation of 0.17.
   */
  private static final int MORE = 10;

  @Override
  public String name() {
    return NAME;
  }

  /** {@inheritDoc} Corrected draws are not exact either: only for ever more of them. */
  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.INDEPENDENT, Trait.WITHOUT_COVARIANCE, Trait.NOT_RESUMED);
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(Settings.SECTION);
  }

  @Override
  public String knob(OwnSettings own) {
    Settings settings = own.of(Settings.class);
    return settings.correct()
        ? "sampler.laplace.proposals: " + settings.proposals()
        : "sampler.laplace.correct: false";
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    Settings settings = own.of(Settings.class);
    NormalDraws normal =
        new NormalDraws(context.laplace(), context.model().prior(), context.streams());
    return settings.correct()
        ? corrected(context, settings, normal, knob(own))
        : plain(context, settings, normal, knob(own));
  }

  /** Draws with their log posterior by all rows. */
  private record Weighed(double[] logPosteriors, ImportanceWeights weights) {
    static Weighed of(
        SamplingContext context, NormalDraws normal, int size, IntFunction<double[]> thetas) {
      double[] logs = LogPosteriors.at(context, context.model().prior(), size, thetas);
      double[] ratios = new double[size];
      Arrays.setAll(ratios, s -> normal.logRatio(thetas.apply(s), logs[s]));
      return new Weighed(logs, ImportanceWeights.of(ratios));
    }
  }

  private static RunResult plain(
      SamplingContext context, Settings settings, NormalDraws normal, String knob) {
    int chains = context.chains();
    int draws = context.inputs().chains().draws();
    Map<String, Double> seconds = new LinkedHashMap<>();
    long begun = System.nanoTime();
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      ChainTrace trace = ChainTrace.overflowing(c);
      trace.begin(0, Double.NaN);
      for (int i = 1; i <= draws; i++) {
        trace.add(normal.draw(c, i), Double.NaN, iteration(0));
      }
      traces.add(trace);
    }
    seconds.put(RunResult.SAMPLE, 1e-9 * (System.nanoTime() - begun));
    RunProgress progress = context.inputs().progress();
    progress.begin(BIAS);
    begun = System.nanoTime();
    // The first draws of each chain, also if fewer are kept.
    IntFunction<double[]> thetas = s -> normal.draw(1 + s % chains, 1 + s / chains);
    int size = settings.checked();
    Weighed weighed = Weighed.of(context, normal, size, thetas);
    long evaluated = size;
    double work = (double) MORE * size * context.table().rows() * LogPosteriors.work(context);
    if (!weighed.weights.areReliable()
        && !weighed.weights.areFar()
        && work <= LogPosteriors.WORTH_IT) {
      size *= MORE;
      weighed = Weighed.of(context, normal, size, thetas);
      evaluated += size;
    }
    Bias bias =
        new ImportanceBias(context.model().coefficients(), weighed.weights, thetas)
            .of(weighed.weights, knob, false);
    progress.note(bias.sentence());
    progress.end();
    seconds.put(BIAS, 1e-9 * (System.nanoTime() - begun));
    String found =
        Text.of(
            "independent draws: %,d from the normal approximation at the mode%s",
            (long) chains * draws, outside(normal));
    return result(context, evaluated, size, traces, seconds, found, weighed, bias);
  }

  private static RunResult corrected(
      SamplingContext context, Settings settings, NormalDraws normal, String knob) {
    int chains = context.chains();
    int draws = context.inputs().chains().draws();
    int wanted = Math.multiplyExact(chains, draws);
    int size = Math.max(settings.checked(), Math.multiplyExact(wanted, settings.proposals()));
    // Proposals are made again rather than kept.
    IntFunction<double[]> thetas = s -> normal.draw(1 + s % chains, 1 + s / chains);
    RunProgress progress = context.inputs().progress();
    progress.begin(RunResult.SAMPLE);
    long begun = System.nanoTime();
    Weighed weighed = Weighed.of(context, normal, size, thetas);
    int[] chosen =
        weighed.weights.resampled(
            wanted, context.streams().stream(Streams.Purpose.COMBINATION, 0, 0, 0));
    long evaluations = context.table().rows() * (size / wanted);
    List<ChainTrace> traces = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      ChainTrace trace = ChainTrace.overflowing(c);
      trace.begin(0, Double.NaN);
      for (int i = 0; i < draws; i++) {
        int s = chosen[i * chains + c - 1];
        trace.add(thetas.apply(s), weighed.logPosteriors[s], iteration(evaluations));
      }
      traces.add(trace);
    }
    Bias bias =
        new ImportanceBias(context.model().coefficients(), weighed.weights, thetas)
            .of(weighed.weights, knob, true);
    progress.note(bias.sentence());
    progress.end();
    String found =
        Text.of(
            "independent draws: %,d resampled from %,d of the normal approximation at the mode,"
                + " %,d of them different%s",
            wanted, size, Arrays.stream(chosen).distinct().count(), outside(normal));
    Map<String, Double> seconds = Map.of(RunResult.SAMPLE, 1e-9 * (System.nanoTime() - begun));
    return result(context, 0, size, traces, seconds, found, weighed, bias);
  }

  private static ChainTrace.Iteration iteration(long evaluations) {
    return new ChainTrace.Iteration(new StepInfo(1, evaluations, false, Double.NaN, List.of()), 0);
  }

  /** Returns the share that bounds cut off, in words. */
  private static String outside(NormalDraws normal) {
    return normal.outside() == 0
        ? ""
        : Text.of(
            "; its share of %.2g outside the bounds of the priors is left out", normal.outside());
  }

  /**
   * Returns the result, with a complaint if the weights show that the approximation has failed.
   *
   * @param extra how many draws were weighed that are not counted with the iterations
   * @param size how many draws have the weights
   */
  private static RunResult result(
      SamplingContext context,
      long extra,
      int size,
      List<ChainTrace> traces,
      Map<String, Double> seconds,
      String found,
      Weighed weighed,
      Bias bias) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("draws", (double) traces.size() * traces.get(0).size());
    figures.put("effective_share_of_weights", weighed.weights.effective() / size);
    List<Decision> decisions = new ArrayList<>();
    decisions.add(Decision.of(Decision.INDEPENDENT, figures, found));
    if (!weighed.weights.areReliable()) {
      decisions.add(
          Decision.of(
              Decision.UNRELIABLE,
              Text.of(
                  "The posterior is far from its normal approximation (%s), so neither the draws nor"
                      + " their measured bias can be trusted. Set sampler.algorithm: auto.",
                  weighed.weights.shape())));
    }
    int before = (int) Math.max(0, extra - size);
    int passes = LogPosteriors.passes(context, size) + LogPosteriors.passes(context, before);
    return new RunResult(
        traces,
        new RunResult.Cost(passes, extra * context.table().rows(), passes, context.residentBytes()),
        seconds,
        decisions,
        bias,
        null);
  }

  /**
   * The section {@code sampler.laplace}.
   *
   * @param correct whether draws are resampled by importance weights
   * @param proposals draws of the normal approximation for each corrected draw
   * @param checked draws whose weights measure the bias
   */
  public record Settings(boolean correct, int proposals, int checked) implements Serializable {
    static final OwnSection<Settings> SECTION =
        new OwnSection<>(
            NAME,
            Settings.class,
            (section, defaults) ->
                new Settings(
                    section.flag("correct", false),
                    section.whole("proposals", 4, 1, 1000),
                    section.whole("checked", 400, 100, 1_000_000)));
  }
}
