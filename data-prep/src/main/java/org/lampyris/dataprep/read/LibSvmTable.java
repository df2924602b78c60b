package org.lampyris.dataprep.read;

import java.util.Collections;
import java.util.StringTokenizer;
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
 * <p>Its rows are either a label and one sparse vector "f" with elements f1 … fd, or, if a query or
 * the choice of features needs names, a label and the columns f1 … fd.
 */
record LibSvmTable(InputFiles files, String label, Dataset<Row> rows) implements InputTable {
  /** Name of the vector; element k is reported as this name and k, from 1. */
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
          String cell = parsed == null ? "" : CellText.level(parsed.label());
          return parsed != null && test.matches(cell) ? test.at(where, cell, null) : null;
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

  /**
   * A line of a LibSVM file: {@code label index:value index:value … # comment}, with indices from 1
   * in ascending order.
   *
   * @param indices the features that are not zero, from 0, ascending
   * @param values their values
   */
  private record LibSvmLine(double label, int[] indices, double[] values) {
    /** Largest index: scans keep arrays of this length, and a mode d² numbers. */
    private static final int MOST = 1_000_000;

    /**
     * Thrown by a task that meets a line which is not LibSVM; the driver then looks for its number.
     */
    static final class FormatException extends RuntimeException {
      FormatException(String message) {
        super(message);
      }
    }

    /**
     * Parses a line.
     *
     * @return the line's contents, or null if it is empty or a comment
     * @throws FormatException if it is something else
     */
    static @Nullable LibSvmLine parse(String line) {
      int comment = line.indexOf('#');
      StringTokenizer tokens =
          new StringTokenizer(comment < 0 ? line : line.substring(0, comment), " \t\r");
      if (!tokens.hasMoreTokens()) {
        return null;
      }
      double label = finite(tokens.nextToken(), "the label");
      int[] indices = new int[tokens.countTokens()];
      double[] values = new double[indices.length];
      int previous = 0;
      for (int k = 0; k < indices.length; k++) {
        String token = tokens.nextToken();
        int colon = token.indexOf(':');
        int index = index(token, colon);
        if (index <= previous) {
          throw new FormatException(
              "index " + index + " comes after " + previous + ": indices count from 1 and ascend");
        }
        if (index > MOST) {
          throw new FormatException(
              "index "
                  + index
                  + " is beyond "
                  + MOST
                  + ", more coefficients than a driver can hold");
        }
        previous = index;
        indices[k] = index - 1;
        values[k] = finite(token.substring(colon + 1), "the value of feature " + index);
      }
      return new LibSvmLine(label, indices, values);
    }

    private static int index(String token, int colon) {
      try {
        if (colon > 0) {
          return Integer.parseInt(token.substring(0, colon));
        }
      } catch (NumberFormatException e) {
        // Told below.
      }
      throw new FormatException("'" + token + "' does not have the form index:value");
    }

    private static double finite(String text, String what) {
      Double number = CellText.number(text);
      if (number == null || number.isNaN() || number.isInfinite()) {
        throw new FormatException(what + " is '" + text + "', which is not a finite number");
      }
      return number;
    }

    /** Returns how many features the line speaks of. */
    int size() {
      return indices.length == 0 ? 0 : indices[indices.length - 1] + 1;
    }

    /** Returns all features, zeros included. */
    double[] dense(int size) {
      double[] all = new double[size];
      for (int k = 0; k < indices.length; k++) {
        all[indices[k]] = values[k];
      }
      return all;
    }
  }
}
