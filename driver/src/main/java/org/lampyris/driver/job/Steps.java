package org.lampyris.driver.job;

import java.io.IOException;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.EffectModel;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.blocks.PrepareJob;
import org.lampyris.dataprep.design.FeatureNames;
import org.lampyris.dataprep.formula.Formula;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.generate.GenerateJob;
import org.lampyris.dataprep.precompute.PrecomputeJob;
import org.lampyris.dataprep.precompute.PreparedTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Glance;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.KeptParts;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.predict.RowReader;
import org.lampyris.driver.predict.RowSample;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.rows.ResidentMemory;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Steps of the commands, as the modules provide them. All throw {@link
 * org.lampyris.bounds.config.UserException} for what the user can mend. Tests of the command line
 * override what takes long. Steps that write replace existing results if {@code overwrite} is set,
 * and report to {@code progress} in lines.
 */
public class Steps {
  /** Number of d × d matrices in memory at once while the mode is sought. */
  private static final double MATRICES = 4;

  /** The share of the driver's memory that they may take. */
  private static final double SHARE = 0.7;

  private static final double GIBIBYTE = 1 << 30;

  /** The table that was last used, its blocks in memory. */
  private @Nullable BlockTable kept;

  /** Rows of that table for the report of the run; null if its blocks were not in memory. */
  private @Nullable RowSample checked;

  /** Writes a synthetic table. */
  public void generate(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    GenerateJob.run(spark, config.generate(), overwrite, progress);
  }

  /** Writes the prepared table, from an input whose columns go with the priors of the model. */
  public void prepare(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    PrepareJob.run(spark, request(config, null, overwrite), config::requirePriorsOf, progress);
  }

  /**
   * Writes the prepared table. Its blocks stay in memory for {@link #precompute} where they are
   * made as rows are read; where {@code prepared: none} says so, they are there alone.
   *
   * @param rows a program's rows; null to read {@code data.input}
   */
  public void prepareToGoOn(
      SparkSession spark,
      JobConfig config,
      @Nullable Dataset<Row> rows,
      boolean overwrite,
      Consumer<String> progress) {
    forget();
    boolean stored = config.storesRows();
    JavaRDD<DataBlock> blocks =
        PrepareJob.runKeeping(
                spark, request(config, rows, overwrite), stored, config::requirePriorsOf, progress)
            .blocks();
    if (blocks != null) {
      int partitions = config.data().partitions();
      kept =
          stored
              ? BlockTable.loadMade(spark, config.preparedFolder(), partitions, blocks)
              : BlockTable.unstored(spark, config.preparedFolder(), partitions, blocks);
    }
  }

  private static PrepareJob.Request request(
      JobConfig config, @Nullable Dataset<Row> rows, boolean overwrite) {
    return new PrepareJob.Request(
        config.data(),
        rows,
        config.columnsOfModel(),
        config.sampler().run().seed(),
        config.preparedFolder(),
        overwrite);
  }

  /**
   * Checks the input without Spark and without reading all of its rows: whether it exists, and
   * whether the model goes with its columns.
   *
   * @return its format and size, for people
   * @throws UserException as a run does before it reads rows
   */
  public static String glance(JobConfig config, Configuration conf) {
    Columns columns = config.data().columns();
    Columns.Model model = config.columnsOfModel();
    Glance table =
        Input.glance(
            config.data().source(), columns, FormulaTable.uses(columns, model, null), conf);
    Glance.Types types = table.columns();
    if (types.names().isEmpty()) {
      return table.said();
    }
    String text = config.model().tableFormula();
    Formula formula = text == null ? null : Formula.parse(text);
    Map<String, String> roles =
        InputColumns.roles(columns, model, formula == null ? null : formula.columns());
    if (formula != null) {
      roles.keySet().removeAll(formula.computed());
    }
    InputColumns.requireNames(roles, types.names(), table.input());
    String earlier = config.data().earlier();
    if (earlier != null) { // its levels and its formula count
      if (new Path(earlier).toUri().getScheme() == null) {
        TableSchema.read(earlier, conf);
      }
      return table.said();
    }
    if (text != null) {
      FormulaTable.require(text, table, columns, model);
    } else if (types.known().size() == types.names().size()) {
      boolean intercept = config.data().encoding().intercept();
      config.requirePriorsOf(
          FeatureNames.of(
              InputColumns.resolve(types.known(), columns, model, intercept, table.input()),
              intercept));
    }
    return table.said();
  }

