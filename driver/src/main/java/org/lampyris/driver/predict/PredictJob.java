package org.lampyris.driver.predict;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.rng.UniformRandomProvider;
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
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.Response;
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
import org.lampyris.samplers.random.Streams;

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
  private static final String DENSITY = ".log_density";
  private static final String RESPONSES = ".responses";

  private PredictJob() {}

  /**
   * What to predict.
   *
   * @param source the new table
   * @param output the folder to write
   * @param draws how many draws to predict by, evenly thinned; all if there are not so many
   * @param interval the probability of the central interval
   * @param more what else is wanted of a row
   */
  public record Request(
      Source source, String output, int draws, double interval, More more, boolean overwrite) {}

  /**
   * What else can be had of a row.
   *
   * @param responses how many responses to draw, from the predictive distribution
   * @param logDensity whether the new table has the label, whose log predictive density is wanted
   * @param newLevels what the effects of a group are that the model has not seen
   */
  public record More(int responses, boolean logDensity, NewLevels newLevels) {
    /** Nothing; new groups are drawn. */
    public static final More NONE = new More(0, false, NewLevels.GAUSSIAN);
  }

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
    GroupDraws groups =
        model.random().isEmpty()
            ? null
            : GroupDraws.of(spark, job.outputFolder(), model.random(), draws, request.draws());
    double[][] thinned =
        groups == null
            ? PosteriorPredictor.thinned(draws, model.coefficients(), request.draws())
            : groups.thinned(draws, model.coefficients());
    if (request.more().responses() > 0
        && outputs.size() == 1
        && expectation.response(0.5, thinned[0]).isEmpty()) {
      throw UserException.usage(
          "the family %s does not say how responses are distributed, of which --responses are drawn; leave it out."
              .formatted(job.model().family()));
    }
    Streams streams = new Streams(job.sampler().run().seed());
    RowEffects effects =
        groups == null
            ? null
            : new RowEffects(
                model.random(),
                groups.picked(),
                groups.factors(draws),
                streams,
                request.more().newLevels());
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
      List<String> density;
      try {
        NewRows rows =
            NewRows.open(spark, request.source(), like.columns(), schema, wanted(job, request));
        StructType type = type(rows, outputs, request.more(), schema);
        Dataset<Row> input = rows.rows();
        if (request.more().responses() > 0) {
          String[] names = input.columns();
          input = input.withColumn(".row", functions.xxhash64(input.col("`" + names[0] + "`")));
        }
        if (groups != null) {
          input = groups.join(input, rows.own());
        }
        Outcome outcome =
            new Outcome(
                request.more().responses(),
                request.more().logDensity() ? new LogDensity(model, schema, thinned) : null,
                schema.label().classes(),
                streams);
        Dataset<Row> predicted =
            input.mapPartitions(
                new Predict(predictor, new RowFeatures(schema), rows.wanted(), effects, outcome),
                Encoders.row(type));
        String table = folder.path() + "/" + TABLE;
        predicted.write().parquet(table);
        counts = counts(spark.read().parquet(table), outputs.get(0));
        density = request.more().logDensity() ? density(spark.read().parquet(table)) : List.of();
      } catch (UserException e) {
        throw e;
      } catch (Exception e) {
        throw Input.explain(e, request.source(), null, request.output());
      }
      write(conf, folder.path(), job, request, schema, thinned.length, counts);
      folder.commit();
      List<String> lines = sentences(request, counts);
      lines.addAll(density);
      return lines;
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

  /** Returns what the log densities of the rows that have one come to. */
  private static List<String> density(Dataset<Row> written) {
    Row row =
        written
            .agg(
                functions.count(functions.col("`" + DENSITY + "`")),
                functions.sum(functions.col("`" + DENSITY + "`")),
                functions.stddev_samp(functions.col("`" + DENSITY + "`")))
            .head();
    long rows = row.getLong(0);
    return rows < 2
        ? List.of("Fewer than 2 rows have a log predictive density.")
        : List.of(
            Text.of(
                "The log predictive density of %,d rows is %,.1f, standard error %,.1f.",
                rows, row.getDouble(1), Math.sqrt((double) rows) * row.getDouble(2)));
  }

  private static NewRows.Wanted wanted(JobConfig job, Request request) {
    boolean outcome = request.more().logDensity() || request.more().responses() > 0;
    return new NewRows.Wanted(
        request.more().logDensity() ? job.data().columns().label() : null,
        outcome ? job.model().trials().orElse(null) : null,
        job.model().offset().orElse(null));
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

  private static StructType type(
      NewRows rows, List<String> outputs, More more, TableSchema schema) {
    StructType type = rows.own().schema();
    List<String> own = Arrays.asList(type.fieldNames());
    for (String name : List.of(DENSITY, RESPONSES)) {
      if (own.stream().anyMatch(name::equalsIgnoreCase)) {
        throw taken(name);
      }
    }
    for (String output : outputs) {
      for (String name : NAMES) {
        String full = name + output;
        if (own.stream().anyMatch(full::equalsIgnoreCase)) {
          throw taken(full);
        }
        type = type.add(full, DataTypes.DoubleType, true);
      }
    }
    if (more.logDensity()) {
      type = type.add(DENSITY, DataTypes.DoubleType, true);
    }
    if (more.responses() > 0) {
      boolean named = !schema.label().classes().isEmpty();
      type =
          type.add(
              RESPONSES,
              DataTypes.createArrayType(named ? DataTypes.StringType : DataTypes.DoubleType),
              true);
    }
    return type;
  }

  private static UserException taken(String name) {
    return UserException.data(
        "the new table has a column '%s', which a prediction is called; rename it with --query."
            .formatted(name));
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
    told.put("responses", request.more().responses());
    told.put("new_groups", ConfigText.of(request.more().newLevels()));
    told.put("rows", counts[0]);
    told.put("without_prediction", counts[1]);
    Path file = new Path(folder, MARKER);
    try (OutputStream out = file.getFileSystem(conf).create(file, false)) {
      out.write(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(told));
      out.write('\n');
    }
  }

  /**
   * What is made of a row's outcome.
   *
   * @param responses how many responses to draw
   * @param density of the label; null where it is not wanted
   * @param classes the names of the label's classes
   */
  private record Outcome(
      int responses, @Nullable LogDensity density, List<String> classes, Streams streams)
      implements Serializable {

    /** Draws responses of draws of θ that are evenly spaced; null where nobody knows how. */
    Object @Nullable [] draw(
        PosteriorPredictor predictor, double[][] expected, double trials, long hash) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.RESPONSES, 0, 0, hash);
      Object[] drawn = new Object[responses];
      int draws = expected[0].length;
      for (int r = 0; r < responses; r++) {
        int s = (int) ((2L * r + 1) * draws / (2L * responses));
        if (expected.length > 1) {
          drawn[r] = classes.get(Responses.draw(expected, s, rng));
          continue;
        }
        Optional<Response> of =
            predictor.expectation().response(expected[0][s], predictor.draws()[s]);
        if (of.isEmpty()) {
          return null;
        }
        double y = Responses.draw(of.get(), (int) trials, rng);
        drawn[r] = classes.isEmpty() ? (Object) y : classes.get((int) y);
      }
      return drawn;
    }
  }

  /** Predicts the rows of a partition. */
  private record Predict(
      PosteriorPredictor predictor,
      RowFeatures features,
      NewRows.Wanted wanted,
      @Nullable RowEffects effects,
      Outcome outcome)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      Task task = new Task(this);
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
          return task.predicted(rows.next());
        }
      };
    }
  }

  /** What is at hand as the rows of a partition are predicted. */
  private static final class Task {
    private final Predict predict;
    private final PosteriorPredictor.Row at;
    private final RowEffects.@Nullable Room room;
    private final double[] x;
    private final double[] figures;

    Task(Predict predict) {
      this.predict = predict;
      at = predict.predictor.row();
      room = predict.effects == null ? null : predict.effects.room();
      x = new double[predict.features.width()];
      figures = new double[PosteriorPredictor.FIGURES * predict.predictor.outputs()];
    }

    private static double number(Row row, int place, boolean wanted, double otherwise) {
      Object cell = wanted ? row.get(place) : null;
      return !wanted
          ? otherwise
          : cell == null || CellText.isMissing(cell) ? Double.NaN : CellText.asNumber(cell);
    }

    Row predicted(Row row) {
      NewRows.Wanted wanted = predict.wanted;
      Outcome outcome = predict.outcome;
      Row own = row.getStruct(0);
      int more = (outcome.density == null ? 0 : 1) + (outcome.responses > 0 ? 1 : 0);
      Object[] cells = new Object[own.size() + figures.length + more];
      for (int i = 0; i < own.size(); i++) {
        cells[i] = own.get(i);
      }
      double offset = number(row, wanted.offsetAt(), wanted.offset() != null, 0);
      double trials = number(row, wanted.trialsAt(), wanted.trials() != null, 1);
      if (Double.isNaN(offset) || !predict.features.write(row, wanted.featuresAt(), x)) {
        return RowFactory.create(cells);
      }
      int groups =
          row.size() - (predict.effects == null ? 0 : 2 * predict.effects.effects().size());
      double[] shift = room == null ? null : room.shift(row, groups, x);
      if (room != null && shift == null) {
        return RowFactory.create(cells);
      }
      double[][] expected = at.expected(x, offset, shift);
      int next = own.size() + figures.length;
      boolean counted = trials > 0;
      if (outcome.density != null) {
        Object label = row.get(wanted.labelAt());
        cells[next++] = counted ? outcome.density.of(label, trials, at.eta(), expected) : null;
      }
      if (outcome.responses > 0 && counted) {
        cells[next] = outcome.draw(predict.predictor, expected, trials, row.getLong(groups - 1));
      }
      at.summarize(figures);
      for (int k = 0; k < figures.length; k++) {
        cells[own.size() + k] = figures[k];
      }
      return RowFactory.create(cells);
    }
  }
}
