package org.lampyris.driver.predict;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.ParquetRows;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.executors.table.AtomicFolder;

/** Writes the {@link Prediction} of a table of new rows into a folder. */
public final class PredictJob {
  /** File in the predictions' folder that records their origin. */
  private static final String MARKER = "prediction.json";

  /** The folder of the table. */
  private static final String TABLE = "predictions";

  /** How many rows are printed at most, and how many columns of the new table's own. */
  private static final int SHOWN = 20;

  private static final int OWN_SHOWN = 6;

  private PredictJob() {}

  /**
   * Request for predictions.
   *
   * @param source the new table
   * @param output the folder to write
   */
  public record Request(Source source, String output, Prediction.How how, boolean overwrite) {}

  /**
   * Predicts by a run. A small CSV on this machine is read, predicted and written without Spark.
   *
   * @param spark gives a session, if one is needed
   * @param progress receives remarks, once there is a session
   * @return what was written, in sentences
   * @throws UserException if the run, the new table or the output folder is at fault
   */
  public static List<String> run(
      Supplier<SparkSession> spark,
      Configuration conf,
      JobConfig job,
      Request request,
      Consumer<String> progress)
      throws IOException {
    requireFree(conf, request);
    RunOutput.Fitted fitted = Prediction.fitted(conf, job);
    FewRows few = Prediction.few(fitted, request.how(), request.source());
    FewLevels groups = null;
    if (few != null && fitted.hasEffects()) {
      groups = FewLevels.read(fitted, few);
      few = groups == null ? null : few;
    }
    if (few == null) {
      Objects.requireNonNull(spark.get()); // starts while nothing has been read
    }
    Prediction of = Prediction.of(spark, fitted, request.how(), groups, progress);
    PredictionAverage all = PredictionAverage.of(of, job.outputFolder(), request.how());
    return few == null
        ? run(spark.get(), all, request, progress)
        : run(few, groups, all, request, conf);
  }

  /** Predicts the rows of a small table here. */
  private static List<String> run(
      FewRows few,
      @Nullable FewLevels groups,
      PredictionAverage prediction,
      Request request,
      Configuration conf)
      throws IOException {
    Prediction of = prediction.predictions().get(0);
    StructType own = new StructType();
    for (int j = 0; j < few.names().size(); j++) {
      DataType type = few.numbers().get(j) ? DataTypes.DoubleType : DataTypes.StringType;
      own = own.add(few.names().get(j), type, true);
    }
    StructType type = of.type(own);
    UnknownLevels unknown = new UnknownLevels();
    List<Row> rows = of.of(few, groups, unknown);
    long missing = rows.stream().filter(row -> row.isNullAt(few.names().size())).count();
    long[] counts = {rows.size(), missing};
    try (AtomicFolder folder =
        AtomicFolder.create(request.output(), request.overwrite(), MARKER, conf)) {
      Types.MessageTypeBuilder fields = Types.buildMessage();
      for (StructField field : type.fields()) {
        if (field.dataType().equals(DataTypes.DoubleType)) {
          fields.optional(PrimitiveTypeName.DOUBLE).named(field.name());
        } else {
          fields
              .optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(field.name());
        }
      }
      Path table = new Path(folder.path(), TABLE);
      new ParquetRows(conf, new Path(table, "part-00000.snappy.parquet"))
          .write(fields.named(TABLE), rows.size(), (to, n) -> fill(rows.get(n), to));
      table.getFileSystem(conf).create(new Path(table, "_SUCCESS"), false).close();
      write(conf, folder.path(), request, prediction, counts, unknown, Density.NONE);
      folder.commit();
    }
    List<String> lines = new ArrayList<>(rows.size() > SHOWN ? List.of() : shown(type, rows));
    lines.addAll(sentences(request, counts, unknown));
    return lines;
  }

  /** Returns a small table with its predictions, as lines; without lists and most own columns. */
  private static List<String> shown(StructType type, List<Row> rows) {
    List<StructField> fields = List.of(type.fields());
    int own =
        IntStream.range(0, fields.size())
            .filter(k -> fields.get(k).name().startsWith(Prediction.MEAN))
            .findFirst()
            .orElseThrow();
    int[] at =
        IntStream.range(0, fields.size())
            .filter(k -> k < Math.min(own, OWN_SHOWN) || k >= own)
            .filter(k -> !(fields.get(k).dataType() instanceof ArrayType))
            .toArray();
    List<String[]> lines = new ArrayList<>();
    lines.add(cells(at, k -> fields.get(k).name()));
    rows.forEach(row -> lines.add(cells(at, k -> cell(row.get(k)))));
    return SummaryTable.aligned(lines).lines().toList();
  }

  private static String[] cells(int[] at, IntFunction<String> cell) {
    return Stream.concat(Arrays.stream(at).mapToObj(cell), Stream.of("")).toArray(String[]::new);
  }

  private static String cell(@Nullable Object cell) {
    return cell == null ? "" : cell instanceof Double number ? Text.brief(number) : cell.toString();
  }

  private static void fill(Row row, ParquetRows.Row to) {
    for (int k = 0; k < row.size(); k++) {
      if (row.get(k) instanceof Double number) {
        to.add(k, number);
      } else if (row.get(k) instanceof String text) {
        to.add(k, Binary.fromString(text));
      }
    }
  }

