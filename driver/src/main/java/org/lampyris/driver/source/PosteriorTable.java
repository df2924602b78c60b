package org.lampyris.driver.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.PrunedScan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.driver.Posterior;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryFile;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** A posterior as a table of Spark SQL. Only the columns that a query needs are computed. */
final class PosteriorTable extends BaseRelation implements PrunedScan {
  private static final String GROUP = "group";

  /** Kind of table. */
  enum Kind {
    /** A row for each coefficient: the columns of {@code summary.csv}. */
    SUMMARY,
    /** A row for each draw: the columns of {@code draws/}. */
    DRAWS,
    /** A row for each effect of each level: the columns of {@code effects/}, after the group. */
    EFFECTS,
    /** One row: the log evidence, natural log, and its standard error. */
    EVIDENCE,
    /** A row for each complaint about the draws; none if they have converged. */
    COMPLAINTS
  }

  private final SparkSession spark;
  private final Dataset<Row> rows;

  private PosteriorTable(SparkSession spark, Dataset<Row> rows) {
    this.spark = spark;
    this.rows = rows;
  }

  /**
   * Opens the table that the options name.
   *
   * @throws UserException if the path holds no completed run, or not this table
   */
  static PosteriorTable of(SparkSession spark, SourceOptions options) {
    Posterior posterior = Posterior.load(spark, options.path());
    String predict = options.predict();
    if (predict != null) {
      return new PosteriorTable(spark, posterior.predict(spark.table(predict), options.how()));
    }
    return new PosteriorTable(
        spark,
        switch (options.table()) {
          case SUMMARY -> summary(spark, options.path());
          case DRAWS -> posterior.draws();
          case EFFECTS -> effects(spark, options.path());
          case EVIDENCE -> evidence(spark, options.path());
          case COMPLAINTS -> complaints(spark, posterior.complaints());
        });
  }

  private static Dataset<Row> summary(SparkSession spark, String folder) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try {
      List<VariableSummary> summary = SummaryFile.read(conf, folder);
      StructType type = new StructType();
      for (String column : SummaryFile.columns(summary)) {
        type =
            type.add(column, type.size() == 0 ? DataTypes.StringType : DataTypes.DoubleType, false);
      }
      int columns = type.size();
      return spark.createDataFrame(
          summary.stream()
              .map(SummaryFile::cells)
              .map(cells -> RowFactory.create(Arrays.copyOf(cells, columns)))
              .toList(),
          type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Dataset<Row> evidence(SparkSession spark, String folder) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    JsonNode evidence;
    try {
      evidence = RunOutput.ofEnded(conf, folder).manifest().path(Decision.EVIDENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!evidence.has(Decision.LOG_EVIDENCE)) {
      throw UserException.usage(
          "%s holds no evidence. Set sampler.evidence to bridge and fit again, or read another table."
              .formatted(folder));
    }
    List<String> columns = List.of(Decision.LOG_EVIDENCE, Decision.STANDARD_ERROR);
    StructType type = new StructType();
    for (String column : columns) {
      type = type.add(column, DataTypes.DoubleType, false);
    }
    Object[] cells = columns.stream().map(column -> evidence.path(column).asDouble()).toArray();
    return spark.createDataFrame(List.of(RowFactory.create(cells)), type);
  }

  private static Dataset<Row> complaints(SparkSession spark, List<String> complaints) {
    return spark.createDataFrame(
        complaints.stream().map(text -> RowFactory.create(text)).toList(),
        new StructType().add("complaint", DataTypes.StringType, false));
  }

  /** Returns the effects of all groupings, one after the other. */
  private static Dataset<Row> effects(SparkSession spark, String folder) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    List<Dataset<Row>> all = new ArrayList<>();
    try {
      RunOutput run = RunOutput.ofEnded(conf, folder);
      for (EffectsConfig random : run.job().model().random()) {
        Optional<Path> effects = run.effects(random.group());
        if (effects.isPresent()) {
          Dataset<Row> one = spark.read().parquet(effects.get().toString());
          List<Column> columns = new ArrayList<>();
          columns.add(functions.lit(random.group()).as(GROUP));
          Arrays.stream(one.columns()).map(name -> one.col(quoted(name))).forEach(columns::add);
          all.add(one.select(columns.toArray(Column[]::new)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.stream()
        .reduce(Dataset::unionByName)
        .orElseThrow(
            () ->
                UserException.usage(
                    "%s holds no effects of groups. Add a term such as (1 | user) to formula, or read another table."
                        .formatted(folder)));
  }

  private static String quoted(String column) {
    return "`" + column.replace("`", "``") + "`";
  }

  @Override
  public SQLContext sqlContext() {
    return spark.sqlContext();
  }

  @Override
  public StructType schema() {
    return rows.schema();
  }

  @Override
  public RDD<Row> buildScan(String[] columns) {
    Column[] wanted =
        Arrays.stream(columns).map(name -> rows.col(quoted(name))).toArray(Column[]::new);
    return rows.select(wanted).javaRDD().rdd();
  }
}
