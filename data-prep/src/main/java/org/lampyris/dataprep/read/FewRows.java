package org.lampyris.dataprep.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.api.java.UDF1;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CsvTable.NotANumber;
import org.lampyris.dataprep.read.Input.InputFormat;

/**
 * Small CSV of new rows on this machine, read in this process. Cells are what {@link CsvTable} has
 * Spark read. Faults of the table are left for Spark's reader, which names their places.
 *
 * @param names of the columns
 * @param numbers whether each column is written as numbers
 * @param own the cells by row and column as they are written: numbers, or text
 * @param cells the cells of each row as a model reads them, by column; without missing ones
 */
public record FewRows(
    List<String> names,
    List<Boolean> numbers,
    List<List<@Nullable Object>> own,
    List<Map<String, Object>> cells) {
  /** The size up to which a file is read here, in bytes. */
  private static final long LARGEST = 1 << 20;

  private static final int SAMPLE = 10_000;

  /**
   * Reads a table.
   *
   * @param columns what the columns of the earlier table are for
   * @param uses what is compared, and what is a number
   * @return null if Spark must read it: another format, a query, another file system, several
   *     files, more than 1 MiB, or a fault
   */
  public static @Nullable FewRows read(
      Source source, Columns columns, Columns.Uses uses, Configuration conf) {
    if (source.query() != null || source.encoding() != null) {
      return null;
    }
    try {
      InputFiles files =
          InputFiles.list(Objects.requireNonNull(source.input()), source.charset(), conf);
      Path file = files.files().get(0);
      if (InputFormat.tell(source.format(), files) != InputFormat.CSV
          || files.files().size() > 1
          || !files.partitions().isEmpty()
          || !(file.getFileSystem(conf) instanceof LocalFileSystem)
          || file.getFileSystem(conf).getFileStatus(file).getLen() > LARGEST) {
        return null;
      }
      boolean days = columns.rules().dates() == Columns.Dates.DAYS;
      CsvTable.Purpose purpose =
          new CsvTable.Purpose(uses, columns.categorical().keySet(), true, false, days);
      return read(files, file, source.csv(), purpose);
    } catch (NotANumber | UserException | IOException e) {
      return null;
    }
  }

  private static @Nullable FewRows read(
      InputFiles files, Path file, Source.Csv csv, CsvTable.Purpose purpose) throws IOException {
    CsvSample sample = CsvSample.of(files, csv, purpose.days(), SAMPLE);
    List<String> names = sample.names();
    List<Boolean> numbers = new ArrayList<>();
    List<UDF1<@Nullable String, ? extends @Nullable Object>> read = new ArrayList<>();
    List<UDF1<@Nullable String, ? extends @Nullable Object>> written = new ArrayList<>();
    for (int j = 0; j < names.size(); j++) {
      String name = names.get(j);
      CsvTable.Reading reading = sample.reading(j, csv, purpose);
      if (reading == CsvTable.Reading.WHOLE) {
        return null;
      }
      boolean plain = purpose.comparesNumbers(name, reading, csv) && sample.arePlain(j);
      read.add(CsvTable.reader(name, reading, csv));
      written.add(
          plain ? CsvTable.reader(name, CsvTable.Reading.CODE, Source.Csv.DEFAULT) : read.get(j));
      numbers.add(plain || reading.isNumeric() || reading == CsvTable.Reading.DATE);
    }
    FewRows rows = new FewRows(names, numbers, new ArrayList<>(), new ArrayList<>());
    try (CsvRecords records = new CsvRecords(files.open(file), csv.separator())) {
      records.next(); // the header
      for (List<String> record = records.next(); record != null; record = records.next()) {
        if (record.size() != names.size() || !rows.add(record, read, written)) {
          return null;
        }
      }
    }
    return rows;
  }

  /** Adds a record; returns whether all of its text was UTF-8. */
  private boolean add(
      List<String> record,
      List<UDF1<@Nullable String, ? extends @Nullable Object>> read,
      List<UDF1<@Nullable String, ? extends @Nullable Object>> written)
      throws IOException {
    List<@Nullable Object> out = new ArrayList<>();
    Map<String, Object> in = new HashMap<>();
    for (int j = 0; j < record.size(); j++) {
      String text = record.get(j);
      if (text.indexOf('\uFFFD') >= 0) {
        return false;
      }
      Object cell = cell(read.get(j), text);
      out.add(read.get(j) == written.get(j) ? cell : cell(written.get(j), (String) cell));
      if (cell != null && !CellText.isMissing(cell)) {
        in.put(names.get(j), cell);
      }
    }
    own.add(Collections.unmodifiableList(out));
    cells.add(in);
    return true;
  }

  private static @Nullable Object cell(
      UDF1<@Nullable String, ? extends @Nullable Object> of, @Nullable String text)
      throws IOException {
    try {
      return text == null || text.isEmpty() ? null : of.call(text);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
