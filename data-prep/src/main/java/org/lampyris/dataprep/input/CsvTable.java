package org.lampyris.dataprep.input;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
record CsvTable(InputFiles files, List<String> header, Content[] contents, Dataset<Row> rows)
    implements InputTable {
  private static final int SAMPLE = 10_000;

  /** What the cells of a column are. */
  private enum Content {
    NUMBER,
    DATE,
    TEXT
  }

  /**
   * Opens the table.
   *
   * @param text columns that are text whatever their cells look like
   * @param days whether columns of dates become numbers
   */
  static CsvTable open(SparkSession spark, InputFiles files, Set<String> text, boolean days) {
    try {
      List<String> header = header(files);
      Dataset<Row> raw = read(spark, files, header);
      Content[] contents = contents(files, header, text, days);
      return new CsvTable(files, header, contents, typed(raw, header, contents));
    } catch (IOException e) {
      throw StorageProblem.reading(files.input(), e);
    }
  }

  static List<String> header(InputFiles files) throws IOException {
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

  private static Content[] contents(
      InputFiles files, List<String> header, Set<String> text, boolean days) throws IOException {
    int[] numbers = new int[header.size()];
    int[] dates = new int[header.size()];
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
            dates[j] += days && counter == others && CellText.days(cell) != null ? 1 : 0;
          }
        }
        record = records.next();
      }
    }
    Content[] contents = new Content[header.size()];
    for (int j = 0; j < contents.length; j++) {
      if (text.contains(header.get(j))) {
        contents[j] = Content.TEXT;
      } else if (numbers[j] > others[j] || others[j] == 0) {
        contents[j] = Content.NUMBER;
      } else {
        contents[j] = dates[j] > (numbers[j] + others[j]) / 2 ? Content.DATE : Content.TEXT;
      }
    }
    return contents;
  }

  private static Dataset<Row> read(SparkSession spark, InputFiles files, List<String> header) {
    StructType strings = new StructType();
    for (int j = 0; j < header.size(); j++) {
      strings = strings.add("_" + j, DataTypes.StringType);
    }
    String[] paths = files.paths();
    boolean ofWideUnits = files.charset().name().matches("UTF-(16|32).*");
    if (!files.charset().equals(StandardCharsets.UTF_8)) {
      // Spark knows seven character sets by itself, and those of Java, windows-1252 among them, so.
      spark.conf().set("spark.sql.legacy.javaCharsets", true);
    }
    boolean quotedNewline = !ofWideUnits && oddLine(spark, paths, files);
    return InputFiles.reader(spark)
        .schema(strings)
        .option("header", true)
        .option("quote", "\"")
        .option("escape", "\"")
        .option("mode", "FAILFAST")
        .option("columnPruning", false)
        .option("maxColumns", Math.max(20_480, header.size() + 1))
        // Files that cannot be split lose nothing by being read as one piece. Others are read
        // line by line, in parallel, unless some line ends inside of quotes.
        .option("multiLine", files.unsplittable() || ofWideUnits || quotedNewline)
        .option("encoding", files.charset().name())
        .csv(paths);
  }

  /**
   * Returns whether some line ends inside of quotes.
   *
   * @throws UserException (data) if the text is to be UTF-8 and some line is not: Spark would read
   *     each byte that is none as one and the same character, and make one level of two
   */
  private static boolean oddLine(SparkSession spark, String[] paths, InputFiles files) {
    Column line = functions.col("value");
    Column quotes =
        functions
            .length(line)
            .minus(
                functions.length(functions.replace(line, functions.lit("\""), functions.lit(""))));
    Column quoted = quotes.mod(2).equalTo(1);
    Column foreign =
        files.charset().equals(StandardCharsets.UTF_8)
            ? functions.not(functions.is_valid_utf8(line))
            : functions.lit(false);
    Dataset<Row> lines = InputFiles.reader(spark).text(paths);
    if (files.unsplittable()) {
      requireUtf8(lines.filter(foreign), files);
      return false;
    }
    Dataset<Row> odd = lines.filter(quoted.or(foreign));
    if (odd.isEmpty()) {
      return false;
    }
    requireUtf8(odd.filter(foreign), files);
    return true;
  }

  private static void requireUtf8(Dataset<Row> foreign, InputFiles files) {
    String place = foreign.isEmpty() ? null : files.notUtf8();
    if (place != null) {
      throw UserException.data(
          place
              + ", which is not UTF-8 there; save the file as UTF-8, or name its encoding, as in"
              + " data.encoding: windows-1252, ISO-8859-1 or UTF-16");
    }
  }

  private static Dataset<Row> typed(Dataset<Row> raw, List<String> header, Content[] contents) {
    Column[] columns = new Column[contents.length];
    for (int j = 0; j < contents.length; j++) {
      Column cell = functions.col("_" + j);
      String name = header.get(j);
      columns[j] =
          (contents[j] == Content.TEXT
                  ? cell
                  : functions
                      .udf(new NumberOf(name, contents[j] == Content.DATE), DataTypes.DoubleType)
                      .apply(cell))
              .as(name);
    }
    return raw.select(columns);
  }

  /**
   * Thrown by a task that meets text where a number, or a date, is due; the driver then looks for
   * its line.
   */
  static final class NotANumber extends RuntimeException {
    final String column;
    final String text;
    final boolean date;

    NotANumber(String column, String text, boolean date) {
      super("'" + text + "' in column '" + column + "' is not a " + (date ? "date" : "number"));
      this.column = column;
      this.text = text;
      this.date = date;
    }
  }

  /** Reads a cell of a column of numbers, or of dates. */
  private record NumberOf(String column, boolean date)
      implements UDF1<@Nullable String, @Nullable Double> {
    @Override
    public @Nullable Double call(@Nullable String cell) {
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      Double number = date ? CellText.days(cell) : CellText.number(cell);
      if (number == null) {
        throw new NotANumber(column, cell, date);
      }
      return number;
    }
  }

  @Override
  public @Nullable String place(CellCondition test) {
    int column = header.indexOf(test.column());
    if (column < 0
        || (test.kind() == CellCondition.Kind.NOT_A_NUMBER && contents[column] != Content.NUMBER)) {
      return null;
    }
    int other =
        test.kind() == CellCondition.Kind.ABOVE ? header.indexOf(String.valueOf(test.text())) : -1;
    return search(
        (record, where) ->
            record.size() > Math.max(column, other)
                    && (other < 0
                        ? test.matches(record.get(column))
                        : CellCondition.isAbove(record.get(column), record.get(other)))
                ? where
                : null);
  }

  @Override
  public @Nullable String malformed() {
    return search(
        (record, where) ->
            record.size() == header.size()
                ? null
                : "%s has %s cell%s where the header names %s"
                    .formatted(where, record.size(), record.size() == 1 ? "" : "s", header.size()));
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
