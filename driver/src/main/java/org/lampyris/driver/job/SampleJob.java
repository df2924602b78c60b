package org.lampyris.driver.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.EffectFiles;
import org.lampyris.driver.output.EffectSpool;
import org.lampyris.driver.output.KeptParts;
import org.lampyris.driver.output.Modelled;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.rows.ResidentMemory;
import org.lampyris.executors.rows.TableContext;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.CostWatch;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.Recombining;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.Checkpoints;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.multilevel.MultilevelAlgorithm;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.PriorDraws;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.scales.MonotonicEffects;
import org.lampyris.samplers.scales.ScaledCoefficients;

/**
 * Samples the posterior of a prepared table. The driver holds θ of every chain and the collapsed
 * bounds; the executors hold the rows and their states.
 */
public final class SampleJob {
  /** An algorithm whose chains know the log-density of a draw. */
  private static final String ALL_ROWS = "metropolis";

  private final ModelOfTable model;

  /** The effects that are coefficients here; null if there are none. */
  private final @Nullable ScaledCoefficients scaled;

  private final BoundsArtefact artefact;
  private final BlockTable table;
  private final Progress progress;
  private final EffectSink effects;
  private final Function<SamplerSettings, Checkpoints> checkpoints;

  private SampleJob(
      ModelOfTable model,
      @Nullable ScaledCoefficients scaled,
      BoundsArtefact artefact,
      BlockTable table,
      Progress progress,
      EffectSink effects,
      Function<SamplerSettings, Checkpoints> checkpoints) {
    this.effects = effects;
    this.checkpoints = checkpoints;
    this.model = model;
    this.scaled = scaled;
    this.artefact = artefact;
    this.table = table;
    this.progress = progress;
  }

  /**
   * Runs the chains.
   *
   * @param kept a table whose blocks are in memory, which is used if it is the one; null for none
   * @throws UserException (data) if there is no prepared table or artefact, or they do not belong
   *     together or to this model; (usage) if it cannot go on from its checkpoint
   */
  public static SampledRun run(
      SparkSession spark,
      JobConfig job,
      Progress progress,
      Going going,
      @Nullable BlockTable kept) {
    return run(spark, job, progress, going, kept, null);
  }

  /**
   * Combines the draws that an earlier run kept, instead of sampling.
   *
   * @throws UserException as {@link #run} does, and (usage) if they do not go with the settings
   */
  public static SampledRun combine(
      SparkSession spark, JobConfig job, KeptParts kept, Progress progress) {
    return run(spark, job, progress, Going.withoutCheckpoints(), null, kept);
  }

