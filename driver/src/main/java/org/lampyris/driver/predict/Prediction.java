package org.lampyris.driver.predict;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.hadoop.conf.Configuration;
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
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.ModelConfig;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.Response;
import org.lampyris.dataprep.blocks.NewRows;
import org.lampyris.dataprep.blocks.RowFeatures;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.formula.FormulaRow;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import org.lampyris.samplers.random.Streams;

/**
 * Predictions of new rows from the draws of a run: their table with four more columns for every
 * expected number. Rows are predicted where they are, one by one; never are there rows × draws in
 * memory.
 */
public final class Prediction {
  static final String MEAN = ".mean";
  static final String DENSITY = ".log_density";
  private static final List<String> NAMES = List.of(MEAN, ".sd", ".lower", ".upper");
  private static final String RESPONSES = ".responses";

  private final Supplier<SparkSession> spark;
  private final RunOutput.Fitted fitted;
  private final TableSchema schema;
  private final How how;
  private final PosteriorPredictor predictor;
  private final @Nullable LevelDraws groups;
  private final @Nullable RowEffects effects;
  private final Streams streams;

  /**
   * Settings of a prediction, and its optional columns.
   *
   * @param draws how many draws to predict by, evenly thinned; all if there are not so many
   * @param interval the probability of the central interval
   * @param responses how many responses to draw, from the predictive distribution
   * @param logDensity whether the new table has the label, whose log predictive density is wanted
   * @param newLevels what the effects of a group are that the model has not seen
   */
  public record How(
      int draws, double interval, int responses, boolean logDensity, NewLevels newLevels) {
    /** By 200 draws, a central interval of 90 %, and nothing else; new groups are drawn. */
    public static final How DEFAULT = new How(200, 0.9, 0, false, NewLevels.GAUSSIAN);

    /**
     * Checks the numbers.
     *
     * @throws UserException (usage) that names the option
     */
    public How {
      if (draws < 2) {
        throw UserException.usage(
            draws + " draws for predictions (--draws) are too few. Set at least 2.");
      }
      PosteriorPredictor.requireInterval(interval);
      if (responses < 0) {
        throw UserException.usage(
            responses + " responses for each row (--responses) are impossible. Set 0 or more.");
      }
    }
  }

  private Prediction(
      Supplier<SparkSession> spark,
      RunOutput.Fitted fitted,
      How how,
      Draws draws,
      Expectation expectation,
      @Nullable FewLevels few)
      throws IOException {
    this.spark = spark;
    this.fitted = fitted;
    this.how = how;
    schema = fitted.schema();
    ModelOfTable model = fitted.model();
    streams = new Streams(fitted.job().sampler().run().seed());
    List<TableEffects> random = model.random();
    groups =
        !fitted.hasEffects()
            ? null
            : few == null
                ? LevelDraws.of(spark.get(), fitted.run(), random, draws, how.draws())
                : LevelDraws.of(random, List.of(), few.kept(), draws, how.draws());
    double[][] thinned =
        groups == null
            ? PosteriorPredictor.thinned(draws, model.coefficients(), how.draws())
            : groups.thinned(draws, model.coefficients());
    if (how.responses() > 0
        && outputs().size() == 1
        && expectation
            .response(0.5, expectation.ofRow(new double[model.predictors().count()], thinned[0]))
            .isEmpty()) {
      throw UserException.usage(
          "the family %s defines no distribution of responses, which --responses needs. Remove the option."
              .formatted(fitted.job().model().family()));
    }
    effects = groups == null ? null : RowEffects.of(fitted, groups, draws, how.newLevels());
    predictor =
        new PosteriorPredictor(
            expectation, thinned, model.predictors(), outputs().size(), how.interval());
  }

