package org.lampyris.samplers.testdata;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.Origin;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.CollapsedBounds;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;

/** A model of rows in memory, from the search for its mode to the draws. */
public final class MemoryRun {
  private static final Origin HERE = Origin.option("test");

  private final ModelOfTable model;
  private final List<DataBlock> blocks;
  private final MapFit fit;
  private final UnaryOperator<RunInputs.Making> making;

  /** R of the ball of local bounds. */
  private final double radius;

  /**
   * Finds the mode of a logistic regression.
   *
   * @param blocks the rows
   * @param columns the names of the columns
   * @param priors the priors by column
   */
  public MemoryRun(List<DataBlock> blocks, List<String> columns, Map<String, String> priors) {
    this(FamilySpec.of("logistic"), blocks, columns, priors);
  }

  /** Finds the mode of another family. */
  public MemoryRun(
      FamilySpec family, List<DataBlock> blocks, List<String> columns, Map<String, String> priors) {
    this(family, blocks, columns, priors, List.of(), UnaryOperator.identity());
  }

  /**
   * Finds the mode of a model with monotonic effects.
   *
   * @param making makes the factory of kernels that moves them from another one
   */
  public MemoryRun(
      FamilySpec family,
      List<DataBlock> blocks,
      List<String> columns,
      Map<String, String> priors,
      List<MonotonicColumns> monotonic,
      UnaryOperator<RunInputs.Making> making) {
    this.making = making;
    this.blocks = blocks;
    this.radius = 7;
    this.model =
        ModelOfTable.of(
            family,
            columns,
            PriorConfig.of("normal(0, 2.5)", priors, PriorConfig.Scale.STANDARDIZED),
            null,
            monotonic);
    MapFinder finder = new MapFinder(model.prior(), model.coefficients(), 1e-3, 100);
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    Objective objective = Objective.of(blocks, model.surrogate(rows), 1);
    double[] start = model.start();
    this.fit =
        start == null
            ? finder.find(objective, null, pass -> {})
            : finder.find(start, objective, null, pass -> {});
  }

  private MemoryRun(MemoryRun other, double radius) {
    this.making = other.making;
    this.blocks = other.blocks;
    this.model = other.model;
    this.fit = other.fit;
    this.radius = radius;
  }

  /** Returns the same with local bounds in the ball of the default radius, √d + 5. */
  public MemoryRun inBallByDefault() {
    return new MemoryRun(this, Math.sqrt(fit.theta().length) + 5);
  }

  /** Returns the same with local bounds in a ball of another radius, in posterior sds. */
  public MemoryRun inBall(double other) {
    return new MemoryRun(this, other);
  }

  /** Returns the mode. */
  public MapFit fit() {
    return fit;
  }

  /** Returns the model. */
  public ModelOfTable model() {
    return model;
  }

  /** Returns log p(θ) + Σ_n log L_n(θ). */
  public double logPosterior(double[] theta) {
    double[] sum = new double[1];
    blocks.forEach(block -> model.model().addLogLikelihoods(block, new double[][] {theta}, sum));
    return model.prior().logDensity(theta) + sum[0];
  }

  /** Runs chains by the keys of the section {@code sampler}. */
  public RunResult run(Map<String, ?> sampler) {
    SamplerSettings settings = settings(sampler);
    return settings.type().orElseThrow().run(context(sampler), settings.own());
  }

  /** Returns the section {@code sampler}. */
  public static SamplerSettings settings(Map<String, ?> sampler) {
    return SamplerSettings.read(
        Section.root(mapping(Map.of("sampler", mapping(sampler))), "sampler"),
        new OwnSection.Defaults(1.5, "multilevel".equals(sampler.get("algorithm"))));
  }

  /** Returns what an algorithm is given, by the keys of the section {@code sampler}. */
  public InMemoryContext context(Map<String, ?> sampler) {
    return context(settings(sampler), new RunProgress.Silent());
  }

  /** Returns what an algorithm is given that tells of its progress. */
  public InMemoryContext context(SamplerSettings settings, RunProgress progress) {
    return context(settings, new RunInputs.Outlets(progress));
  }

  /** Returns what an algorithm is given that tells of more than its progress. */
  public InMemoryContext context(SamplerSettings settings, RunInputs.Outlets outlets) {
    ModelOfTable drawn = model.drawn();
    RunInputs inputs =
        new RunInputs(
            drawn,
            fit.laplace(),
            new Sums(),
            settings.run(),
            settings.execution(),
            settings.type().isEmpty()
                ? null
                : RunInputs.Kernel.of(
                    making.apply(settings.making()),
                    fit.laplace(),
                    drawn.prior(),
                    settings.theta().targetAcceptance()),
            new Streams(settings.run().seed()),
            outlets);
    return new InMemoryContext(inputs, blocks);
  }

  /** Returns a mapping of the configuration. */
  public static ConfigNode.Mapping mapping(Map<String, ?> values) {
    Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
    values.forEach(
        (key, value) ->
            entries.put(
                key,
                new ConfigNode.Entry(
                    HERE,
                    value instanceof ConfigNode node
                        ? node
                        : new ConfigNode.Scalar(HERE, String.valueOf(value)))));
    return new ConfigNode.Mapping(HERE, entries);
  }

  private final class Sums implements CollapsedBounds {
    private CollapsedQuadratic sum(LowerBound bound) {
      CollapsedQuadratic sum = new CollapsedQuadratic(new double[model.model().dimension()]);
      blocks.forEach(block -> bound.collapse(block, bound.anchorsAt(block, fit.theta()), sum));
      return sum;
    }

    @Override
    public LaplaceApproximation about() {
      return fit.laplace();
    }

    @Override
    public CollapsedQuadratic collapsed() {
      return sum(local().orElseGet(() -> model.bound(fit.laplace()).orElseThrow()));
    }

    @Override
    public boolean isLocal() {
      return local().isPresent();
    }

    private Optional<LowerBound> local() {
      return model.localBound(fit.laplace(), radius);
    }

    @Override
    public double radius() {
      return radius;
    }
  }
}