  private static SampledRun run(
      SparkSession spark,
      JobConfig job,
      Progress progress,
      Going going,
      @Nullable BlockTable inMemory,
      @Nullable KeptParts kept) {
    TableSchema schema =
        TableSchema.read(job.preparedFolder(), spark.sparkContext().hadoopConfiguration());
    BoundsArtefact artefact = BoundsArtefact.read(spark, job.boundsFolder());
    ModelOfTable own = job.modelOf(schema);
    LevelTable.require(spark, job.preparedFolder(), schema);
    BoundsArtefact.Scales scales = artefact.scales();
    EffectModel effects =
        scales == null ? null : job.effectsAsCoefficients(spark, schema, own).orElse(null);
    ModelOfTable model =
        (effects == null || scales == null ? own : effects.sampling(scales.centre(), scales.sds()))
            .drawn();
    List<String> columns = new ArrayList<>(schema.columnNames());
    if (effects != null) {
      columns.addAll(effects.columns().names());
    }
    artefact.requireMatches(schema.fingerprint(), model.spec(), model.priors(), columns);
    ScaledCoefficients scaled =
        model.prior().term() instanceof ScaledPrior prior && effects != null
            ? new ScaledCoefficients(effects.columns(), prior)
            : null;
    Modelled.inseparable(schema, model).forEach(progress::warn);
    LineageFolder lineage = new LineageFolder(spark, job.outputFolder());
    EffectSpool spool =
        new EffectSpool(
            spark.sparkContext().hadoopConfiguration(), job.outputFolder(), model.random().size());
    SampledRun made = null;
    RunCheckpoints keeping =
        RunCheckpoints.of(spark, job, schema, artefact.laplace(), going, progress);
    int partitions = keeping.partitions(job.data().partitions());
    if (inMemory != null && !inMemory.isStored() && !inMemory.isOf(schema, partitions)) {
      throw UserException.usage(
          "The checkpoint in %s was written with %s partitions. Set data.partitions to %s, because prepared: none rebuilds the rows."
              .formatted(job.outputFolder(), partitions, partitions));
    }
    try (BlockTable table =
        withEffects(
            inMemory != null && inMemory.isOf(schema, partitions)
                ? inMemory
                : BlockTable.load(spark, job.preparedFolder(), partitions),
            effects)) {
      SamplerSettings settings = job.samplerOf(own, scaled != null);
      ColumnCenters centers = schema.centers();
      SampleJob sample =
          new SampleJob(
              model,
              scaled,
              artefact,
              table,
              progress,
              spool,
              chosen ->
                  keeping.of(
                      chosen,
                      table.ranges().numPartitions(),
                      beyond ->
                          scaled == null
                              ? variables(model, new RunResult.Beyond(beyond, beyond), centers)
                              : stored(model),
                      progress));
      List<Decision> decisions = new ArrayList<>();
      settings.warnings().forEach(text -> decisions.add(Decision.of("warning", text)));
      Sampled sampled;
      if (settings.run().priorOnly()) {
        sampled = sample.prior(settings);
      } else if (kept != null) {
        kept.require(
            schema.fingerprint(), own.coefficients(), own.inputPriors(), settings.run().seed());
        sampled = sample.combined(settings, kept.parts());
      } else if (settings.type().isPresent()) {
        if (job.sampler().type().isEmpty()) {
          decisions.add(sample.besideRows(settings.type().orElseThrow()));
        }
        sampled = sample.run(settings, shown -> shown, sample.checkpoints);
      } else {
        sampled = sample.auto(settings, keeping.algorithm(), decisions);
      }
      keeping.drawn();
      if (!sampled.algorithm().isExact(settings.own()) && sampled.result().bias() == null) {
        sampled = sample.besideExactRun(sampled);
      }
      LogPosteriors lp = sample.logPosteriors(sampled);
      RunResult coefficients =
          scaled == null
              ? sampled.result()
              : scaled.reported(
                  sampled.result(),
                  schema.columns().size(),
                  spool,
                  settings
                      .own()
                      .of(MultilevelAlgorithm.Settings.class)
                      .kept(own.random(), settings.run().chains()));
      RunResult result = MonotonicEffects.reported(coefficients, own.monotonic());
      made =
          new SampledRun(
              variables(own, result.beyond(), centers).withPriors(priorsOf(schema, own)),
              sampled.algorithm().columns(),
              result.deciding(
                  decisions,
                  Stream.of(lp.how(), sample.evidence(sampled)).filter(Objects::nonNull).toList()),
              lp,
              schema.fingerprint(),
              Modelled.of(job.model(), schema, own),
              own.random().isEmpty()
                  ? null
                  : new EffectFiles(spark, job.preparedFolder(), own.random(), spool));
      return made;
    } finally {
      lineage.close();
      if (made == null || made.effects() == null) {
        spool.close();
      }
    }
  }

  /**
   * Returns the priors of coefficients that share a standard deviation or have a simplex, by name.
   */
  private static Map<String, String> priorsOf(TableSchema schema, ModelOfTable model) {
    Map<String, String> priors = new LinkedHashMap<>();
    for (SharedScale scale : schema.sharedScales()) {
      scale.columns().forEach(column -> priors.put(column, "normal(0, %s)".formatted(scale.sd())));
    }
    for (MonotonicPrior.Effect one : model.monotonic()) {
      for (int k = 0; k < one.size(); k++) {
        priors.put(
            one.columns().columns().get(k),
            "%d * %s * %s".formatted(one.size(), one.names().get(0), one.names().get(k + 1)));
      }
    }
    return priors;
  }

  private static BlockTable withEffects(BlockTable table, @Nullable EffectModel effects) {
    return effects == null
        ? table.base()
        : table.added() == null ? table.with(effects.columns()) : table;
  }

  /**
   * Returns what the elements of a draw are that is kept as it is, with the scales' coordinates.
   */
  private static SampledRun.Variables stored(ModelOfTable model) {
    List<String> names = new ArrayList<>(model.coefficients());
    for (int k = names.size(); k < model.prior().dimension(); k++) {
      names.add("scale." + (k - model.coefficients().size() + 1));
    }
    return new SampledRun.Variables(names, names, draw -> draw);
  }

