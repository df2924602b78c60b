package org.lampyris.driver.steps;

import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.lampyris.dataprep.generate.GenerateJob;
import org.lampyris.dataprep.input.Columns;
import org.lampyris.dataprep.precompute.PrecomputeJob;
import org.lampyris.dataprep.precompute.PreparedTable;
import org.lampyris.dataprep.precompute.TableFacts;
import org.lampyris.dataprep.prepare.PrepareJob;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.sample.SampleJob;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** The steps as the modules provide them. */
public final class SparkSteps implements Steps {

  @Override
  public void generate(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    GenerateJob.run(spark, config.generate(), overwrite, progress);
  }

  @Override
  public void prepare(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    Columns.Model model =
        new Columns.Model(config.model().labelNeeded(), config.model().offset().orElse(null));
    PrepareJob.Request request =
        new PrepareJob.Request(
            config.data(),
            model,
            config.sampler().run().seed(),
            config.preparedFolder(),
            overwrite);
    PrepareJob.run(spark, request, config::requirePriorsOf, progress);
  }

  @Override
  public void precompute(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    String prepared = config.preparedFolder();
    try (BlockTable table = BlockTable.load(spark, prepared, config.data().partitions())) {
      TableSchema schema = table.schema();
      TableFacts facts = new TableFacts(schema.fingerprint(), schema.columnNames(), schema.rows());
      PrecomputeJob.run(
          spark,
          new PreparedTable(table.blocks(), table.ranges(), facts),
          config.modelOf(schema),
          config.precompute(),
          config.boundsFolder(),
          overwrite,
          progress);
    }
  }

  @Override
  public SampledRun sample(SparkSession spark, JobConfig config, Progress progress) {
    return SampleJob.run(spark, config, progress);
  }

  @Override
  public Draws.Summarizer summarizer(int chains, int iterations) {
    NormalScores scores = NormalScores.table(chains, iterations);
    return (variable, draws) -> VariableSummary.of(variable, draws, scores);
  }
}
