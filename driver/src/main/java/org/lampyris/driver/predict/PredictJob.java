package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.dataprep.input.CellText;
import org.lampyris.dataprep.input.Input;
import org.lampyris.dataprep.input.Source;
import org.lampyris.dataprep.predict.NewRows;
import org.lampyris.dataprep.predict.RowFeatures;
import org.lampyris.dataprep.prepare.DataSection;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.DrawsReader;
import org.lampyris.driver.output.Manifest;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.TableSchema;

/**
 * Predicts the expected response of new rows by the draws of a run: a table of theirs with four
 * columns more for every number that is expected. Rows are predicted where they are, one by one;
 * never are there rows × draws in memory.
 */
public final class PredictJob {
  /** The file in the folder of predictions that tells how they came about. */
  private static final String MARKER = "prediction.json";

  /** The folder of the table. */
  private static final String TABLE = "predictions";

  private static final List<String> NAMES = List.of(".mean", ".sd", ".lower", ".upper");

  private PredictJob() {}

  /**
   * What to predict.
   *
   * @param source the new table
   * @param output the folder to write
   * @param draws how many draws to predict by, evenly thinned; all if there are not so many
   * @param interval the probability of the central interval
   */
  public record Request(
      Source source, String output, int draws, double interval, boolean overwrite) {}