  /**
   * Reads the draws of a run.
   *
   * @param progress receives the number of draws used
   * @throws UserException if there is no such run, or its draws are not of its table
   */
  public static Prediction of(SparkSession spark, JobConfig job, How how, Consumer<String> progress)
      throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    return of(() -> spark, fitted(conf, job), how, null, progress);
  }

  /**
   * Returns the model of a run's configuration.
   *
   * @throws UserException if there is no such run, or its draws are not of its table
   */
  static RunOutput.Fitted fitted(Configuration conf, JobConfig job) throws IOException {
    TableSchema schema = TableSchema.read(job.preparedFolder(), conf);
    RunOutput run = RunOutput.open(conf, job.outputFolder());
    requireSameTable(run, job, schema);
    return new RunOutput.Fitted(run, job, schema, job.modelOf(schema));
  }

  /**
   * Reads the draws of a run.
   *
   * @param few the groups of a small table that is to be predicted; null if Spark reads them
   * @param progress receives the number of draws used
   */
  static Prediction of(
      Supplier<SparkSession> spark,
      RunOutput.Fitted fitted,
      How how,
      @Nullable FewLevels few,
      Consumer<String> progress)
      throws IOException {
    Expectation expectation = fitted.expectation("cannot predict");
    Draws draws = fitted.run().draws();
    Prediction made = new Prediction(spark, fitted, how, draws, expectation, few);
    progress.accept(
        Text.of(
            "%,d of %,d draws, %s",
            made.draws(),
            (long) draws.chains() * draws.perChain(),
            made.outputs().size() > 1
                ? "the probability of each class"
                : "the expected " + made.label().column()));
    return made;
  }

  /** Returns how many draws rows are predicted by. */
  int draws() {
    return predictor.draws().length;
  }

  /** Returns the fingerprint of the sampled table. */
  String fingerprint() {
    return schema.fingerprint();
  }

  /** Returns what is predicted. */
  TableSchema.Label label() {
    return schema.label();
  }

  private Columns columns() {
    return fitted.job().data().like(schema).columns();
  }

  /** Opens a table of new rows. */
  Input open(Source source) {
    return fitted.open(spark.get(), source);
  }

  /**
   * Returns new rows with their predictions, computed when a job reads them.
   *
   * @throws UserException if a column is missing, or has another type
   */
  public Dataset<Row> of(Input table) {
    return of(table, null);
  }

  /**
   * Returns new rows with their predictions.
   *
   * @param unknown collects the levels unknown to the model, as rows are predicted; null to collect
   *     none
   */
  Dataset<Row> of(Input table, @Nullable UnknownLevels unknown) {
    NewRows rows = NewRows.of(table, columns(), schema, wanted());
    return of(rows, unknown, type(rows.own().schema()), true);
  }

  /**
   * Returns rows with what {@link PredictionAverage} combines: E[y | x, θ_s] by outputs and draws
   * as bytes, and the outcome's columns.
   *
   * @param suffix of the new columns' names
   */
  Dataset<Row> drawn(Input table, @Nullable UnknownLevels unknown, String suffix) {
    NewRows rows = NewRows.of(table, columns(), schema, wanted());
    StructType type = rows.own().schema().add(MEAN + suffix, DataTypes.BinaryType, true);
    return of(rows, unknown, withOutcome(type, suffix), false);
  }

  private Dataset<Row> of(
      NewRows rows, @Nullable UnknownLevels unknown, StructType type, boolean summarized) {
    Dataset<Row> input = rows.rows();
    if (how.responses() > 0) {
      String[] names = input.columns();
      input = input.withColumn(".row", functions.xxhash64(input.col("`" + names[0] + "`")));
    }
    if (groups != null) {
      input = groups.join(input);
    }
    return input.mapPartitions(predict(rows.wanted(), unknown, summarized), Encoders.row(type));
  }

  private Predict predict(
      NewRows.Wanted wanted, @Nullable UnknownLevels unknown, boolean summarized) {
    Outcome outcome =
        new Outcome(
            how.responses(),
            how.logDensity()
                ? new ResponseDensity(fitted.model(), schema, predictor.draws())
                : null,
            schema.label().classes(),
            streams);
    return new Predict(
        predictor, new RowFeatures(schema), wanted, effects, outcome, unknown, summarized);
  }

  /**
   * Reads a small table of new rows in this process.
   *
   * @return null if Spark must read it: see {@link FewRows#read}; or if the model has vectors, or
   *     responses or densities are wanted
   */
  static @Nullable FewRows few(RunOutput.Fitted fitted, How how, Source source) {
    return how.responses() > 0 || how.logDensity() ? null : few(fitted, source, List.of());
  }

  /**
   * Reads a small table in this process.
   *
   * @param more other columns of numbers that are needed
   * @return null if Spark must read it, or if the model has vectors
   */
  static @Nullable FewRows few(RunOutput.Fitted fitted, Source source, List<String> more) {
    Columns columns = fitted.job().data().like(fitted.schema()).columns();
    Columns.Uses uses = uses(fitted, columns);
    FewRows rows = FewRows.read(source, columns, uses, fitted.run().conf());
    if (rows == null) {
      return null;
    }
    FormulaRow formula = new FormulaRow(fitted.schema());
    Map<String, List<String>> levels = formula.levels();
    List<String> names = needed(fitted, formula);
    names.addAll(more);
    for (String name : names) {
      int at = rows.names().indexOf(name);
      boolean vector =
          fitted.schema().features().stream()
              .anyMatch(one -> one.name().equals(name) && one.kind() == FeatureKind.VECTOR);
      // A factor's columns are a vector of its name where there is no intercept.
      if (at < 0 || !(levels.containsKey(name) || (!vector && rows.numbers().get(at)))) {
        return null;
      }
    }
    return rows;
  }

  private static Columns.Uses uses(RunOutput.Fitted fitted, Columns columns) {
    Columns.Model of =
        new Columns.Model(
            fitted.schema().label().kind(), fitted.job().model().offset().orElse(null));
    return FormulaTable.uses(columns, of, fitted.schema());
  }

  /** Replaces the cells of factors by levels of the model. */
  private void respell(FewRows rows, Map<String, List<String>> levels) {
    Columns.Uses uses = uses(fitted, columns());
    levels.forEach(
        (name, known) -> {
          if (uses.comparesOnly(name)) {
            KnownLevels spelling = KnownLevels.of(known);
            rows.cells()
                .forEach(cells -> cells.computeIfPresent(name, (n, c) -> spelling.level(c)));
          }
          if (known.contains(CellText.MISSING)) {
            rows.cells().forEach(cells -> cells.putIfAbsent(name, CellText.MISSING));
          }
        });
  }

  /** Returns the columns that a new table must have. */
  private static List<String> needed(RunOutput.Fitted fitted, FormulaRow formula) {
    List<String> needed = new ArrayList<>(formula.columns());
    List<String> offsets = formula.offsetColumns();
    needed.addAll(offsets.isEmpty() ? fitted.job().model().offset().stream().toList() : offsets);
    return needed;
  }

  /**
   * Returns a small table's rows with their predictions, computed in this process.
   *
   * @param groups of the rows; null if the model has no effects of groups
   */
  List<Row> of(FewRows rows, @Nullable FewLevels groups, UnknownLevels unknown) {
    FormulaRow formula = new FormulaRow(schema);
    respell(rows, formula.levels());
    String offset = fitted.job().model().offset().orElse(null);
    Task task = new Task(predict(new NewRows.Wanted(null, null, offset), unknown, true));
    List<Row> predicted = new ArrayList<>();
    for (int n = 0; n < rows.cells().size(); n++) {
      Map<String, Object> of = rows.cells().get(n);
      List<@Nullable Object> cells = new ArrayList<>();
      cells.add(RowFactory.create(rows.own().get(n).toArray()));
      if (offset != null) {
        cells.add(formula.offsetColumns().isEmpty() ? of.get(offset) : formula.offset(of));
      }
      Row features = formula.features(of);
      for (int f = 0; f < features.size(); f++) {
        cells.add(features.get(f));
      }
      if (groups != null) {
        groups.addTo(cells, n);
      }
      predicted.add(task.predicted(RowFactory.create(cells.toArray())));
    }
    return predicted;
  }

  private NewRows.Wanted wanted() {
    ModelConfig model = fitted.job().model();
    boolean times = model.labelNeeded().isTime();
    boolean outcome = how.logDensity() || (how.responses() > 0 && !times);
    return new NewRows.Wanted(
        how.logDensity() ? fitted.job().data().columns().label() : null,
        outcome ? model.trials().orElse(null) : null,
        model.offset().orElse(null));
  }

  /** Refuses draws from another table than the prepared one. */
  private static void requireSameTable(RunOutput run, JobConfig job, TableSchema schema) {
    String drawn = run.fingerprint();
    if (!drawn.isEmpty() && !drawn.equals(schema.fingerprint())) {
      throw UserException.data(
          "the draws in %s are from another prepared table than the one in %s. Name the configuration of the run that made them, or sample again."
              .formatted(job.outputFolder(), job.preparedFolder()));
    }
  }

  /** Returns the suffixes of column names: empty, or a class in brackets. */
  List<String> outputs() {
    return PosteriorPredictor.outputs(schema.label()).stream()
        .map(name -> name.isEmpty() ? "" : "[" + name + "]")
        .toList();
  }

  /**
   * Returns the columns of predictions behind a table's own.
   *
   * @throws UserException (data) if one of them exists
   */
  StructType type(StructType ofTable) {
    StructType type = ofTable;
    List<String> own = Arrays.asList(type.fieldNames());
    for (String name : List.of(DENSITY, RESPONSES)) {
      if (own.stream().anyMatch(name::equalsIgnoreCase)) {
        throw taken(name);
      }
    }
    for (String output : outputs()) {
      for (String name : NAMES) {
        String full = name + output;
        if (own.stream().anyMatch(full::equalsIgnoreCase)) {
          throw taken(full);
        }
        type = type.add(full, DataTypes.DoubleType, true);
      }
    }
    return withOutcome(type, "");
  }

  private StructType withOutcome(StructType figures, String suffix) {
    StructType type = figures;
    if (how.logDensity()) {
      type = type.add(DENSITY + suffix, DataTypes.DoubleType, true);
    }
    if (how.responses() > 0) {
      boolean named = !schema.label().classes().isEmpty();
      type =
          type.add(
              RESPONSES + suffix,
              DataTypes.createArrayType(named ? DataTypes.StringType : DataTypes.DoubleType),
              true);
    }
    return type;
  }

  private static UserException taken(String name) {
    return UserException.data(
        "the new table has a column '%s', a name that predictions use. Rename it with --query."
            .formatted(name));
  }

  /**
   * Outcome columns of a row.
   *
   * @param responses how many responses to draw
   * @param density of the label; null where it is not wanted
   * @param classes the names of the label's classes
   */
  private record Outcome(
      int responses, @Nullable ResponseDensity density, List<String> classes, Streams streams)
      implements Serializable {

    /** Draws responses for evenly spaced draws of θ; null if the family has no distribution. */
    Object @Nullable [] draw(
        PosteriorPredictor predictor,
        PosteriorPredictor.Row at,
        double[][] expected,
        double trials,
        long hash) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.RESPONSES, 0, 0, hash);
      Object[] drawn = new Object[responses];
      int draws = expected[0].length;
      for (int r = 0; r < responses; r++) {
        int s = (int) ((2L * r + 1) * draws / (2L * responses));
        if (expected.length > 1) {
          drawn[r] = classes.get(Responses.draw(expected, s, rng));
          continue;
        }
        Optional<Response> of = predictor.expectation().response(expected[0][s], at.ofRow()[s]);
        if (of.isEmpty()) {
          return null;
        }
        double y = Responses.draw(of.get(), trials, rng);
        drawn[r] = classes.isEmpty() ? (Object) y : classes.get((int) y);
      }
      return drawn;
    }
  }

  /**
   * Predicts the rows of a partition.
   *
   * @param summarized whether figures are written, rather than the draws of the expectation
   */
  private record Predict(
      PosteriorPredictor predictor,
      RowFeatures features,
      NewRows.Wanted wanted,
      @Nullable RowEffects effects,
      Outcome outcome,
      @Nullable UnknownLevels unknown,
      boolean summarized)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      Task task = new Task(this);
      return StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(rows, Spliterator.ORDERED), false)
          .map(task::predicted)
          .iterator();
    }
  }

  /** Buffers for predicting the rows of a partition. */
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

    /** Counts the row if it has a level that the model does not know. */
    private void noteLevel(Row row) {
      if (predict.unknown != null) {
        predict
            .features
            .unknown(row, predict.wanted.featuresAt())
            .ifPresent(
                of ->
                    predict.unknown.add(new UnknownLevels.Cell(of.getKey(), false, of.getValue())));
      }
    }

    /** Counts the row if it belongs to groups that the model has not seen. */
    private void noteGroups(Row row, int at) {
      if (predict.unknown != null && predict.effects != null) {
        List<TableEffects> effects = predict.effects.effects();
        for (int k = 0; k < effects.size(); k++) {
          String level = row.getString(at + 2 * k);
          if (level != null && row.isNullAt(at + 2 * k + 1)) {
            String column = effects.get(k).effects().group();
            predict.unknown.add(new UnknownLevels.Cell(column, true, level));
          }
        }
      }
    }

    Row predicted(Row row) {
      NewRows.Wanted wanted = predict.wanted;
      Outcome outcome = predict.outcome;
      Row own = row.getStruct(0);
      int more = (outcome.density == null ? 0 : 1) + (outcome.responses > 0 ? 1 : 0);
      int figureCells = predict.summarized ? figures.length : 1;
      Object[] cells = new Object[own.size() + figureCells + more];
      for (int i = 0; i < own.size(); i++) {
        cells[i] = own.get(i);
      }
      double offset = number(row, wanted.offsetAt(), wanted.offset() != null, 0);
      double trials = number(row, wanted.trialsAt(), wanted.trials() != null, 1);
      if (Double.isNaN(offset) || !predict.features.write(row, wanted.featuresAt(), x)) {
        noteLevel(row);
        return RowFactory.create(cells);
      }
      int groups =
          row.size() - (predict.effects == null ? 0 : 2 * predict.effects.effects().size());
      noteGroups(row, groups);
      double[] shift = room == null ? null : room.shift(row, groups, x);
      if (room != null && shift == null) {
        return RowFactory.create(cells);
      }
      double[][] expected = at.expected(x, offset, shift);
      int next = own.size() + figureCells;
      boolean counted =
          trials > 0 || (trials == 0 && outcome.density != null && outcome.density.isOfTimes());
      if (outcome.density != null) {
        Object label = row.get(wanted.labelAt());
        cells[next++] = counted ? outcome.density.of(label, trials, at.eta(), expected) : null;
      }
      if (outcome.responses > 0 && counted) {
        cells[next] =
            outcome.draw(predict.predictor, at, expected, trials, row.getLong(groups - 1));
      }
      if (!predict.summarized) {
        cells[own.size()] = PredictionAverage.bytes(expected);
        return RowFactory.create(cells);
      }
      at.summarize(figures);
      for (int k = 0; k < figures.length; k++) {
        cells[own.size() + k] = figures[k];
      }
      return RowFactory.create(cells);
    }
  }
}