  /**
   * Finds the mode and writes the bounds artefact, from the prepared table. Its blocks stay in
   * memory for the chains that are run next, if there is room for what these make of them.
   */
  public void precompute(
      SparkSession spark, JobConfig config, boolean overwrite, Consumer<String> progress) {
    BlockTable table = table(spark, config);
    kept = null;
    checked = null;
    try {
      TableSchema schema = table.schema();
      ModelOfTable model = config.modelOf(schema);
      EffectModel effects = config.effectsAsCoefficients(spark, schema, model).orElse(null);
      requireMemory(
          config,
          config.samplerOf(model, effects != null),
          effects == null ? model.coefficients().size() : effects.coefficients());
      if (effects != null) {
        table = table.with(effects.columns());
      }
      table.keep();
      PrecomputeJob.run(
          spark,
          PreparedTable.of(table),
          model,
          effects,
          config.precompute(),
          config.boundsFolder(),
          overwrite,
          progress);
      if (!table.isStored() || ResidentMemory.hasRoomForMore(spark.sparkContext())) {
        kept = table;
      }
      if (table.base().isKept()) {
        checked = RowSample.drawSpread(table.base(), RowSample.CHECKED);
      }
    } finally {
      if (kept == null) {
        table.close();
      }
    }
  }

  /** Returns the prepared table, that which is kept if it is it. */
  private BlockTable table(SparkSession spark, JobConfig config) {
    String folder = config.preparedFolder();
    int partitions = config.data().partitions();
    TableSchema schema = TableSchema.read(folder, spark.sparkContext().hadoopConfiguration());
    if (kept != null && kept.isOf(schema, partitions)) {
      return kept;
    }
    forget();
    return BlockTable.load(spark, folder, partitions);
  }

  /** Releases the table that was kept. */
  private void forget() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** Returns the reader of rows for the report of a run that was made by these steps. */
  public RowReader rows(SparkSession spark) {
    return RowReader.bySpark(() -> spark).knowing(checked);
  }

  /**
   * Runs the chains on the prepared table and the bounds artefact, from their beginning to their
   * end. Writes nothing.
   *
   * @param progress is given the phases of sampling; none is open before or after
   */
  public final SampledRun sample(SparkSession spark, JobConfig config, Progress progress) {
    return sample(spark, config, progress, Going.withoutCheckpoints());
  }

  /**
   * Runs the chains on the prepared table and the bounds artefact. Writes nothing but checkpoints.
   *
   * @param progress is given the phases of sampling; none is open before or after
   */
  public SampledRun sample(SparkSession spark, JobConfig config, Progress progress, Going going) {
    try {
      return SampleJob.run(spark, config, progress, going, kept);
    } finally {
      forget();
    }
  }

  /**
   * Combines the draws that an output folder keeps. Writes nothing.
   *
   * @param from the output folder
   * @param progress is given the phases; none is open before or after
   */
  public SampledRun combine(SparkSession spark, JobConfig config, String from, Progress progress)
      throws IOException {
    return SampleJob.combine(
        spark,
        config,
        KeptParts.read(RunOutput.open(spark.sparkContext().hadoopConfiguration(), from)),
        progress);
  }

  /**
   * Refuses d × d matrices that do not fit in the driver's memory, or that are needed but not
   * computed.
   */
  private static void requireMemory(JobConfig config, SamplerSettings sampler, int coefficients) {
    if (config.precompute().isWide(coefficients)) {
      sampler.type().ifPresent(algorithm -> algorithm.requireWide(coefficients));
      return;
    }
    double bytes = MATRICES * Double.BYTES * (double) coefficients * coefficients;
    double memory = Runtime.getRuntime().maxMemory();
    if (bytes > SHARE * memory) {
      throw UserException.usage(
          Text.of(
              "the covariance of %d coefficients takes %.1f GiB, but the driver has %.1f. Raise"
                  + " --driver-memory, set precompute.covariance: low-rank, or name fewer columns"
                  + " in data.features.",
              coefficients, bytes / GIBIBYTE, memory / GIBIBYTE));
    }
  }

  /** Returns a summariser of coefficients. */
  public BiFunction<String, double[][], VariableSummary> summarizer(int chains, int iterations) {
    NormalScores scores = NormalScores.table(chains, iterations);
    return (variable, draws) -> VariableSummary.of(variable, draws, scores);
  }
}
