package org.lampyris.dataprep.read;

import java.util.Collections;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * A table in the text format of LibSVM. Spark's own reader is part of spark-mllib.
 *
 * <p>Its rows are either a label and one sparse vector "f", whose elements are named f1 … fd, or,
 * where a query or the choice of features needs them by name, a label and the columns f1 … fd.
 */
record LibSvmTable(InputFiles files, String label, Dataset<Row> rows) implements InputTable {
  /** The vector's name; element k of it is reported as this and k, from 1. */
  static final String VECTOR = "f";

  /**
   * Opens the table; reads it once to find the number of features.
   *
   * @param label the name to give to the label
   * @param wide whether features are columns of their own
   * @param least how many features there are at least
   */
  static LibSvmTable open(
      SparkSession spark, InputFiles files, String label, boolean wide, int least) {
    JavaRDD<LibSvmLine> lines =
        InputFiles.reader(spark)
            .textFile(files.paths())
            .javaRDD()
            .flatMap(
                line -> {
                  LibSvmLine parsed = LibSvmLine.parse(line);
                  return parsed == null
                      ? Collections.emptyIterator()
                      : Collections.singleton(parsed).iterator();
                });
    int found = size(files, lines);
    int size = Math.max(least, found);
    StructType type = new StructType().add(label, DataTypes.DoubleType);
    JavaRDD<Row> rows;
    if (wide) {
      for (int j = 1; j <= size; j++) {
        type = type.add(VECTOR + j, DataTypes.DoubleType);
      }
      rows = lines.map(line -> wide(line, size));
    } else {
      type = type.add(VECTOR, VectorCell.TYPE);
      rows =
          lines.map(
              line ->
                  RowFactory.create(
                      line.label(), VectorCell.sparse(size, line.indices(), line.values())));
    }
    return new LibSvmTable(files, label, spark.createDataFrame(rows, type));
  }

  private static int size(InputFiles files, JavaRDD<LibSvmLine> lines) {
    try {
      return lines.map(LibSvmLine::size).fold(0, Math::max);
    } catch (Exception e) { // Spark's own failures are checked, and not declared.
      String problem =
          Failures.cause(e, LibSvmLine.FormatException.class) == null ? null : malformed(files);
      if (problem == null) {
        throw e;
      }
      throw UserException.data(problem, e);
    }
  }

  private static Row wide(LibSvmLine line, int size) {
    double[] dense = line.dense(size);
    Object[] cells = new Object[size + 1];
    cells[0] = line.label();
    for (int j = 0; j < size; j++) {
      cells[j + 1] = dense[j];
    }
    return RowFactory.create(cells);
  }

  @Override
  public @Nullable String place(CellCondition test) {
    if (!test.column().equals(label)) {
      return null;
    }
    return search(
        files,
        (line, where) -> {
          LibSvmLine parsed = LibSvmLine.parse(line);
          return parsed != null && test.matches(Double.toString(parsed.label())) ? where : null;
        });
  }

  @Override
  public @Nullable String malformed() {
    return malformed(files);
  }

  private static @Nullable String malformed(InputFiles files) {
    return search(
        files,
        (line, where) -> {
          try {
            LibSvmLine.parse(line);
            return null;
          } catch (LibSvmLine.FormatException e) {
            return where + ": " + e.getMessage();
          }
        });
  }

  private interface Finding {
    @Nullable String in(String line, String where);
  }

  private static @Nullable String search(InputFiles files, Finding finding) {
    return files.search(
        (reader, file) -> {
          String found = null;
          long number = 1;
          for (String line = reader.readLine(); line != null && found == null; number++) {
            found = finding.in(line, file + ", line " + number);
            line = reader.readLine();
          }
          return found;
        });
  }
}
