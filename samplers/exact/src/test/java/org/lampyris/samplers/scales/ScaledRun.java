package org.lampyris.samplers.scales;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.effects.EffectColumns;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.ExpectedCost;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MarginalScales;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.CollapsedBounds;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/** A model with random effects of rows in memory, as coefficients: from the mode to the draws. */
public final class ScaledRun {
  private final List<DataBlock> blocks;
  private final EffectModel effects;
  private final int own;
  private final MarginalScales.Fit fit;
  private final double radius;

  /** Finds scales and mode. */
  public ScaledRun(
      List<DataBlock> rows, ModelOfTable base, List<TableEffects> random, double radius) {
    this.radius = radius;
    this.own = base.columns();
    long[][] keys = new long[random.size()][];
    for (int g = 0; g < keys.length; g++) {
      int grouping = random.get(g).grouping();
      keys[g] =
          rows.stream()
              .flatMapToLong(
                  block ->
                      java.util.stream.IntStream.range(0, block.rows())
                          .mapToLong(row -> block.group(grouping, row)))
              .distinct()
              .sorted()
              .toArray();
    }
    List<List<String>> levels =
        java.util.Arrays.stream(keys)
            .map(of -> java.util.Arrays.stream(of).mapToObj(String::valueOf).toList())
            .toList();
    EffectColumns columns = new EffectColumns(own, random, keys, levels);
    this.blocks = rows.stream().map(columns::of).toList();
    this.effects =
        EffectModel.of(
            base.withRandom(random),
            columns,
            List.of(),
            List.of(),
            PriorConfig.of("flat", Map.of(), PriorConfig.Scale.STANDARDIZED));
    this.fit =
        MarginalScales.search(
            effects,
            null,
            (given, coupled, near) -> {
              MapFinder finder = new MapFinder(given.prior(), given.coefficients(), 1e-3, 100);
              Objective objective = coupled.apply(Objective.of(blocks, given.model(), 1));
              double[] start = near == null ? given.start() : near;
              return start == null
                  ? finder.find(objective, null, pass -> {})
                  : finder.find(start, objective, null, pass -> {});
            },
            phi -> {});
  }

  MarginalScales.Fit fit() {
    return fit;
  }

  /** Runs chains by the keys of the section {@code sampler}. */
  public RunResult run(Map<String, ?> sampler) {
    return run(sampler, new EffectSink.None(), 0);
  }

  RunResult run(Map<String, ?> sampler, EffectSink sink, int kept) {
    SamplerSettings settings = MemoryRun.settings(sampler);
    ModelOfTable model = effects.sampling(fit.phi(), fit.spread()).drawn();
    ScaledCoefficients scaled = scaled(model);
    RunResult result =
        settings.type().orElseThrow().run(context(settings, model, scaled), settings.own());
    return scaled.reported(result, own, sink, kept);
  }

  /** Runs chains, and returns the evidence by bridge sampling. */
  Decision evidence(Map<String, ?> sampler) {
    SamplerSettings settings = MemoryRun.settings(sampler);
    ModelOfTable model = effects.sampling(fit.phi(), fit.spread()).drawn();
    InMemoryContext context = context(settings, model, scaled(model));
    return BridgeSampling.evidence(
        settings, context, settings.type().orElseThrow().run(context, settings.own()).chains());
  }

  /** Returns what {@code auto} counts for a likelihood evaluation in a pass. */
  double evaluationInPass() {
    ModelOfTable model = effects.sampling(fit.phi(), fit.spread()).drawn();
    SamplerSettings settings = MemoryRun.settings(Map.of("algorithm", "metropolis"));
    return ExpectedCost.inPass(context(settings, model, scaled(model)));
  }

  private ScaledCoefficients scaled(ModelOfTable model) {
    return new ScaledCoefficients(
        effects.columns(), (ScaledPrior) Objects.requireNonNull(model.prior().term()));
  }

  private InMemoryContext context(
      SamplerSettings settings, ModelOfTable model, ScaledCoefficients scaled) {
    Sums sums = new Sums(model);
    RunInputs inputs =
        new RunInputs(
            model,
            fit.fit().laplace(),
            sums,
            settings.run(),
            settings.execution(),
            scaled.kernel(
                MonotonicEffects.making(settings.making()),
                fit.fit().laplace(),
                model.prior().ofKnown(),
                settings.type().orElseThrow().needs(),
                settings.theta().targetAcceptance()),
            new Streams(settings.run().seed()),
            new RunProgress.Silent());
    return new InMemoryContext(inputs, blocks);
  }

  private final class Sums implements CollapsedBounds {
    private final ModelOfTable model;

    Sums(ModelOfTable model) {
      this.model = model;
    }

    private CollapsedQuadratic sum(LowerBound bound) {
      double[] mode = fit.fit().theta();
      CollapsedQuadratic sum = new CollapsedQuadratic(mode);
      blocks.forEach(block -> bound.collapse(block, bound.anchorsAt(block, mode), sum));
      return sum;
    }

    @Override
    public LaplaceApproximation about() {
      return fit.fit().laplace();
    }

    @Override
    public CollapsedQuadratic collapsed() {
      return sum(local().orElseGet(() -> model.bound(about()).orElseThrow()));
    }

    @Override
    public boolean isLocal() {
      return local().isPresent();
    }

    private Optional<LowerBound> local() {
      return model.localBound(about(), radius);
    }

    @Override
    public double radius() {
      return radius;
    }
  }
}
