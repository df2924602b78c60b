package org.lampyris.dataprep.input;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** A table in Parquet. */
record ParquetTable(InputFiles files, Dataset<Row> rows) implements InputTable {
  /**
   * Opens the table.
   *
   * <p>A vector column of Spark ML is stored as a struct, and the file names the class VectorUDT of
   * spark-mllib for it. Where that class is absent Spark logs a warning and gives the struct; where
   * it is on the class path, as in a full Spark, the column is asked for as the struct that it is,
   * so that both give the same rows.
   *
   * <p>The values of folders such as {@code store=01/} have the types that Spark infers, but where
   * they are keys with leading zeros, which no number has.
   */
  static ParquetTable open(SparkSession spark, InputFiles files, Columns.Uses uses) {
    Dataset<Row> rows = spark.read().parquet(files.input());
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
    return new ParquetTable(
        files,
        plain.sameType(rows.schema()) ? rows : spark.read().schema(plain).parquet(files.input()));
  }

  /** Returns the names of the columns that the first file has, by its footer. */
  static List<String> names(InputFiles files) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(files.files().get(0), files.conf()))) {
      return reader.getFileMetaData().getSchema().getFields().stream().map(Type::getName).toList();
    } catch (RuntimeException e) {
      throw UserException.data(
          "%s is no Parquet file: %s; correct data.input or data.format"
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
    Column found =
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
          case NOT_A_SHARE -> number.leq(0).or(number.geq(1));
          case FRACTION -> number.notEqual(functions.rint(number));
          case ABOVE ->
              number.gt(
                  InputColumns.column(String.valueOf(test.text())).cast(DataTypes.DoubleType));
          case TEXT -> text(column, floating, String.valueOf(test.text()));
          case NOT_A_NUMBER, NOT_A_DATE -> functions.lit(false);
        };
    Column file = functions.col("_metadata.file_path");
    Column row = functions.col("_metadata.row_index");
    List<Row> first = rows.filter(found).select(file, row).sort(file, row).takeAsList(1);
    return first.isEmpty()
        ? null
        : files.display(new Path(first.get(0).getString(0)))
            + ", row "
            + (first.get(0).getLong(1) + 1);
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