  /**
   * Predicts by the average of several runs' models, as the other method does by one.
   *
   * @param runs with positive weights, whose sum is 1
   */
  public static List<String> run(
      SparkSession spark,
      List<PredictionAverage.Weighted> runs,
      Request request,
      Consumer<String> progress)
      throws IOException {
    requireFree(spark.sparkContext().hadoopConfiguration(), request);
    return run(
        spark, PredictionAverage.of(spark, runs, request.how(), progress), request, progress);
  }

  private static void requireFree(Configuration conf, Request request) {
    AtomicFolder.requireFree(request.output(), request.overwrite(), MARKER, conf);
    AtomicFolder.requireApart(
        request.output(), Objects.requireNonNull(request.source().input()), conf);
  }

  private static List<String> run(
      SparkSession spark, PredictionAverage prediction, Request request, Consumer<String> progress)
      throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Prediction first = prediction.predictions().get(0);
    try (AtomicFolder folder =
        AtomicFolder.create(request.output(), request.overwrite(), MARKER, conf)) {
      long[] counts;
      List<String> lines = new ArrayList<>();
      Density density;
      UnknownLevels unknown = new UnknownLevels();
      spark.sparkContext().register(unknown);
      try {
        Input input = first.open(request.source());
        input.notes().forEach(progress);
        Dataset<Row> predicted = prediction.of(input, unknown);
        String table = folder.path() + "/" + TABLE;
        predicted.write().parquet(table);
        counts = counts(spark.read().parquet(table), first.outputs().get(0));
        if (counts[0] <= SHOWN) {
          lines.addAll(shown(predicted.schema(), spark.read().parquet(table).collectAsList()));
        }
        density = request.how().logDensity() ? density(spark.read().parquet(table)) : Density.NONE;
      } catch (UserException e) {
        throw e;
      } catch (Exception e) {
        throw Input.explain(e, request.source(), null, request.output());
      }
      write(conf, folder.path(), request, prediction, counts, unknown, density);
      folder.commit();
      lines.addAll(sentences(request, counts, unknown));
      if (request.how().logDensity()) {
        lines.add(density.sentence());
      }
      return lines;
    }
  }

  private static List<String> sentences(Request request, long[] counts, UnknownLevels unknown) {
    List<String> lines = new ArrayList<>();
    lines.add(Text.of("%,d rows are in %s/%s.", counts[0], request.output(), TABLE));
    if (counts[1] > 0) {
      lines.add(
          Text.of(
              "%,d of them have no prediction, because a value is missing or a level is unknown to"
                  + " the model.",
              counts[1]));
    }
    lines.addAll(unknown.sentences(request.how().newLevels(), counts[0]));
    return lines;
  }

  /**
   * Total log predictive density of rows.
   *
   * @param rows how many have one
   */
  private record Density(long rows, double total, double standardError) {
    static final Density NONE = new Density(0, Double.NaN, Double.NaN);

    String sentence() {
      return rows < 2
          ? "Fewer than 2 rows have a log predictive density."
          : Text.of(
              "The log predictive density of %,d rows is %,.1f, standard error %,.1f.",
              rows, total, standardError);
    }
  }

  private static Density density(Dataset<Row> written) {
    Row row =
        written
            .agg(
                functions.count(functions.col("`" + Prediction.DENSITY + "`")),
                functions.sum(functions.col("`" + Prediction.DENSITY + "`")),
                functions.stddev_samp(functions.col("`" + Prediction.DENSITY + "`")))
            .head();
    long rows = row.getLong(0);
    return rows < 2
        ? Density.NONE
        : new Density(rows, row.getDouble(1), Math.sqrt((double) rows) * row.getDouble(2));
  }

  private static long[] counts(Dataset<Row> written, String output) {
    Row row =
        written
            .agg(
                functions.count("*"),
                functions.count(functions.col("`" + Prediction.MEAN + output + "`")))
            .head();
    return new long[] {row.getLong(0), row.getLong(0) - row.getLong(1)};
  }

  private static void write(
      Configuration conf,
      String folder,
      Request request,
      PredictionAverage prediction,
      long[] counts,
      UnknownLevels unknown,
      Density density)
      throws IOException {
    Map<String, Object> told = new LinkedHashMap<>();
    List<Map<String, Object>> runs = new ArrayList<>();
    for (int k = 0; k < prediction.runs().size(); k++) {
      Map<String, Object> run = new LinkedHashMap<>();
      run.put("run", prediction.runs().get(k).folder());
      run.put("fingerprint", prediction.predictions().get(k).fingerprint());
      run.put("draws", prediction.predictions().get(k).draws());
      run.put("weight", prediction.runs().get(k).weight());
      runs.add(run);
    }
    if (runs.size() == 1) {
      runs.get(0).remove("weight");
      told.putAll(runs.get(0));
    } else {
      told.put("runs", runs);
    }
    told.put("input", request.source().input());
    told.put("query", request.source().query());
    told.put("interval", request.how().interval());
    told.put("responses", request.how().responses());
    told.put("new_groups", ConfigText.of(request.how().newLevels()));
    told.put("unknown_groups", unknown.of(true));
    told.put("unknown_levels", unknown.of(false));
    told.put("rows", counts[0]);
    told.put("without_prediction", counts[1]);
    if (density.rows > 1) {
      Map<String, Object> densities = new LinkedHashMap<>();
      densities.put("rows", density.rows);
      densities.put("total", density.total);
      densities.put("standard_error", density.standardError);
      told.put("log_density", densities);
    }
    Path file = new Path(folder, MARKER);
    try (OutputStream out = file.getFileSystem(conf).create(file, false)) {
      out.write((OutputFolder.asJson(told) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
