package org.lampyris.driver.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.scale.CoefficientScale;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/**
 * Samples the posterior of a prepared table: the driver holds θ of every chain and the collapsed
 * bounds, the executors hold the rows and their brightness.
 */
public final class SampleJob {
  private final SamplerConfig config;
  private final BoundsArtefact artefact;
  private final ProductPrior prior;
  private final ModelOfTable family;
  private final Streams streams;
  private final Preconditioner laplace;

  private SampleJob(SamplerConfig config, BoundsArtefact artefact, ModelOfTable model) {
    this.config = config;
    this.artefact = artefact;
    this.prior = model.prior();
    this.family = model;
    this.streams = new Streams(config.seed());
    this.laplace = Preconditioner.of(artefact.fit().laplace());
  }

  /**
   * Runs the chains.
   *
   * @param spark the session
   * @param job the configuration
   * @param progress is given the phases of sampling
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
      SamplerConfig config = job.sampler();
      List<String> decisions = new ArrayList<>(config.warnings());
      if (config.algorithm() == SamplerConfig.Algorithm.AUTO) {
        progress.start("auto", 0);
        AutoAlgorithm.Choice choice = AutoAlgorithm.choose(config, table, artefact, model);
        progress.note(choice.line());
        progress.end();
        decisions.add(choice.line());
        config = choice.config();
      }
      return new SampleJob(config, artefact, model).sample(spark, table, decisions, progress);
    } finally {
      checkpoints.close();
    }
  }

  private SampledRun sample(
      SparkSession spark, BlockTable table, List<String> decisions, Progress progress) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    long begun = System.nanoTime();
    progress.start("load", 0);
    try (Algorithm algorithm = algorithm(table)) {
      progress.end();
      seconds.put(SampledRun.LOAD, 1e-9 * (System.nanoTime() - begun));
      ChainRunner.Length length = length();
      ChainProgress shown = new ChainProgress(progress, config.chains(), length);
      ChainRuns runs =
          new ChainRuns(algorithm, new ChainRunner(length, streams, shown), shown, config.chains());
      List<ChainTrace> traces;
      try (shown) {
        traces =
            runs.run(
                thetaKernel(),
                chain -> Reach.start(algorithm.confinement(), start(chain)),
                planner(spark, table),
                progress);
        decisions.add(runs.plan());
      }
      seconds.put(SampledRun.WARMUP, shown.warmupSeconds());
      seconds.put(SampledRun.SAMPLE, shown.samplingSeconds());
      Optional<Reach> reach = reach(algorithm, traces, decisions, progress);
      CoefficientScale scale = table.schema().coefficientScale();
      return new SampledRun(
          family.coefficients(),
          traces,
          theta -> family.toInput(theta, scale),
          table.schema().fingerprint(),
          table.schema().rows(),
          traces.stream().map(ChainTrace::stepSize).toList(),
          algorithm.passes(),
          runs.jobs(),
          resident(spark),
          seconds,
          decisions,
          reach.flatMap(Reach::warning).stream().toList());
    }
  }

  /** Tells how far the draws reach into what the coefficients are confined to. */
  private static Optional<Reach> reach(
      Algorithm algorithm, List<ChainTrace> traces, List<String> decisions, Progress progress) {
    return algorithm
        .confinement()
        .map(
            confinement -> {
              progress.start("reach", 0);
              Reach reach = Reach.of(confinement, traces);
              progress.note(reach.line());
              progress.end();
              decisions.add(reach.line());
              return reach;
            });
  }

  /** Returns how many bytes Spark keeps, in memory and on disk. */
  private static long resident(SparkSession spark) {
    return Arrays.stream(spark.sparkContext().getRDDStorageInfo())
        .mapToLong(info -> info.memSize() + info.diskSize())
        .sum();
  }

  private Algorithm algorithm(BlockTable table) {
    return switch (config.algorithm()) {
      case AUTO -> throw new IllegalStateException("no algorithm has been chosen");
      case METROPOLIS -> new FullDataAlgorithm(table, family, prior, config.chains());
      case FIREFLY -> new FireflyAlgorithm(table, artefact, family, prior, config, streams);
      case MHSS, SMH ->
          new SubsampledAlgorithm(
              table, artefact, family, prior, config, thetaKernel(), laplace, streams);
    };
  }

  private ThetaKernel thetaKernel() {
    return ThetaKernels.of(config, artefact.theta(), artefact.fit().covariance(), laplace);
  }

  private ChainRunner.Length length() {
    double target = ThetaKernels.targetAcceptance(config, thetaKernel());
    return new ChainRunner.Length(config.warmup(), config.draws(), config.thin(), target);
  }

  private Function<Algorithm, ExecutionPlan> planner(SparkSession spark, BlockTable table) {
    return algorithm ->
        ExecutionPlan.choose(
            config,
            algorithm.segmentSize(),
            () ->
                JobLatency.seconds(
                    JavaSparkContext.fromSparkContext(spark.sparkContext()),
                    table.ranges().numPartitions()));
  }

  private double[] start(int chain) {
    UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, chain, 0, 0);
    return switch (config.init()) {
      case LAPLACE -> StartingPoint.laplace(artefact.theta(), laplace, 1, rng);
      case OVERDISPERSED ->
          StartingPoint.laplace(artefact.theta(), laplace, StartingPoint.OVERDISPERSION, rng);
      case PRIOR -> fromPrior(rng);
    };
  }

  private double[] fromPrior(UniformRandomProvider rng) {
    try {
      return StartingPoint.prior(prior.factors(), rng);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "sampler.init: prior needs proper priors, but "
              + e.getMessage()
              + "; choose another prior, or init: laplace",
          e);
    }
  }
}
