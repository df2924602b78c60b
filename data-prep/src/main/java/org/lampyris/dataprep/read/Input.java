package org.lampyris.dataprep.read;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.StringUtils;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;

/** User's table, opened, with its name and places for messages. */
public final class Input {
  private final SparkSession spark;
  private final Source source;
  private final @Nullable InputFormat format;
  private final InputTable table;

  private Input(SparkSession spark, Source source, @Nullable InputFormat format, InputTable table) {
    this.spark = spark;
    this.source = source;
    this.format = format;
    this.table = table;
  }

  /**
   * Opens a table.
   *
   * @param spark a session whose view "input" may be replaced
   * @param columns what its columns are for, which decides how they are read
   * @param uses what is compared, and what is a number
   * @param like an earlier table whose columns are taken over; null for none
   * @throws UserException if there is no such table, or its format cannot be inferred
   */
  public static Input open(
      SparkSession spark,
      Source source,
      Columns columns,
      Columns.Model model,
      Columns.Uses uses,
      @Nullable TableSchema like) {
    InputFiles files =
        InputFiles.list(
            Objects.requireNonNull(source.input()),
            source.charset(),
            spark.sparkContext().hadoopConfiguration());
    InputFormat format = InputFormat.tell(source.format(), files);
    if (like == null) { // later rows may be in another format, with the keys of the earlier ones
      requireKeys(source, format);
    }
    boolean shaped = source.query() != null;
    InputTable table =
        switch (format) {
          case PARQUET -> ParquetTable.open(spark, files, uses);
          case CSV ->
              CsvTable.open(
                  spark, files, source.csv(), purpose(source, columns, uses, like != null));
          case LIBSVM -> {
            boolean vector =
                columns.features().isEmpty()
                    || (like != null && columns.features().equals(List.of(LibSvmTable.VECTOR)));
            boolean wide =
                shaped
                    || !vector
                    || !columns.besides(model).isEmpty()
                    || !columns.categorical().isEmpty();
            int least = like == null || wide ? 0 : like.features().get(0).size();
            yield LibSvmTable.open(
                spark, files, shaped ? "label" : columns.requiredLabel(), wide, least);
          }
        };
    return new Input(spark, source, format, table);
  }

  private static void requireKeys(Source source, InputFormat format) {
    String key =
        source.encoding() != null
            ? "data.encoding"
            : source.csv().equals(Source.Csv.DEFAULT) ? null : "data.csv";
    if (key != null && format != InputFormat.CSV) {
      throw UserException.usage(key + " is for CSV. Remove it for " + format.key());
    }
  }

  private static CsvTable.Purpose purpose(
      Source source, Columns columns, Columns.Uses uses, boolean known) {
    boolean shaped = source.query() != null;
    return new CsvTable.Purpose(
        uses,
        columns.categorical().keySet(),
        known,
        shaped,
        !shaped && columns.rules().dates() == Columns.Dates.DAYS);
  }

  /** Returns whether a table is in Parquet, judging by its name or its configured format. */
  public static boolean isParquet(Source source, Configuration conf) {
    InputFiles files =
        InputFiles.list(Objects.requireNonNull(source.input()), source.charset(), conf);
    return InputFormat.tell(source.format(), files) == InputFormat.PARQUET;
  }

  /**
   * Takes an existing table.
   *
   * @param name what messages call it
   */
  public static Input of(Dataset<Row> rows, String name) {
    return new Input(
        rows.sparkSession(), new Source(name, null, null, null), null, new GivenTable(rows));
  }

  /**
   * Looks at a table without Spark: whether its files exist, and which columns they have, by
   * headers and the first rows. A query's columns are not known.
   *
   * @param uses what is compared, and what is a number
   * @throws UserException if there is no such table
   */
  public static Glance glance(
      Source source, Columns columns, Columns.Uses uses, Configuration conf) {
    String input = Objects.requireNonNull(source.input());
    InputFiles files = InputFiles.list(input, source.charset(), conf);
    InputFormat format = InputFormat.tell(source.format(), files);
    requireKeys(source, format);
    try {
      long bytes = 0;
      for (Path file : files.files()) {
        bytes += file.getFileSystem(conf).getFileStatus(file).getLen();
      }
      Glance.Types types =
          switch (format) {
            case CSV -> CsvTable.types(files, source.csv(), purpose(source, columns, uses, false));
            case PARQUET -> ParquetTable.types(files);
            case LIBSVM -> Glance.Types.unknown();
          };
      String said =
          "%s, %s in %s%s"
              .formatted(
                  format.key(),
                  StringUtils.TraditionalBinaryPrefix.long2String(bytes, "B", 1),
                  files.files().size() == 1 ? "1 file" : files.files().size() + " files",
                  types.names().isEmpty() ? "" : ", %s columns".formatted(types.names().size()));
      return new Glance(said, input, source.query() == null ? types : Glance.Types.unknown());
    } catch (IOException e) {
      throw StorageProblem.reading("the input " + input, e);
    }
  }

  /**
   * Returns the rows, after the query if there is one. Nothing is read before a job asks for them.
   *
   * @throws UserException (usage) if the query cannot be understood
   */
  public Dataset<Row> rows() {
    String query = source.query();
    Dataset<Row> input = table.rows();
    if (query == null) {
      return input;
    }
    Query.require(query);
    try {
      InputColumns.requireDistinct(List.of(input.columns()), path());
      input.createOrReplaceTempView("input");
      return spark.sql(query);
    } catch (Exception e) {
      AnalysisException known = Failures.cause(e, AnalysisException.class);
      if (known == null) {
        throw e;
      }
      throw UserException.usage(
          "data.query cannot be understood: %s (the input is the view named input; its columns are %s)"
              .formatted(
                  Query.problem(known),
                  String.join(", ", List.of(input.columns()).stream().limit(30).toList())),
          e);
    }
  }

