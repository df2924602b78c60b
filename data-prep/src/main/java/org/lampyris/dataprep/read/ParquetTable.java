package org.lampyris.dataprep.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.executors.table.ParquetFile;
import org.lampyris.executors.table.StorageProblem;

/** A table in Parquet. */
@SuppressWarnings("deprecation") // Spark 3.5 knows getErrorClass alone
record ParquetTable(InputFiles files, Dataset<Row> rows) implements InputTable {
  /** Spark setting by which nanoseconds are read as stored integers. */
  private static final String NANOS = "spark.sql.legacy.parquet.nanosAsLong";

  /**
   * Opens the table.
   *
   * <p>A vector column of Spark ML is stored as a struct, and the file names the class VectorUDT of
   * spark-mllib for it. Without that class, Spark logs a warning and returns the struct. With it on
   * the class path, as in a full Spark, the column is requested as a struct, so that both return
   * the same rows.
   *
   * <p>Times in nanoseconds, which Spark refuses, are read to the microsecond, and 16-bit numbers
   * as 32-bit ones. A column of another type that Spark does not know is there as well, and fails
   * where it is used.
   *
   * <p>The values of folders such as {@code store=01/} have the types that Spark infers, but where
   * they are keys with leading zeros, which no number has.
   */
  static ParquetTable open(SparkSession spark, InputFiles files, Columns.Uses uses) {
    spark.conf().set(NANOS, true);
    MessageType stored = schema(files);
    Dataset<Row> rows = rows(spark, files, stored);
    Map<String, Set<String>> folders = files.partitions();
    StructType plain = new StructType();
    for (StructField field : rows.schema().fields()) {
      DataType type = field.dataType();
      boolean code =
          uses.comparesOnly(field.name())
              && folders.getOrDefault(field.name(), Set.of()).stream()
                  .anyMatch(value -> CellText.number(value) != null && CellText.isPadded(value));
      plain =
          plain.add(
              field.name(),
              code
                  ? DataTypes.StringType
                  : type instanceof UserDefinedType<?> u ? u.sqlType() : type);
    }
    if (!plain.sameType(rows.schema())) {
      rows = reader(spark, files).schema(plain).parquet(files.input());
    }
    List<Column> columns = new ArrayList<>();
    boolean same = true;
    for (String name : rows.columns()) {
      Column as = stored.containsField(name) ? readable(stored.getType(name), files) : null;
      columns.add(as == null ? InputColumns.column(name) : as.as(name));
      same &= as == null;
    }
    return new ParquetTable(files, same ? rows : rows.select(columns.toArray(Column[]::new)));
  }

  private static DataFrameReader reader(SparkSession spark, InputFiles files) {
    return files.named() ? InputFiles.reader(spark) : spark.read();
  }

  /** Returns the rows as Spark reads them, with bytes for unreadable columns. */
  private static Dataset<Row> rows(SparkSession spark, InputFiles files, MessageType stored) {
    try {
      return reader(spark, files).parquet(files.input());
    } catch (Exception e) { // Spark's own failures are checked, and not declared.
      if (!(e instanceof AnalysisException known)
          || !String.valueOf(known.getErrorClass()).startsWith("PARQUET_TYPE")) {
        throw e;
      }
    }
    StructType schema = new StructType();
    for (Type field : stored.getFields()) {
      StructType one = sparkType(field);
      schema =
          one == null
              ? schema.add(field.getName(), DataTypes.BinaryType)
              : schema.add(one.fields()[0]);
    }
    return reader(spark, files).schema(schema).parquet(files.input());
  }

  /** Returns a field as Spark reads it; null if it cannot. */
  private static @Nullable StructType sparkType(Type field) {
    SQLConf conf = new SQLConf();
    conf.setConfString(NANOS, "true");
    try {
      return new ParquetToSparkSchemaConverter(conf).convert(new MessageType("one", field));
    } catch (Exception e) {
      return null;
    }
  }

  /** Returns the value of a field that Spark reads as another type; null for other fields. */
  private static @Nullable Column readable(Type field, InputFiles files) {
    Column stored = InputColumns.column(field.getName());
    LogicalTypeAnnotation of = field.getLogicalTypeAnnotation();
    if (of instanceof TimestampLogicalTypeAnnotation time && time.getUnit() == TimeUnit.NANOS) {
      Column instant =
          functions.timestamp_micros(
              functions.floor(functions.call_function("div", stored, functions.lit(1000L))));
      return time.isAdjustedToUTC()
          ? instant
          : functions.convert_timezone(
              functions.current_timezone(),
              functions.lit("UTC"),
              instant.cast(DataTypes.TimestampNTZType));
    }
    if ("FLOAT16".equals(String.valueOf(of))) { // a class of its own since Parquet 1.14
      return functions.udf(new Half(), DataTypes.FloatType).apply(stored);
    }
    if (sparkType(field) != null) {
      return null;
    }
    String type = field.toString().replaceFirst("^\\w+ ", "").replace(" " + field.getName(), "");
    return functions
        .udf(
            new Unreadable(
                "column '%s' of %s has the Parquet type %s, which Spark cannot read. Name only the other columns in data.features, or write the file with another type."
                    .formatted(field.getName(), files.input(), type)),
            DataTypes.DoubleType)
        .apply(functions.lit(0));
  }