  /**
   * Returns the variables of a draw: the elements of θ, then variables that are reported unchanged.
   */
  private static SampledRun.Variables variables(
      ModelOfTable model, RunResult.Beyond beyond, ColumnCenters centers) {
    List<String> names = new ArrayList<>(model.coefficients());
    names.addAll(beyond.names());
    List<String> priors = new ArrayList<>(model.inputPriors());
    priors.addAll(beyond.priors());
    int d = model.coefficients().size();
    return new SampledRun.Variables(
        names,
        priors,
        draw -> {
          double[] reported = draw.clone();
          System.arraycopy(model.toInput(Arrays.copyOf(draw, d), centers), 0, reported, 0, d);
          return reported;
        });
  }

  /** The result of a run, with its settings and its table. */
  private record Sampled(SamplerSettings settings, TableContext context, RunResult result) {
    SamplingAlgorithm algorithm() {
      return settings.type().orElseThrow();
    }
  }

  /** Runs the algorithm in the settings; {@code watching} wraps the progress display. */
  private Sampled run(
      SamplerSettings settings,
      UnaryOperator<RunProgress> watching,
      Function<SamplerSettings, Checkpoints> keeping) {
    SamplingAlgorithm algorithm = settings.type().orElseThrow();
    algorithm.require(artefact.laplace());
    TableContext context = withKernel(settings, watching, keeping.apply(settings));
    return new Sampled(settings, context, algorithm.run(context, settings.own()));
  }

  /**
   * Draws from the prior. The algorithm only names the columns of its iterations, of which none.
   */
  private Sampled prior(SamplerSettings settings) {
    SamplerSettings named = settings.with(SamplingAlgorithm.registry().named(ALL_ROWS));
    return new Sampled(
        named,
        context(named),
        PriorDraws.of(model.prior(), settings.run(), new Streams(settings.run().seed())));
  }

  /** Returns and shows the choice of the algorithm that draws effects beside their rows. */
  private Decision besideRows(SamplingAlgorithm algorithm) {
    String name = algorithm.name();
    Decision choice =
        new Decision(
            AutoChoice.TOPIC,
            name,
            Map.of(),
            "algorithm: %s, which draws effects of groups beside their rows".formatted(name));
    progress.start("auto", 0);
    progress.note(choice.text());
    progress.end();
    return choice;
  }

  private Sampled combined(SamplerSettings settings, RunResult.Parts parts) {
    if (!(settings.type().orElse(null) instanceof Recombining recombining)) {
      throw UserException.usage(
          "combine is for sampler.algorithm: "
              + ConfigText.listed(
                  SamplingAlgorithm.registry().names(Recombining.class::isInstance), "or")
              + ", which stores subposteriors. Use \"sample\" for other algorithms.");
    }
    recombining.require(artefact.laplace());
    TableContext context = withKernel(settings, shown -> shown, new Checkpoints.None());
    return new Sampled(settings, context, recombining.recombine(context, settings.own(), parts));
  }

  private TableContext withKernel(
      SamplerSettings settings, UnaryOperator<RunProgress> watching, Checkpoints keeping) {
    Double target = settings.theta().targetAcceptance();
    RunInputs.Making making =
        model.monotonic().isEmpty()
            ? settings.making()
            : MonotonicEffects.making(settings.making());
    RunInputs.Kernel kernel =
        scaled == null
            ? RunInputs.Kernel.of(making, artefact.laplace(), model.prior(), target)
            : scaled.kernel(
                making,
                artefact.laplace(),
                model.prior().ofKnown(),
                settings.type().orElseThrow().needs(),
                target);
    List<Column> columns = settings.type().orElseThrow().columns();
    RunProgress shown = watching.apply(new Shown(table.blocks().context(), progress, columns));
    return new TableContext(
        inputs(settings, kernel, new RunInputs.Outlets(shown, effects, keeping)), table);
  }

  /** Runs the chosen algorithm, and chooses again if its warm-up shows a wrong choice. */
  private Sampled auto(
      SamplerSettings settings, Optional<String> earlier, List<Decision> decisions) {
    progress.start("auto", 0);
    AutoChoice choice = AutoChoice.of(settings, context(settings));
    return auto(earlier.flatMap(choice::of).orElse(choice), decisions, checkpoints);
  }

