package org.lampyris.samplers.shards;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.Recombining;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.shards.combination.Combination;
import org.lampyris.samplers.shards.combination.SubposteriorCheck;
import org.lampyris.samplers.shards.combination.Subposteriors;

/**
 * Divide and conquer: the rows are dealt to S shards, chains run on every shard without
 * communication, and a {@link Combination} turns their draws into draws of the posterior.
 *
 * <p>Source: the methods that Bardenet, Doucet and Holmes (2017), section 3, review.
 */
public final class ShardsAlgorithm implements Recombining {
  static final String NAME = "shards";
  private static final String COMBINE = "combine";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(ShardsSettings.SECTION);
  }

  /** {@inheritDoc} A chain is a task, which returns only at its end. */
  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.NOT_RESUMED);
  }

  @Override
  public boolean isExact(OwnSettings own) {
    ShardsSettings settings = own.of(ShardsSettings.class);
    return settings.count() == 1 || settings.combination().isExact();
  }

  @Override
  public String knob(OwnSettings own) {
    ShardsSettings settings = own.of(ShardsSettings.class);
    return Text.of(
        "sampler.shards.combine: %s, sampler.shards.count: %d",
        settings.combine(), settings.count());
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    ShardsSettings settings = own.of(ShardsSettings.class);
    refuse(
        context.model().spec().name(),
        context.model().hasBound(context.laplace()),
        settings,
        context.inputs().chains().init());
    ShardJobs jobs = new ShardJobs(context, own, settings.count());
    RunProgress progress = context.inputs().progress();
    progress.begin(NAME);
    long begun = System.nanoTime();
    List<SubposteriorChain.Done> done = jobs.subposteriors(settings.combination().subposterior());
    String line = line(settings, done);
    progress.note(line);
    progress.end();
    Map<String, Double> seconds = new LinkedHashMap<>();
    seconds.put(RunResult.SAMPLE, 1e-9 * (System.nanoTime() - begun));
    int chains = context.chains();
    double[][][][] draws =
        IntStream.range(0, settings.count())
            .mapToObj(
                shard ->
                    done.subList(shard * chains, (shard + 1) * chains).stream()
                        .map(chain -> chain.trace().draws().toArray(double[][]::new))
                        .toArray(double[][][]::new))
            .toArray(double[][][][]::new);
    RunResult.Parts parts =
        new RunResult.Parts(settings.combination().subposterior().name(), draws);
    Combination.Combined combined = combined(context, settings, parts, jobs, seconds);
    List<ChainTrace> traces =
        IntStream.range(0, chains)
            .mapToObj(
                c ->
                    trace(
                        c + 1,
                        IntStream.range(0, settings.count())
                            .mapToObj(shard -> done.get(shard * chains + c).trace())
                            .toList(),
                        combined.draws()[c],
                        context.inputs().chains().thin()))
            .toList();
    long setup = done.stream().mapToLong(SubposteriorChain.Done::evaluations).sum();
    return result(context, jobs, setup, seconds, traces, parts)
        .deciding(decisions(context, parts, line, combined), List.of());
  }

  @Override
  public RunResult recombine(SamplingContext context, OwnSettings own, RunResult.Parts parts) {
    ShardsSettings settings = own.of(ShardsSettings.class);
    String wanted = settings.combination().subposterior().name();
    if (!parts.kind().equals(wanted)) {
      throw UserException.usage(
          ("sampler.shards.combine: %s is for subposteriors with %s, but the kept ones have %s."
                  + " Sample again with it.")
              .formatted(settings.combine(), words(wanted), words(parts.kind())));
    }
    Subposteriors kept = new Subposteriors(parts.draws());
    if (kept.shards() != settings.count() || kept.chains() != context.chains()) {
      throw UserException.usage(
          ("the kept draws are from %d shards with %d chains each. Set sampler.shards.count: %1$d"
                  + " and sampler.chains: %2$d, as in the run that made them.")
              .formatted(kept.shards(), kept.chains()));
    }
    ShardJobs jobs = new ShardJobs(context, own, settings.count());
    Map<String, Double> seconds = new LinkedHashMap<>();
    Combination.Combined combined = combined(context, settings, parts, jobs, seconds);
    List<ChainTrace> traces =
        IntStream.range(0, kept.chains())
            .mapToObj(c -> trace(c + 1, List.of(), combined.draws()[c], 1))
            .toList();
    return result(context, jobs, 0, seconds, traces, parts)
        .deciding(decisions(context, parts, "", combined), List.of());
  }

  private static String words(String kind) {
    return kind.equals(Combination.Subposterior.RAISED.name())
        ? "likelihoods raised to the number of shards"
        : "priors to the power 1/S";
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    refuse(
        model.family(),
        model.mayHaveBound(),
        settings.own().of(ShardsSettings.class),
        settings.run().init());
  }

  private static void refuse(
      String family, boolean bound, ShardsSettings settings, StartingPoint.Init init) {
    SamplingAlgorithm onShards = SamplingAlgorithm.registry().named(settings.algorithm());
    if (onShards.needs().contains(Need.BOUND) && !bound) {
      throw UserException.usage(
          "sampler.shards.algorithm: %s needs %s, and the family %s has none. Remove the key."
              .formatted(settings.algorithm(), Need.BOUND.text(), family));
    }
    if (init == StartingPoint.Init.PRIOR) {
      throw UserException.usage(
          "sampler.init: prior is not available with sampler.algorithm: shards, because its priors"
              + " are tempered. Choose laplace or overdispersed.");
    }
  }

  private static String line(ShardsSettings settings, List<SubposteriorChain.Done> done) {
    return Text.of(
        "%d shards of %,d to %,d rows, each sampled with %s",
        settings.count(),
        done.stream().mapToLong(SubposteriorChain.Done::rows).min().orElseThrow(),
        done.stream().mapToLong(SubposteriorChain.Done::rows).max().orElseThrow(),
        settings.algorithm());
  }

  /** Combines; with one shard, its draws are the posterior's. */
  private static Combination.Combined combined(
      SamplingContext context,
      ShardsSettings settings,
      RunResult.Parts parts,
      ShardJobs jobs,
      Map<String, Double> seconds) {
    RunProgress progress = context.inputs().progress();
    progress.begin(COMBINE);
    long begun = System.nanoTime();
    Streams streams = context.streams();
    double[][][][] draws = parts.draws();
    Combination.Combined combined =
        draws.length == 1
            ? new Combination.Combined(draws[0], new double[0], List.of())
            : settings
                .combination()
                .combine(
                    new Subposteriors(draws),
                    new Combination.Setting(
                        settings.bandwidth(),
                        settings.rounds(),
                        settings.damping(),
                        chain -> streams.stream(Streams.Purpose.COMBINATION, chain, 0, 0),
                        jobs));
    combined.notes().forEach(progress::note);
    progress.end();
    seconds.put(COMBINE, 1e-9 * (System.nanoTime() - begun));
    return combined;
  }

  private static List<Decision> decisions(
      SamplingContext context, RunResult.Parts parts, String line, Combination.Combined combined) {
    List<Decision> decisions = new ArrayList<>();
    if (!line.isEmpty()) {
      decisions.add(Decision.of(NAME, line));
    }
    combined.notes().forEach(note -> decisions.add(Decision.of(COMBINE, note)));
    if (parts.draws().length > 1) {
      SubposteriorCheck check =
          SubposteriorCheck.of(
              new Subposteriors(parts.draws()),
              Combination.Subposterior.valueOf(parts.kind()),
              context.model().coefficients());
      decisions.add(
          Decision.of(
              "subposteriors",
              check.figures(),
              check.figures().entrySet().stream()
                  .map(figure -> Text.of("%s %.3g", figure.getKey(), figure.getValue()))
                  .collect(Collectors.joining(", ", "subposteriors: ", ""))));
      check.warnings().forEach(text -> decisions.add(Decision.of(Decision.FOUND, text)));
    }
    return decisions;
  }

  private static RunResult result(
      SamplingContext context,
      ShardJobs jobs,
      long setup,
      Map<String, Double> seconds,
      List<ChainTrace> traces,
      RunResult.Parts parts) {
    RunResult.Cost cost =
        new RunResult.Cost(
            jobs.jobs(), setup + jobs.evaluations(), jobs.jobs(), context.residentBytes());
    return new RunResult(traces, cost, seconds, List.of(), null, parts);
  }

  /** Returns the combined draws with the cost of the iterations behind them. */
  private static ChainTrace trace(int chain, List<ChainTrace> shards, double[][] draws, int thin) {
    ChainTrace trace = new ChainTrace(chain);
    trace.begin(
        shards.stream().mapToLong(ChainTrace::initialEvaluations).sum(),
        shards.stream().mapToDouble(ChainTrace::stepSize).average().orElse(Double.NaN));
    int warmup = shards.isEmpty() ? 0 : shards.get(0).warmup().size();
    for (int i = 0; i < warmup; i++) {
      int at = i;
      trace.addWarmup(together(shards.stream().map(shard -> shard.warmup().get(at)).toList()));
    }
    for (int i = 0; i < draws.length * thin; i++) {
      int at = i;
      ChainTrace.Iteration iteration =
          together(shards.stream().map(shard -> shard.sampling().get(at)).toList());
      if ((i + 1) % thin == 0) {
        trace.add(draws[i / thin], Double.NaN, iteration);
      } else {
        trace.addBetween(iteration);
      }
    }
    return trace;
  }

  private static ChainTrace.Iteration together(List<ChainTrace.Iteration> shards) {
    return new ChainTrace.Iteration(
        new StepInfo(
            shards.stream()
                .mapToDouble(step -> step.info().acceptanceProbability())
                .average()
                .orElse(1),
            shards.stream().mapToLong(step -> step.info().likelihoodEvaluations()).sum(),
            shards.stream().anyMatch(step -> step.info().divergent())),
        shards.stream().mapToDouble(ChainTrace.Iteration::seconds).max().orElse(0));
  }
}
