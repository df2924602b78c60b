package org.lampyris.driver.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.scale.CoefficientScale;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Modelled;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.rows.TableContext;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;

/**
 * Samples the posterior of a prepared table: the driver holds θ of every chain and the collapsed
 * bounds, the executors hold the rows and what they carry.
 */
public final class SampleJob {
  private SampleJob() {}

  /**
   * Runs the chains.
   *
   * @throws UserException (data) if there is no prepared table or artefact, or they do not belong
   *     together or to this model
   */
  public static SampledRun run(SparkSession spark, JobConfig job, Progress progress) {
    TableSchema schema =
        TableSchema.read(job.preparedFolder(), spark.sparkContext().hadoopConfiguration());
    BoundsArtefact artefact = BoundsArtefact.read(spark, job.boundsFolder());
    ModelOfTable model = job.modelOf(schema);
    artefact.requireMatches(
        schema.fingerprint(), model.spec(), model.priors(), schema.columnNames());
    Checkpoints checkpoints = new Checkpoints(spark, job.outputFolder());
    try (BlockTable table = BlockTable.load(spark, job.preparedFolder(), job.data().partitions())) {
      SamplerSettings settings = job.sampler();
      List<String> decisions = new ArrayList<>(settings.warnings());
      if (settings.type().isEmpty()) {
        progress.start("auto", 0);
        RunInputs inputs = inputs(settings, model, artefact, null, new Shown(progress, List.of()));
        AutoChoice choice = AutoChoice.of(settings, new TableContext(inputs, table));
        progress.note(choice.line());
        progress.end();
        decisions.add(choice.line());
        settings = choice.settings();
      }
      SamplingAlgorithm algorithm = settings.type().orElseThrow();
      RunInputs.Kernel kernel =
          new RunInputs.Kernel(
              settings.thetaKernel(artefact.laplace(), model.prior()),
              settings.theta().targetAcceptance());
      Shown shown = new Shown(progress, algorithm.columns());
      RunInputs inputs = inputs(settings, model, artefact, kernel, shown);
      TableContext context = new TableContext(inputs, table);
      RunResult result = algorithm.run(context, settings.own());
      if (!algorithm.isExact() && result.bias() == null) {
        result = besideExactRun(settings, model, artefact, table, result, progress);
      }
      List<String> after = new ArrayList<>();
      LogPosteriors lp = logPosteriors(algorithm, settings, context, result, progress, after);
      CoefficientScale scale = schema.coefficientScale();
      return new SampledRun(
          model.coefficients(),
          model.inputPriors(),
          algorithm.columns(),
          result.deciding(decisions, after),
          lp,
          theta -> model.toInput(theta, scale),
          schema.fingerprint(),
          Modelled.of(job.model().family(), schema));
    } finally {
      checkpoints.close();
    }
  }

  /** Returns a result with its distance from a short exact run, if that takes some seconds only. */
  private static RunResult besideExactRun(
      SamplerSettings settings,
      ModelOfTable model,
      BoundsArtefact artefact,
      BlockTable table,
      RunResult result,
      Progress progress) {
    SamplerSettings automatic =
        settings.exact(ExactReference.WARMUP, ExactReference.DRAWS);
    RunInputs inputs = inputs(automatic, model, artefact, null, new Shown(progress, List.of()));
    TableContext context = new TableContext(inputs, table);
    SamplerSettings chosen = AutoChoice.of(automatic, context).settings();
    SamplingAlgorithm algorithm = chosen.type().orElseThrow();
    double iterations =
        (double) chosen.run().chains() * (ExactReference.WARMUP + ExactReference.DRAWS);
    double work =
        algorithm.evaluationsPerDraw(context, chosen).orElse(Double.POSITIVE_INFINITY)
            * iterations
            * LogPosteriors.work(context);
    if (work > ExactReference.MOST_WORK) {
      return result.withBias(
          new Bias(
              "",
              Map.of(),
              "not measured: an exact run of this table (%s) takes long; make one, and use compare"
                  .formatted(algorithm.name())));
    }
    RunInputs.Kernel kernel =
        new RunInputs.Kernel(chosen.thetaKernel(artefact.laplace(), model.prior()), null);
    Shown shown = new Shown(progress, algorithm.columns());
    RunInputs exact = inputs(chosen, model, artefact, kernel, shown);
    RunResult reference = algorithm.run(new TableContext(exact, table), chosen.own());
    Bias bias = ExactReference.of(model.coefficients(), result, reference, algorithm.name());
    progress.start("bias", 0);
    progress.note(bias.sentence());
    progress.end();
    return result.withBias(bias);
  }

  /** Returns the log posterior at the draws, if the chains know it or it is worth its time. */
  private static LogPosteriors logPosteriors(
      SamplingAlgorithm algorithm,
      SamplerSettings settings,
      TableContext context,
      RunResult result,
      Progress progress,
      List<String> decisions) {
    boolean known = algorithm.knowsLogPosterior();
    if (!known) {
      progress.start("lp__", 0);
    }
    LogPosteriors found = LogPosteriors.of(algorithm, settings.lp(), context, result.chains());
    if (!known) {
      progress.note(found.line());
      progress.end();
      decisions.add(found.line());
    }
    return found;
  }

  private static RunInputs inputs(
      SamplerSettings settings,
      ModelOfTable model,
      BoundsArtefact artefact,
      RunInputs.@Nullable Kernel kernel,
      RunProgress progress) {
    return new RunInputs(
        model,
        artefact.laplace(),
        artefact.hasBounds() ? artefact : null,
        settings.run(),
        settings.execution(),
        kernel,
        new Streams(settings.run().seed()),
        progress);
  }

  /** Shows the phases of a run. */
  private record Shown(Progress progress, List<Column> columns) implements RunProgress {
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
      return new ChainProgress(progress, chains, length, columns);
    }
  }
}
