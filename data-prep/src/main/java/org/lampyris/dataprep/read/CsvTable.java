package org.lampyris.dataprep.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.StorageProblem;

/**
 * Table in CSV: comma-separated unless {@code data.csv} sets otherwise, with a header, quoted as in
 * RFC 4180, compressed or not. Folders such as {@code store=01/} give a column more.
 *
 * <p>Columns are numeric or text. A column is numeric if more than half of its cells among the
 * first {@value #SAMPLE} records are numbers, including some from every file; then every cell must
 * be one. Spark's inference would turn a numeric column into text, and so into categories, because
 * of one bad cell. A numeric column whose values are only compared is read as keys, {@link
 * CellText#key}, so that no digit and no zero is lost.
 *
 * @param header the names in the files
 * @param readings how each column is read, with folders' columns last
 */
record CsvTable(
    InputFiles files,
    Source.Csv csv,
    List<String> header,
    List<Reading> readings,
    List<String> notes,
    Dataset<Row> rows)
    implements InputTable {
  private static final int SAMPLE = 10_000;

  /** Largest number of digits in Spark's decimals. */
  static final int MOST_DIGITS = DecimalType.MAX_PRECISION();

  private static final double WHOLE_LIMIT = 1e38;

  /** The metadata of a column of text whose cells seem to be numbers that are the same as text. */
  private static final String NUMBERS = "numbers";

  /** How the cells of a column are read. */
  enum Reading {
    /** Doubles. */
    NUMBER,
    /** Doubles without loss of digits. */
    EXACT,
    /** Doubles without loss of digits or leading zeros. */
    CODE,
    /** Whole numbers of up to 38 digits. */
    WHOLE,
    /** Days since 1970-01-01. */
    DATE,
    /** Text, unchanged. */
    TEXT,
    /** Text as keys: {@link CellText#key}. */
    KEY;

    boolean isNumeric() {
      return this == NUMBER || this == EXACT || this == CODE || this == WHOLE;
    }
  }

  /**
   * Purposes of columns.
   *
   * @param uses which are compared, and which are numbers
   * @param text those that are text whatever their cells look like
   * @param known whether an earlier table has the keys already, so that cells are not changed
   * @param shaped whether a query stands between these columns and the table
   * @param days whether columns of dates become numbers
   */
  record Purpose(Columns.Uses uses, Set<String> text, boolean known, boolean shaped, boolean days) {
    /** Returns whether cells are read as text only because they are compared. */
    boolean comparesNumbers(String column, Reading reading, Source.Csv csv) {
      return (reading == Reading.KEY || (reading == Reading.TEXT && known))
          && !shaped
          && !text.contains(column)
          && uses.comparesOnly(column)
          && !csv.types().containsKey(column);
    }
  }

  /** Opens the table. */
  static CsvTable open(SparkSession spark, InputFiles files, Source.Csv csv, Purpose purpose) {
    try {
      CsvSample sample = sample(files, csv, purpose);
      List<String> header = sample.header;
      Dataset<Row> raw = read(spark, files, csv, header, sample.folders);
      List<Reading> readings = new ArrayList<>();
      List<String> notes = new ArrayList<>();
      Column[] columns = new Column[sample.names().size()];
      for (int j = 0; j < columns.length; j++) {
        String name = sample.names().get(j);
        Reading reading = sample.reading(j, csv, purpose);
        readings.add(reading);
        Column cell = InputColumns.column(j < header.size() ? "_" + j : name);
        Column typed = typed(cell, name, reading, csv);
        columns[j] =
            purpose.comparesNumbers(name, reading, csv) && sample.arePlain(j)
                ? typed.as(name, new MetadataBuilder().putBoolean(NUMBERS, true).build())
                : typed.as(name);
        if (purpose.shaped && reading.isNumeric() && sample.arePadded(j)) {
          notes.add(
              "column '%s' has numbers with leading zeros, which data.query reads as numbers (007 is 7). To keep the zeros, set data.csv.types: {%1$s: text}."
                  .formatted(name));
        }
      }
      return new CsvTable(files, csv, header, readings, notes, raw.select(columns));
    } catch (IOException e) {
      throw StorageProblem.reading(files.input(), e);
    }
  }

  /** Takes a sample of files whose columns have the names that are configured. */
  private static CsvSample sample(InputFiles files, Source.Csv csv, Purpose purpose)
      throws IOException {
    CsvSample sample = CsvSample.of(files, csv, purpose.days, SAMPLE);
    if (!purpose.known) {
      for (String name : csv.types().keySet()) {
        if (!sample.names().contains(name)) {
          throw UserException.usage(
              "data.csv.types names '%s', which is no column of %s; %s"
                  .formatted(name, files.input(), NearestName.hint(name, sample.names())));
        }
      }
    }
    return sample;
  }

  /** Returns the columns of the rows of {@link #open}, without Spark. */
  static Glance.Types types(InputFiles files, Source.Csv csv, Purpose purpose) throws IOException {
    CsvSample sample = sample(files, csv, purpose);
    StructType types = new StructType();
    Map<String, String> odd = new HashMap<>();
    for (int j = 0; j < sample.names().size(); j++) {
      String name = sample.names().get(j);
      types =
          types.add(
              name,
              switch (sample.reading(j, csv, purpose)) {
                case NUMBER, EXACT, CODE, DATE -> DataTypes.DoubleType;
                case WHOLE -> DataTypes.createDecimalType(MOST_DIGITS, 0);
                case KEY, TEXT -> DataTypes.StringType;
              });
      String cell = sample.odd(j);
      if (cell != null) {
        odd.put(name, cell);
      }
    }
    return new Glance.Types(sample.names(), types, odd);
  }

  private static Dataset<Row> read(
      SparkSession spark,
      InputFiles files,
      Source.Csv csv,
      List<String> header,
      Map<String, Set<String>> folders)
      throws IOException {
    StructType strings = new StructType();
    for (int j = 0; j < header.size(); j++) {
      strings = strings.add("_" + j, DataTypes.StringType);
    }
    for (String name : folders.keySet()) {
      strings = strings.add(name, DataTypes.StringType);
    }
    String[] paths = files.paths();
    boolean ofWideUnits = files.charset().name().matches("UTF-(16|32).*");
    if (!files.charset().equals(StandardCharsets.UTF_8)) {
      // Spark knows seven character sets by itself, and those of Java, windows-1252 among them, so.
      spark.conf().set("spark.sql.legacy.javaCharsets", true);
    }
    boolean quotedNewline = !ofWideUnits && oddLine(spark, files);
    DataFrameReader reader = InputFiles.reader(spark).schema(strings);
    if (!folders.isEmpty()) {
      if (files.roots().size() > 1) {
        throw UserException.usage(
            "data.input %s matches several folders that contain folders of columns (%s). Name their parent folder instead."
                .formatted(files.input(), String.join(", ", folders.keySet())));
      }
      reader = reader.option("basePath", files.roots().get(0).toString());
    }
    return reader
        .option("header", true)
        .option("sep", csv.separator())
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
   * @throws UserException (data) if UTF-8 is expected but some line is not: Spark would read each
   *     invalid byte as the same character, and merge levels
   */
  private static boolean oddLine(SparkSession spark, InputFiles files) throws IOException {
    OddLines look = new OddLines(files.charset().equals(StandardCharsets.UTF_8));
    int found = files.areSmall() ? look.here(files) : look.by(spark, files);
    String place = (found & OddLines.FOREIGN) == 0 ? null : files.notUtf8();
    if (place != null) {
      throw UserException.data(
          place
              + ", which is not UTF-8 there. Save the file as UTF-8, or set its encoding:"
              + " data.encoding: windows-1252, ISO-8859-1 or UTF-16.");
    }
    return found != 0 && !files.unsplittable();
  }

  private static Column typed(Column cell, String name, Reading reading, Source.Csv csv) {
    return switch (reading) {
      case NUMBER, EXACT, CODE, DATE ->
          functions.udf(new NumberOf(name, reading, csv), DataTypes.DoubleType).apply(cell);
      case WHOLE ->
          functions
              .udf(new WholeOf(name, csv), DataTypes.createDecimalType(MOST_DIGITS, 0))
              .apply(cell);
      case KEY -> functions.udf(new TextOf(csv, true, true), DataTypes.StringType).apply(cell);
      case TEXT -> {
        boolean plain = csv.writesNumbersOtherwise() && !csv.types().containsKey(name);
        yield csv.na().isEmpty() && !plain
            ? cell
            : functions.udf(new TextOf(csv, plain, false), DataTypes.StringType).apply(cell);
      }
    };
  }

  /**
   * Returns what {@link #typed} computes of a cell.
   *
   * @param reading none of {@link Reading#WHOLE}
   */
  static UDF1<@Nullable String, ? extends @Nullable Object> reader(
      String name, Reading reading, Source.Csv csv) {
    boolean text = reading == Reading.TEXT && csv.types().containsKey(name);
    return switch (reading) {
      case NUMBER, EXACT, CODE, DATE, WHOLE -> new NumberOf(name, reading, csv);
      case KEY -> new TextOf(csv, true, true);
      case TEXT ->
          csv.na().isEmpty() && (text || !csv.writesNumbersOtherwise())
              ? cell -> cell
              : new TextOf(csv, !text, false);
    };
  }

  /**
   * Returns the columns of a table as its files have them. Columns that are text only for
   * comparison become numbers again, if that changes nothing.
   */
  static Column[] own(Dataset<Row> table) {
    return Arrays.stream(table.schema().fields())
        .map(
            field -> {
              Column column = InputColumns.column(field.name());
              return field.metadata().contains(NUMBERS)
                  ? typed(column, field.name(), Reading.CODE, Source.Csv.DEFAULT).as(field.name())
                  : column;
            })
        .toArray(Column[]::new);
  }

  /**
   * Thrown by a task that reads text instead of a number or a date; the driver then looks for its
   * line.
   */
  static final class NotANumber extends RuntimeException {
    final String column;
    final String text;
    final Fault fault;

    /** Kind of fault. */
    enum Fault {
      NUMBER,
      DATE,
      DIGITS,
      ZEROS
    }

    NotANumber(String column, String text, Fault fault) {
      super("'" + text + "' in column '" + column + "' cannot be read: " + fault);
      this.column = column;
      this.text = text;
      this.fault = fault;
    }
  }

  /** Reads a cell of a column of numbers, or of dates. */
  private record NumberOf(String column, Reading reading, Source.Csv csv)
      implements UDF1<@Nullable String, @Nullable Double> {
    @Override
    public @Nullable Double call(@Nullable String raw) {
      String cell = raw == null ? null : csv.cell(raw);
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      boolean date = reading == Reading.DATE;
      Double number = date ? CellText.days(cell) : csv.number(cell);
      if (number == null) {
        throw new NotANumber(column, cell, date ? NotANumber.Fault.DATE : NotANumber.Fault.NUMBER);
      }
      if (reading == Reading.EXACT || reading == Reading.CODE) {
        requireAll(cell);
      }
      return number;
    }

    private void requireAll(String cell) {
      String plain = String.valueOf(csv.plain(cell)).strip();
      if (CellText.losesDigits(plain)) {
        throw new NotANumber(column, cell, NotANumber.Fault.DIGITS);
      }
      if (reading == Reading.CODE && CellText.isPadded(plain)) {
        throw new NotANumber(column, cell, NotANumber.Fault.ZEROS);
      }
    }
  }

  /** Reads a cell of a column of whole numbers. */
  private record WholeOf(String column, Source.Csv csv)
      implements UDF1<@Nullable String, @Nullable BigDecimal> {
    @Override
    public @Nullable BigDecimal call(@Nullable String raw) {
      String cell = raw == null ? null : csv.cell(raw);
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      Double number = csv.number(cell);
      if (number == null || !Double.isFinite(number)) {
        throw new NotANumber(column, cell, NotANumber.Fault.NUMBER);
      }
      BigDecimal exact = new BigDecimal(String.valueOf(csv.plain(cell)).strip());
      if (Math.abs(number) >= WHOLE_LIMIT || exact.stripTrailingZeros().scale() > 0) {
        throw new NotANumber(column, cell, NotANumber.Fault.DIGITS);
      }
      return exact.setScale(0);
    }
  }

  /** Reads a cell of a column of text, or of keys. */
  private record TextOf(Source.Csv csv, boolean plainNumbers, boolean asKey)
      implements UDF1<@Nullable String, @Nullable String> {
    @Override
    public @Nullable String call(@Nullable String raw) {
      String cell = raw == null ? null : csv.cell(raw);
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      String plain = plainNumbers ? csv.plain(cell) : null;
      String text = plain == null || CellText.number(plain) == null ? cell : plain;
      return asKey ? CellText.key(text) : text;
    }
  }

  @Override
  public @Nullable String place(CellCondition test) {
    int column = header.indexOf(test.column());
    if (column < 0
        || (test.kind() == CellCondition.Kind.NOT_A_NUMBER && !readings.get(column).isNumeric())) {
      return null;
    }
    boolean several = test.isOfSeveral();
    int other = several ? header.indexOf(String.valueOf(test.text())) : column;
    int third = test.third() == null ? column : header.indexOf(String.valueOf(test.third()));
    if (other < 0 || third < 0) {
      return null;
    }
    return search(
        (record, where) -> {
          if (record.size() <= Math.max(column, Math.max(other, third))) {
            return null;
          }
          String cell = shown(record.get(column));
          boolean found =
              several
                  ? test.matches(cell, shown(record.get(other)), shown(record.get(third)))
                  : test.matches(cell);
          return found ? test.at(where, cell, several ? shown(record.get(other)) : null) : null;
        });
  }

  /** Returns a cell as it would be in a standard CSV. */
  private String shown(String cell) {
    String plain = csv.plain(csv.cell(cell));
    return plain != null ? plain : CellText.number(cell) == null ? cell : "'" + cell + "'";
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
          CsvRecords records = new CsvRecords(reader, csv.separator());
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
