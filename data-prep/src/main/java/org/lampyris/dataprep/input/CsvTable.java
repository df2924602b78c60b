package org.lampyris.dataprep.input;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;

/**
 * A table in CSV: comma-separated, with a header, quoted as RFC 4180 says, compressed or not.
 *
 * <p>Columns are numeric or text. A column is numeric if more than half of its cells among the
 * first {@value #SAMPLE} records are numbers, and then every cell must be one; Spark's own
 * inference would turn a column of numbers into text, and so into categories, because of a single
 * bad cell.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CsvTable(InputFiles files, List<String> header, boolean[] numeric, Dataset<Row> rows)
    implements InputTable {
  private static final int SAMPLE = 10_000;

  /**
   * Opens the table.
   *
   * @param text columns that are text whatever their cells look like
   */
  static CsvTable open(SparkSession spark, InputFiles files, Set<String> text) {
    try {
      List<String> header = header(files);
      boolean[] numeric = numericColumns(files, header, text);
      return new CsvTable(
          files, header, numeric, typed(read(spark, files, header), header, numeric));
    } catch (IOException e) {
      throw StorageProblem.reading(files.input(), e);
    }
  }

  private static List<String> header(InputFiles files) throws IOException {
    List<String> header = null;
    for (Path file : files.files()) {
      try (CsvRecords records = new CsvRecords(files.open(file))) {
        List<String> own = records.next();
        if (own == null) {
          continue;
        }
        if (header != null && !own.equals(header)) {
          throw UserException.data(
              ("the header of %s differs from that of %s; all files of an input have the"
                      + " same columns in the same order")
                  .formatted(files.display(file), files.display(files.files().get(0))));
        }
        header = own;
      }
    }
    if (header == null) {
      throw UserException.data(
          files.input() + " is empty: it has neither a header nor rows; check data.input");
    }
    return header;
  }

  private static boolean[] numericColumns(InputFiles files, List<String> header, Set<String> text)
      throws IOException {
    int[] numbers = new int[header.size()];
    int[] others = new int[header.size()];
    try (CsvRecords records = new CsvRecords(files.open(files.files().get(0)))) {
      records.next();
      List<String> record = records.next();
      for (int n = 0; n < SAMPLE && record != null; n++) {
        for (int j = 0; j < Math.min(header.size(), record.size()); j++) {
          String cell = record.get(j);
          if (!CellText.isMissing(cell)) {
            int[] counter = CellText.number(cell) == null ? others : numbers;
            counter[j]++;
          }
        }
        record = records.next();
      }
    }
    boolean[] numeric = new boolean[header.size()];
    for (int j = 0; j < numeric.length; j++) {
      numeric[j] = numbers[j] >= others[j] && !text.contains(header.get(j));
      numeric[j] &= numbers[j] > others[j] || others[j] == 0;
    }
    return numeric;
  }

  private static Dataset<Row> read(SparkSession spark, InputFiles files, List<String> header) {
    StructType strings = new StructType();
    for (int j = 0; j < header.size(); j++) {
      strings = strings.add("_" + j, DataTypes.StringType);
    }
    String[] paths = files.files().stream().map(Path::toString).toArray(String[]::new);
    return spark
        .read()
        .schema(strings)
        .option("header", true)
        .option("quote", "\"")
        .option("escape", "\"")
        .option("mode", "FAILFAST")
        .option("columnPruning", false)
        .option("maxColumns", Math.max(20_480, header.size() + 1))
        // Files that cannot be split lose nothing by being read as one piece. Others are read
        // line by line, in parallel, unless some line ends inside of quotes.
        .option("multiLine", files.unsplittable() || hasQuotedNewline(spark, paths))
        .csv(paths);
  }

  private static boolean hasQuotedNewline(SparkSession spark, String[] paths) {
    Column line = functions.col("value");
    Column quotes =
        functions
            .length(line)
            .minus(
                functions.length(functions.replace(line, functions.lit("\""), functions.lit(""))));
    return !spark.read().text(paths).filter(quotes.mod(2).equalTo(1)).isEmpty();
  }

  private static Dataset<Row> typed(Dataset<Row> raw, List<String> header, boolean[] numeric) {
    Column[] columns = new Column[numeric.length];
    for (int j = 0; j < numeric.length; j++) {
      Column cell = functions.col("_" + j);
      String name = header.get(j);
      columns[j] =
          (numeric[j] ? functions.udf(new NumberOf(name), DataTypes.DoubleType).apply(cell) : cell)
              .as(name);
    }
    return raw.select(columns);
  }

  /** Thrown by a task that meets text where a number is due; the driver then looks for its line. */
  static final class NotANumber extends RuntimeException {
    final String column;
    final String text;

    NotANumber(String column, String text) {
      super("'" + text + "' in column '" + column + "' is not a number");
      this.column = column;
      this.text = text;
    }
  }

  /** Reads a cell of a numeric column. */
  private record NumberOf(String column) implements UDF1<@Nullable String, @Nullable Double> {
    @Override
    public @Nullable Double call(@Nullable String cell) {
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      Double number = CellText.number(cell);
      if (number == null) {
        throw new NotANumber(column, cell);
      }
      return number;
    }
  }

  @Override
  public @Nullable String place(CellCondition test) {
    int column = header.indexOf(test.column());
    if (column < 0 || (test.kind() == CellCondition.Kind.NOT_A_NUMBER && !numeric[column])) {
      return null;
    }
    return search(
        (record, where) ->
            record.size() > column && test.matches(record.get(column)) ? where : null);
  }

  @Override
  public @Nullable String malformed() {
    return search(
        (record, where) ->
            record.size() == header.size()
                ? null
                : where
                    + " has "
                    + record.size()
                    + (record.size() == 1 ? " cell" : " cells")
                    + " where the header names "
                    + header.size());
  }

  private interface Finding {
    @Nullable String in(List<String> record, String where);
  }

  private @Nullable String search(Finding finding) {
    return files.search(
        (reader, file) -> {
          CsvRecords records = new CsvRecords(reader);
          records.next();
          String found = null;
          for (var record = records.next(); record != null && found == null; ) {
            found = finding.in(record, file + ", line " + records.line());
            record = records.next();
          }
          return found;
        });
  }
}
