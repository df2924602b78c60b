package org.lampyris.driver.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.generate.GenerateSection;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Going;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Modelled;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunResult;

/** Steps that do next to nothing, and remember that they were asked to. */
final class FakeSteps extends Steps {
  /** The coefficients, the third named to need quotes. */
  static final List<String> COEFFICIENTS =
      List.of("(Intercept)", "x.1", "say \"a, b\"", "country[FR]");

  final List<String> calls = new ArrayList<>();
  double rhat = 1.001;
  @Nullable Bias bias;
  boolean failInTask;
  Consumer<SparkSession> whileSampling = spark -> {};

  @Override
  public void generate(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    GenerateSection.Law law = config.generate().law();
    calls.add(
        "generate " + law.rows() + " x " + law.features() + " to " + config.generate().output());
  }

  @Override
  public void prepareToGoOn(
      SparkSession spark,
      JobConfig config,
      @Nullable Dataset<Row> rows,
      boolean overwrite,
      Consumer<String> progress) {
    prepare(spark, config, overwrite, progress);
  }

  @Override
  public void prepare(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    String input = config.data().source().input();
    progress.accept("reading " + input);
    calls.add("prepare " + input);
    if (failInTask) {
      new JavaSparkContext(spark.sparkContext())
          .parallelize(List.of(1, 2), 2)
          .foreach(
              i -> {
                throw UserException.data("t.csv, line 3: \"x\" is no number.");
              });
    }
    try {
      Files.createDirectories(Path.of(config.preparedFolder()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void precompute(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    calls.add("precompute " + config.bounds());
  }

  @Override
  public SampledRun sample(SparkSession spark, JobConfig config, Progress progress, Going going) {
    calls.add("sample " + config.output());
    progress.start("sampling", config.sampler().run().draws());
    whileSampling.accept(spark);
    List<ChainTrace> chains = new ArrayList<>();
    for (int c = 1; c <= config.sampler().run().chains(); c++) {
      ChainTrace chain = new ChainTrace(c);
      for (int i = 0; i < config.sampler().run().warmup(); i++) {
        chain.addWarmup(new ChainTrace.Iteration(info(0.5, 100, 30, false), 0.01));
      }
      for (int i = 0; i < config.sampler().run().draws(); i++) {
        chain.add(
            new double[] {c, i + 1 / 3.0, -0.0, 1e-300},
            -c - i / 7.0,
            new ChainTrace.Iteration(info(0.25, 10 + i, i == 0 ? Double.NaN : 5, i == 1), 0.02));
        progress.step(i + 1, new Reading(0.25, Map.of("bright", 5.0), 10));
      }
      chains.add(chain);
    }
    progress.end();
    chains.forEach(chain -> chain.freeze(0.7));
    return new SampledRun(
        new SampledRun.Variables(
            COEFFICIENTS,
            COEFFICIENTS.stream().map(name -> "flat").toList(),
            theta -> {
              double[] raw = theta.clone();
              raw[0] *= 2;
              return raw;
            }),
        List.of(new Column("bright_rows", "bright", true)),
        new RunResult(
            chains,
            new RunResult.Cost(3, 120, 44, 1_000),
            Map.of("sampling", 1.5),
            List.of(Decision.of("plan", "plan: as tested")),
            bias,
            null),
        new LogPosteriors(
            chains.stream()
                .map(chain -> chain.logDensities().stream().mapToDouble(lp -> lp).toArray())
                .toArray(double[][]::new),
            null),
        "f00d",
        new Modelled(
            "logistic",
            "clicked",
            List.of("no", "yes"),
            "yes",
            new Modelled.Rows(12, null, 3),
            Map.of("country", "DE"),
            List.of("column 'id' counts the rows")),
        null);
  }

  private static StepInfo info(
      double acceptance, long evaluations, double bright, boolean divergent) {
    return new StepInfo(acceptance, evaluations, divergent, acceptance, List.of(bright));
  }

  @Override
  public BiFunction<String, double[][], VariableSummary> summarizer(int chains, int iterations) {
    return this::summarize;
  }

  private VariableSummary summarize(String variable, double[][] draws) {
    double mean = Arrays.stream(draws).flatMapToDouble(Arrays::stream).average().orElse(Double.NaN);
    return new VariableSummary(
        variable,
        mean,
        1,
        new VariableSummary.Quantiles(mean, 1, mean - 1.6, mean + 1.6),
        new VariableSummary.Mixing(rhat, 900, 800, 0, 0));
  }
}