  /** Reads a number of 16 bits (IEEE 754 binary16, little-endian) as one of 32, exactly. */
  record Half() implements UDF1<byte @Nullable [], @Nullable Float> {
    @Override
    public @Nullable Float call(byte @Nullable [] cell) {
      return cell == null ? null : of((cell[1] & 0xFF) << 8 | (cell[0] & 0xFF));
    }

    static float of(int bits) {
      int exponent = bits >> 10 & 0x1F;
      int digits = bits & 0x3FF;
      float size =
          exponent == 0x1F
              ? digits == 0 ? Float.POSITIVE_INFINITY : Float.NaN
              : exponent == 0
                  ? digits * 0x1p-24f
                  : Math.scalb(1 + digits * 0x1p-10f, exponent - 15);
      return (bits & 0x8000) == 0 ? size : -size;
    }
  }

  /**
   * Function that fails because a column cannot be read. Spark asks before any row where the column
   * is used.
   */
  private record Unreadable(String problem) implements UDF1<Object, Double> {
    @Override
    public Double call(Object any) {
      throw UserException.data(problem);
    }
  }

  /**
   * Returns the columns that the first file has, by its footer, and folders' names. Types that
   * {@link #open} changes are left out.
   */
  static Glance.Types types(InputFiles files) {
    List<Type> fields = schema(files).getFields();
    StructType known = new StructType();
    for (Type field : fields) {
      StructType one = readable(field, files) == null ? sparkType(field) : null;
      known = one == null ? known : known.add(one.fields()[0]);
    }
    return new Glance.Types(
        Stream.concat(fields.stream().map(Type::getName), files.partitions().keySet().stream())
            .distinct()
            .toList(),
        known,
        Map.of());
  }

  private static MessageType schema(InputFiles files) {
    try (ParquetFileReader reader = ParquetFile.open(files.files().get(0), files.conf())) {
      return reader.getFileMetaData().getSchema();
    } catch (IOException e) {
      throw StorageProblem.reading(files.input(), e);
    } catch (RuntimeException e) {
      throw UserException.data(
          "%s is no Parquet file: %s. Correct data.input or data.format."
              .formatted(files.display(files.files().get(0)), Failures.firstLine(e)),
          e);
    }
  }

  @Override
  public @Nullable String place(CellCondition test) {
    List<StructField> named =
        Arrays.stream(rows.schema().fields())
            .filter(field -> field.name().equals(test.column()))
            .toList();
    if (named.size() != 1) {
      return null;
    }
    Column column = InputColumns.column(test.column());
    DataType type = named.get(0).dataType();
    boolean floating = type instanceof DoubleType || type instanceof FloatType;
    Column number = column.cast(DataTypes.DoubleType);
    Column text = functions.trim(column.cast(DataTypes.StringType));
    Column matches =
        switch (test.kind()) {
          case MISSING ->
              column
                  .isNull()
                  .or(text.equalTo("NA"))
                  .or(functions.lower(text).isin("", "nan", "null"));
          case INFINITE ->
              floating
                  ? functions.abs(number).equalTo(Double.POSITIVE_INFINITY)
                  : functions.lit(false);
          case NOT_POSITIVE -> number.leq(0);
          case NEGATIVE -> number.lt(0);
          case NOT_AN_EVENT -> functions.not(number.isin(0, 1, 2));
          case NOT_AN_EVENT_OR_INTERVAL -> functions.not(number.isin(0, 1, 2, 3));
          case NOT_A_SHARE -> number.leq(0).or(number.geq(1));
          case FRACTION -> number.notEqual(functions.rint(number));
          case ABOVE -> number.gt(number(test.text()));
          case NO_INTERVAL ->
              number(test.third())
                  .equalTo(3)
                  .and(
                      functions.not(
                          functions.coalesce(
                              number
                                  .lt(number(test.text()))
                                  .and(number(test.text()).leq(CensoredTime.MOST)),
                              functions.lit(false))));
          case TEXT -> text(column, floating, String.valueOf(test.text()));
          case NOT_A_NUMBER, NOT_A_DATE -> functions.lit(false);
        };
    Column file = functions.col("_metadata.file_path");
    Column row = functions.col("_metadata.row_index");
    Column other = test.isOfSeveral() ? number(test.text()) : functions.lit(null);
    List<Row> first =
        rows.filter(matches)
            .select(file, row, text, other.cast(DataTypes.StringType))
            .sort(file, row)
            .takeAsList(1);
    if (first.isEmpty()) {
      return null;
    }
    Row found = first.get(0);
    String where = files.display(new Path(found.getString(0))) + ", row " + (found.getLong(1) + 1);
    return test.at(where, found.getString(2), found.getString(3));
  }

  private static Column number(@Nullable String name) {
    return InputColumns.column(String.valueOf(name)).cast(DataTypes.DoubleType);
  }

  private static Column text(Column column, boolean floating, String text) {
    Double number = CellText.number(text);
    return floating && number != null
        ? column.equalTo(number)
        : column.cast(DataTypes.StringType).equalTo(text);
  }

  @Override
  public @Nullable String malformed() {
    return null;
  }
}