  private String path() {
    return Objects.requireNonNull(source.input());
  }

  /** Returns remarks about how the table is read, as sentences. */
  public List<String> notes() {
    return table.notes();
  }

  /**
   * Returns the columns of the table as its files have them. Columns that are text only for
   * comparison become numbers, if that changes nothing.
   */
  public Dataset<Row> own(Dataset<Row> rows) {
    return rows.select(CsvTable.own(rows));
  }

  /** Returns rows with a struct of their {@link #own} columns behind. */
  public Dataset<Row> withOwn(Dataset<Row> rows, String name) {
    return rows.withColumn(name, functions.struct(CsvTable.own(rows)));
  }

  /** Returns the table's name in messages. */
  public String name() {
    return isShaped() ? "the result of data.query on " + path() : path();
  }

  /** Returns whether a query stands between the input and the table. */
  public boolean isShaped() {
    return source.query() != null;
  }

  /**
   * Returns whether the table is a CSV without a query, whose types are inferred from its cells.
   */
  public boolean isPlainCsv() {
    return format == InputFormat.CSV && !isShaped();
  }

  /** Returns whether the rows come from a LibSVM file, whose features have no names. */
  public boolean isLibSvm() {
    return format == InputFormat.LIBSVM && !isShaped();
  }

  /**
   * Returns the origin of the rows, for the table's schema.
   *
   * @param leftOut how many rows are left out
   * @param merged how many rows there were before equal ones became one; null where none did
   * @param doubts what in the table looks like a slip
   * @param formula what made features of the columns; null for none
   * @param earlier the table whose rows come before these; null for none
   */
  public TableSchema.Source source(
      long leftOut,
      @Nullable Long merged,
      List<String> doubts,
      TableSchema.@Nullable Formula formula,
      TableSchema.@Nullable Earlier earlier) {
    return new TableSchema.Source(
        path(),
        format == null ? "dataset" : format.key(),
        source.query(),
        leftOut,
        merged,
        doubts,
        formula,
        earlier);
  }

  /**
   * Returns the problem of a column.
   *
   * @param problem what is wrong with it and what would help, beginning with a verb
   */
  public UserException problem(String column, String problem) {
    return UserException.data("column '" + column + "' of " + name() + " " + problem);
  }

  /** Returns the place of the first matching cell, as a clause; empty if unknown. */
  public String first(CellCondition test) {
    String place = table.place(test);
    return place == null ? "" : " (first: " + place + ")";
  }

  /**
   * Returns a failure to read a table, or to write results, as a problem that the user can mend.
   *
   * @param input the table, where it has been opened
   * @param output the folder that is written
   * @throws RuntimeException the failure itself if it is none of theirs
   */
  public static UserException explain(
      Exception failure, Source source, @Nullable Input input, String output) {
    return new Failures(source, input == null ? null : input.table, output).explain(failure);
  }

  /** A table that a caller has, whose rows have no places that a message could name. */
  private record GivenTable(Dataset<Row> rows) implements InputTable {
    @Override
    public @Nullable String place(CellCondition test) {
      return null;
    }

    @Override
    public @Nullable String malformed() {
      return null;
    }
  }

  /** The forms of table that can be read. */
  enum InputFormat {
    PARQUET,
    CSV,
    LIBSVM;

    private static final List<String> COMPRESSIONS =
        List.of(".gz", ".bz2", ".zst", ".snappy", ".lz4", ".deflate");

    private List<String> endings() {
      return switch (this) {
        case PARQUET -> List.of(".parquet", ".parq");
        case CSV -> List.of(".csv");
        case LIBSVM -> List.of(".libsvm", ".svm", ".svmlight");
      };
    }

    /** Returns the name that the configuration and the schema use. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the configured format, or otherwise the one inferred from the files' names.
     *
     * @throws UserException (usage) if it is unknown or cannot be inferred
     */
    static InputFormat tell(@Nullable String given, InputFiles files) {
      if (given != null) {
        for (InputFormat format : values()) {
          if (format.key().equals(given.toLowerCase(Locale.ROOT))) {
            return format;
          }
        }
        throw UserException.usage(
            "data.format '" + given + "' is unknown; known: parquet, csv, libsvm");
      }
      for (String name : List.of(files.input(), files.files().get(0).getName())) {
        InputFormat byName = byName(name);
        if (byName != null) {
          return byName;
        }
      }
      throw UserException.usage(
          "the format of %s cannot be inferred from its name. Set data.format to parquet, csv or libsvm."
              .formatted(files.input()));
    }

    private static @Nullable InputFormat byName(String path) {
      String name = path.toLowerCase(Locale.ROOT).replaceAll("/+$", "");
      for (String compression : COMPRESSIONS) {
        if (name.endsWith(compression)) {
          name = name.substring(0, name.length() - compression.length());
        }
      }
      for (InputFormat format : values()) {
        for (String ending : format.endings()) {
          if (name.endsWith(ending)) {
            return format;
          }
        }
      }
      return null;
    }
  }
}
