package org.lampyris.dataprep.read;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;

/**
 * Translation of Spark's exceptions into problems that the user can mend.
 *
 * @param source the path and the query
 * @param table the input, where it has been opened
 * @param output the folder that is written
 */
@SuppressWarnings("deprecation") // Spark 3.5 knows getErrorClass alone
record Failures(Source source, @Nullable InputTable table, String output) {
  private static final String OTHER_TYPE = "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH";

  /** Returns the first cause of a class, or null. */
  static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }

  /**
   * Returns the problem as the user can mend it.
   *
   * @throws RuntimeException the failure itself if it is none of theirs
   */
  UserException explain(Exception failure) {
    UserException known = cause(failure, UserException.class);
    if (known != null) {
      return known;
    }
    CsvTable.NotANumber cell = cause(failure, CsvTable.NotANumber.class);
    if (cell != null) {
      return notANumber(cell);
    }
    UserException storage = StorageProblem.known(output, "read the input or to write", failure);
    if (storage != null) {
      return storage;
    }
    String input = String.valueOf(source.input());
    String condition = condition(failure);
    if (condition.startsWith("MALFORMED_RECORD") || condition.startsWith("MALFORMED_CSV")) {
      String problem = table == null ? null : table.malformed();
      return UserException.data(
          (problem == null ? input + " holds a record that is not CSV" : problem)
              + "; correct the file (put cells with %s or line breaks in double quotes)"
                  .formatted(source.csv().separator().equals(",") ? "commas" : "separators"),
          failure);
    }
    if (source.query() != null && isQueryFault(failure, condition)) {
      return UserException.data(
          "data.query fails on a row of " + input + ": " + firstLine(failure), failure);
    }
    if (condition.equals(OTHER_TYPE)) {
      return otherType(input, failure);
    }
    if (cause(failure, IOException.class) != null || condition.startsWith("FAILED_READ_FILE")) {
      return StorageProblem.reading(input, failure);
    }
    if (failure instanceof RuntimeException runtime) {
      throw runtime;
    }
    throw new IllegalStateException(failure);
  }

  /** Reports the file with a column of another type than in Spark's schema. */
  private static UserException otherType(String input, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SparkThrowable spark && OTHER_TYPE.equals(spark.getErrorClass())) {
        Map<String, String> of = spark.getMessageParameters();
        return UserException.data(
            "%s: the column %s has the Parquet type %s, but %s in other files of the input. Write all files with one type."
                .formatted(
                    String.valueOf(of.get("path")).replaceFirst("^file:(//)?", ""),
                    String.valueOf(of.get("column")).replaceAll("^\\[|\\]$", "'"),
                    of.get("actualType"),
                    of.get("expectedType")),
            failure);
      }
    }
    return StorageProblem.reading(input, failure);
  }

  private UserException notANumber(CsvTable.NotANumber cell) {
    String place = place(CellCondition.ofText(cell.column, cell.text));
    if (place == null && cell.fault == CsvTable.NotANumber.Fault.NUMBER) {
      place = place(CellCondition.of(cell.column, CellCondition.Kind.NOT_A_NUMBER));
    }
    String text = "data.csv.types: {%s: text}".formatted(cell.column);
    String problem =
        switch (cell.fault) {
          case NUMBER ->
              "which is not a number; %scorrect the cell. If the values are categories, name the column in data.categorical. %s reads all of its cells as text."
                  .formatted(comma(cell.text), text);
          case DATE ->
              "which is not a date such as 2024-02-29. Correct the cell. If the values are"
                  + " categories, name the column in data.categorical.";
          case DIGITS ->
              "which has more digits than a number of 64 bits, so the column may be a key. Set %s, or number instead of text if the last digits do not matter."
                  .formatted(text);
          case ZEROS ->
              "which has leading zeros, so the column is a key. Set %s, or number instead of text if zeros do not matter."
                  .formatted(text);
        };
    return UserException.data(
        "%s: column '%s' holds '%s', %s"
            .formatted(place == null ? source.input() : place, cell.column, cell.text, problem),
        cell);
  }

  private @Nullable String place(CellCondition test) {
    return table == null ? null : table.place(test);
  }

  /** Explains possible meanings of commas in a number. */
  private static String comma(String text) {
    return text.strip().matches("[-+]?\\d+(,\\d+)+(\\.\\d*)?")
        ? "set data.csv.thousands: \",\" if commas separate thousands, or data.csv.decimal: \",\""
            + " if they are decimal commas; otherwise "
        : "";
  }

  /** Returns the name of Spark's error condition, outermost first that is not a mere wrapping. */
  private static String condition(Throwable failure) {
    String found = "";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SparkThrowable spark && spark.getErrorClass() != null) {
        found = spark.getErrorClass();
        if (found.startsWith("MALFORMED")) {
          return found;
        }
      }
    }
    return found;
  }

  private static boolean isQueryFault(Throwable failure, String condition) {
    return cause(failure, SparkArithmeticException.class) != null
        || cause(failure, AnalysisException.class) != null
        || condition.startsWith("CAST_")
        || condition.startsWith("INVALID_ARRAY_INDEX")
        || condition.startsWith("DIVIDE_BY_ZERO")
        || condition.startsWith("ARITHMETIC_OVERFLOW");
  }

  /** Returns the first non-blank line of the innermost message. */
  static String firstLine(Throwable failure) {
    Throwable t = failure;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return String.valueOf(t.getMessage())
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }
}
