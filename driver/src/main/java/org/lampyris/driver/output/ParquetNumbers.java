package org.lampyris.driver.output;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.ParquetFile;

/**
 * A folder of Parquet files of numbers, yes being 1 and no 0, read in the driver, row by row.
 * Spark's plan of such a read is quadratic in the columns: 320 rows of 2,495 took 20 s by it, and
 * take 1 s so.
 *
 * @param files in the order of their names
 * @param columns the columns of the first file, which all files have
 */
public record ParquetNumbers(Configuration conf, List<Path> files, List<String> columns) {
  private static final Set<PrimitiveTypeName> NUMBERS =
      Set.of(
          PrimitiveTypeName.DOUBLE,
          PrimitiveTypeName.FLOAT,
          PrimitiveTypeName.INT32,
          PrimitiveTypeName.INT64,
          PrimitiveTypeName.BOOLEAN);

  /** Opens a folder; it may hold no file, and has no columns then. */
  public static ParquetNumbers open(Configuration conf, Path folder) throws IOException {
    List<Path> files =
        Arrays.stream(folder.getFileSystem(conf).listStatus(folder))
            .filter(FileStatus::isFile)
            .map(FileStatus::getPath)
            .filter(file -> !file.getName().startsWith("_") && !file.getName().startsWith("."))
            .sorted()
            .toList();
    return new ParquetNumbers(
        conf,
        files,
        files.isEmpty()
            ? List.of()
            : fields(conf, files.get(0)).stream().map(Type::getName).toList());
  }

  private static List<Type> fields(Configuration conf, Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFile.open(file, conf)) {
      return reader.getFileMetaData().getSchema().getFields();
    }
  }

  /** Returns the types of columns of the first file, of numbers or not. */
  public MessageType types(List<String> wanted) throws IOException {
    List<Type> all = fields(conf, files.get(0));
    return new MessageType(
        "columns", wanted.stream().map(name -> all.get(columns.indexOf(name))).toList());
  }

  /**
   * Reads columns of all files.
   *
   * @param each is given the cells of a row, in the order of the columns named; its to keep
   * @throws UserException (data) if a file has no such column, or a cell is no number
   */
  public void read(List<String> wanted, Consumer<double[]> each) throws IOException {
    for (Path file : files) {
      read(file, wanted, each);
    }
  }

  /**
   * Reads columns of a file.
   *
   * @param each as for all files
   * @throws UserException as for all files
   */
  public void read(Path file, List<String> wanted, Consumer<double[]> each) throws IOException {
    read(file, wanted, false, each);
  }

  /**
   * Reads columns of a file, in which cells may be missing.
   *
   * @param each as for all files; NaN is what is missing
   * @throws UserException (data) if the file has no such column, or one of something else
   */
  public void readWithGaps(Path file, List<String> wanted, Consumer<double[]> each)
      throws IOException {
    read(file, wanted, true, each);
  }

  private void read(Path file, List<String> wanted, boolean gaps, Consumer<double[]> each)
      throws IOException {
    Cells cells = new Cells(file, wanted);
    try (ParquetReader<double[]> reader = ParquetFile.reader(file, conf, cells).build()) {
      for (double[] row = reader.read(); row != null; row = reader.read()) {
        // Here: what is thrown while the library makes a record, it wraps.
        if (!gaps) {
          cells.requireAll();
        }
        each.accept(row);
      }
    }
  }

  /** Selected cells of a row of a file. */
  private static final class Cells extends ReadSupport<double[]> {
    private final Path file;
    private final List<String> wanted;
    private final List<Cell> row;

    Cells(Path file, List<String> wanted) {
      this.file = file;
      this.wanted = wanted;
      this.row = wanted.stream().map(column -> new Cell()).toList();
    }

    @Override
    public ReadContext init(InitContext context) {
      MessageType all = context.getFileSchema();
      for (String column : wanted) {
        if (!all.containsField(column)) {
          throw UserException.data(file + " has no column \"" + column + "\".");
        }
        Type type = all.getType(column);
        if (!type.isPrimitive()
            || !NUMBERS.contains(type.asPrimitiveType().getPrimitiveTypeName())) {
          throw noNumber(column);
        }
      }
      return new ReadContext(
          new MessageType(all.getName(), wanted.stream().map(all::getType).toList()));
    }

    @Override
    @SuppressWarnings("deprecation") // the only one that is abstract
    public RecordMaterializer<double[]> prepareForRead(
        Configuration configuration,
        Map<String, String> metadata,
        MessageType schema,
        ReadContext context) {
      return new RecordMaterializer<>() {
        @Override
        public double[] getCurrentRecord() {
          double[] cells = new double[row.size()];
          for (int j = 0; j < cells.length; j++) {
            cells[j] = row.get(j).value;
          }
          return cells;
        }

        @Override
        public GroupConverter getRootConverter() {
          return root();
        }
      };
    }

    private GroupConverter root() {
      return new GroupConverter() {
        @Override
        public Converter getConverter(int column) {
          return row.get(column);
        }

        @Override
        public void start() {
          row.forEach(Cell::clear);
        }

        @Override
        public void end() {}
      };
    }

    /** Checks that all cells are numbers. */
    void requireAll() {
      for (int j = 0; j < row.size(); j++) {
        if (!row.get(j).filled) {
          throw noNumber(wanted.get(j));
        }
      }
    }

    private UserException noNumber(String column) {
      return UserException.data(
          file + ": the column \"" + column + "\" holds a value that is not a number.");
    }
  }

  private static final class Cell extends PrimitiveConverter {
    private double value;
    private boolean filled;

    private void clear() {
      value = Double.NaN;
      filled = false;
    }

    private void set(double number) {
      value = number;
      filled = true;
    }

    @Override
    public void addDouble(double number) {
      set(number);
    }

    @Override
    public void addFloat(float number) {
      set(number);
    }

    @Override
    public void addInt(int number) {
      set(number);
    }

    @Override
    public void addLong(long number) {
      set((double) number);
    }

    @Override
    public void addBoolean(boolean yes) {
      set(yes ? 1 : 0);
    }
  }
}