  private Sampled auto(
      AutoChoice choice, List<Decision> decisions, Function<SamplerSettings, Checkpoints> keeping) {
    while (true) {
      progress.note(choice.why().text());
      progress.end();
      decisions.add(choice.why());
      try {
        return run(choice.settings(), choice::watching, keeping);
      } catch (CostWatch.Dearer dearer) {
        choice = choice.leaving(dearer);
        progress.start("auto", 0);
      }
    }
  }

  /** Returns a run with its distance from a short exact one, if that takes some seconds only. */
  private Sampled besideExactRun(Sampled sampled) {
    SamplerSettings settings =
        sampled.settings().exact(ExactReference.WARMUP, ExactReference.DRAWS);
    TableContext context = context(settings);
    AutoChoice choice = AutoChoice.of(settings, context);
    String knob = sampled.algorithm().knob(sampled.settings().own());
    double iterations = (double) context.chains() * (ExactReference.WARMUP + ExactReference.DRAWS);
    double work = choice.costOfDraw() * iterations * LogPosteriors.UNIT;
    Bias bias;
    if (work > ExactReference.MOST_WORK) {
      bias =
          new Bias(
              knob,
              Map.of(),
              "not measured, because an exact run of this table takes long; run sampler.algorithm:"
                  + " auto, and use compare");
    } else {
      progress.start("auto", 0);
      Sampled exact = auto(choice, new ArrayList<>(), chosen -> new Checkpoints.None());
      bias =
          ExactReference.of(
              model.coefficients(),
              sampled.result(),
              exact.result(),
              exact.algorithm().name(),
              knob);
    }
    progress.start("bias", 0);
    progress.note(bias.sentence());
    progress.end();
    return new Sampled(sampled.settings(), sampled.context(), sampled.result().withBias(bias));
  }

  /** Returns the log posterior at the draws, if the chains know it or it is worth its time. */
  private LogPosteriors logPosteriors(Sampled sampled) {
    boolean known = sampled.algorithm().has(Trait.KNOWS_LOG_POSTERIOR) || model.isProgram();
    if (!known) {
      progress.start("lp__", 0);
    }
    LogPosteriors found =
        LogPosteriors.of(sampled.settings(), sampled.context(), sampled.result().chains());
    Decision how = found.how();
    if (how != null) {
      progress.note(how.text());
      progress.end();
    }
    return found;
  }

  /**
   * Returns the evidence by bridge sampling; null if the algorithm knows it, or it is not wanted.
   */
  private @Nullable Decision evidence(Sampled sampled) {
    boolean known =
        sampled.result().decisions().stream()
            .anyMatch(one -> one.topic().equals(Decision.EVIDENCE));
    if (known || sampled.settings().evidence() != BridgeSampling.When.BRIDGE) {
      return null;
    }
    progress.start(Decision.EVIDENCE, 0);
    Decision found =
        BridgeSampling.evidence(sampled.settings(), sampled.context(), sampled.result().chains());
    progress.note(found.text());
    progress.end();
    return found;
  }

  /** Returns the context for choosing an algorithm, before a kernel is chosen. */
  private TableContext context(SamplerSettings settings) {
    RunInputs.Outlets outlets =
        new RunInputs.Outlets(new Shown(table.blocks().context(), progress, List.of()));
    return new TableContext(inputs(settings, null, outlets), table);
  }

  private RunInputs inputs(
      SamplerSettings settings, RunInputs.@Nullable Kernel kernel, RunInputs.Outlets outlets) {
    return new RunInputs(
        model,
        artefact.laplace(),
        artefact.hasBounds() ? artefact : null,
        settings.run(),
        settings.execution(),
        kernel,
        new Streams(settings.run().seed()),
        outlets);
  }

  /** Shows the phases of a run. */
  private record Shown(SparkContext context, Progress progress, List<Column> columns)
      implements RunProgress {
    @Override
    public void begin(String phase) {
      progress.start(phase, 0);
    }

    @Override
    public void note(String line) {
      progress.note(line);
    }

    @Override
    public void end() {
      progress.end();
    }

    @Override
    public Chains chains(int chains, ChainRunner.Length length) {
      ResidentMemory.line(context).ifPresent(progress::warn);
      return new ChainProgress(
          progress, chains, length, columns, new RunMetrics(context, chains, length, columns));
    }
  }
}