  /**
   * Predicts.
   *
   * @return what was written, in sentences
   * @throws UserException if the run, the new table or the output folder is at fault
   */
  public static List<String> run(
      SparkSession spark, JobConfig job, Request request, Consumer<String> progress)
      throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    AtomicFolder.requireFree(request.output(), request.overwrite(), MARKER, conf);
    AtomicFolder.requireApart(
        request.output(), Objects.requireNonNull(request.source().input()), conf);
    TableSchema schema = TableSchema.read(job.preparedFolder(), conf);
    requireSameTable(conf, job, schema);
    ModelOfTable model = job.modelOf(schema);
    Expectation expectation = expectation(job, model);
    Draws draws = DrawsReader.read(spark, job.outputFolder());
    List<String> outputs = outputs(schema);
    double[][] thinned = PosteriorPredictor.thinned(draws, model.coefficients(), request.draws());
    PosteriorPredictor predictor =
        new PosteriorPredictor(
            expectation,
            thinned,
            schema.columns().size(),
            model.predictors(),
            outputs.size(),
            request.interval());
    progress.accept(
        Text.of(
            "%,d of %,d draws, %s",
            thinned.length,
            (long) draws.chains() * draws.perChain(),
            outputs.size() > 1
                ? "the probability of each class"
                : "the expected " + schema.label().column()));
    try (AtomicFolder folder =
        AtomicFolder.create(request.output(), request.overwrite(), MARKER, conf)) {
      DataSection like = job.data().like(schema);
      long[] counts;
      try {
        NewRows rows =
            NewRows.open(
                spark, request.source(), like.columns(), schema, job.model().offset().orElse(null));
        StructType type = type(rows, outputs);
        Dataset<Row> predicted =
            rows.rows()
                .mapPartitions(
                    new Predict(predictor, new RowFeatures(schema), rows.offset()),
                    Encoders.row(type));
        String table = folder.path() + "/" + TABLE;
        predicted.write().parquet(table);
        counts = counts(spark.read().parquet(table), outputs.get(0));
      } catch (UserException e) {
        throw e;
      } catch (Exception e) {
        throw Input.explain(e, request.source(), null, request.output());
      }
      write(conf, folder.path(), job, request, schema, thinned.length, counts);
      folder.commit();
      return sentences(request, counts);
    }
  }

  private static List<String> sentences(Request request, long[] counts) {
    List<String> lines = new ArrayList<>();
    lines.add(Text.of("%,d rows are in %s/%s.", counts[0], request.output(), TABLE));
    if (counts[1] > 0) {
      lines.add(
          Text.of(
              "%,d of them have no prediction: something is missing in them, or a level that the model does not know.",
              counts[1]));
    }
    return lines;
  }

  private static long[] counts(Dataset<Row> written, String output) {
    Row row =
        written
            .agg(
                functions.count("*"),
                functions.count(functions.col("`" + NAMES.get(0) + output + "`")))
            .head();
    return new long[] {row.getLong(0), row.getLong(0) - row.getLong(1)};
  }

  /** Refuses draws that were made of another table than the prepared one. */
  private static void requireSameTable(Configuration conf, JobConfig job, TableSchema schema)
      throws IOException {
    String drawn =
        Manifest.read(conf, job.outputFolder()).path("data").path("fingerprint").asText("");
    if (!drawn.isEmpty() && !drawn.equals(schema.fingerprint())) {
      throw UserException.data(
          "the draws in %s are of another prepared table than the one in %s; name the configuration of the run that made them, or sample again."
              .formatted(job.outputFolder(), job.preparedFolder()));
    }
  }

  private static Expectation expectation(JobConfig job, ModelOfTable model) {
    if (!model.random().isEmpty()) {
      throw UserException.usage(
          "predict does not know the effects of groups (model.random): expected responses without them would be wrong.");
    }
    return model
        .expectation()
        .orElseThrow(
            () ->
                UserException.usage(
                    "the family %s does not say what it expects of a response, so that nobody can predict by it."
                        .formatted(job.model().family())));
  }

  /** Returns what is put behind the names of columns: nothing, or a class in brackets. */
  private static List<String> outputs(TableSchema schema) {
    List<String> classes = schema.label().classes();
    return classes.size() <= 2 && schema.label().kind() != LabelKind.CLASSES
        ? List.of("")
        : classes.stream().map(name -> "[" + name + "]").toList();
  }

  private static StructType type(NewRows rows, List<String> outputs) {
    StructType type = rows.own().schema();
    List<String> own = Arrays.asList(type.fieldNames());
    for (String output : outputs) {
      for (String name : NAMES) {
        String full = name + output;
        if (own.stream().anyMatch(full::equalsIgnoreCase)) {
          throw UserException.data(
              "the new table has a column '%s', which a prediction is called; rename it with --query."
                  .formatted(full));
        }
        type = type.add(full, DataTypes.DoubleType, true);
      }
    }
    return type;
  }

  private static void write(
      Configuration conf,
      String folder,
      JobConfig job,
      Request request,
      TableSchema schema,
      int draws,
      long[] counts)
      throws IOException {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("run", job.outputFolder());
    told.put("fingerprint", schema.fingerprint());
    told.put("input", request.source().input());
    told.put("query", request.source().query());
    told.put("draws", draws);
    told.put("interval", request.interval());
    told.put("rows", counts[0]);
    told.put("without_prediction", counts[1]);
    Path file = new Path(folder, MARKER);
    try (OutputStream out = file.getFileSystem(conf).create(file, false)) {
      out.write(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(told));
      out.write('\n');
    }
  }

  /** Predicts the rows of a partition. */
  private record Predict(PosteriorPredictor predictor, RowFeatures features, boolean offset)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      PosteriorPredictor.Row at = predictor.row();
      double[] x = new double[features.width()];
      double[] figures = new double[PosteriorPredictor.FIGURES * predictor.outputs()];
      int first = offset ? 2 : 1;
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return rows.hasNext();
        }

        @Override
        public Row next() {
          if (!rows.hasNext()) {
            throw new NoSuchElementException();
          }
          Row row = rows.next();
          Row own = row.getStruct(0);
          Object[] cells = new Object[own.size() + figures.length];
          for (int i = 0; i < own.size(); i++) {
            cells[i] = own.get(i);
          }
          double shift = 0;
          boolean known = true;
          if (offset) {
            Object cell = row.get(1);
            known = !CellText.isMissing(cell);
            shift = known ? CellText.asNumber(Objects.requireNonNull(cell)) : 0;
          }
          if (known && features.write(row, first, x)) {
            at.predict(x, shift, figures);
            for (int k = 0; k < figures.length; k++) {
              cells[own.size() + k] = figures[k];
            }
          }
          return RowFactory.create(cells);
        }
      };
    }
  }
}
