package org.lampyris.driver.output;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.lampyris.executors.table.ParquetFile;

/**
 * Writes Parquet files from the driver, row by row. The draws are in the driver's memory already: a
 * Spark job would copy them into its tasks, and warn of their size, only to write them here.
 */
public record ParquetRows(Configuration conf, Path file) {
  /** Writes rows of whole numbers, then of numbers. */
  public void write(
      String name, List<String> whole, List<String> numbers, int rows, ObjIntConsumer<Row> fill)
      throws IOException {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    whole.forEach(column -> fields.required(PrimitiveTypeName.INT32).named(column));
    numbers.forEach(column -> fields.required(PrimitiveTypeName.DOUBLE).named(column));
    write(fields.named(name), rows, fill);
  }

  /**
   * Writes rows.
   *
   * @param fill fills in the cells of a row, numbered from 0; called in their order
   */
  public void write(MessageType schema, int rows, ObjIntConsumer<Row> fill) throws IOException {
    try (Appending writer = open(schema)) {
      for (int i = 0; i < rows; i++) {
        fill.accept(writer.row(), i);
        writer.write();
      }
    }
  }

  /** Starts a file for appending rows; memory holds at most about 16 MiB of them. */
  public Appending open(MessageType schema) throws IOException {
    ParquetFileWriter writer = ParquetFile.writer(file, conf, schema, RowGroups.SIZE);
    CodecFactory codecs = new CodecFactory(conf, ParquetProperties.DEFAULT_PAGE_SIZE);
    return new Appending(writer, codecs, schema);
  }

  /** A file to which rows are appended. */
  public static final class Appending implements AutoCloseable {
    private final ParquetFileWriter writer;
    private final CodecFactory codecs;
    private final RowGroups groups;
    private final Row row;

    private Appending(ParquetFileWriter writer, CodecFactory codecs, MessageType schema) {
      this.writer = writer;
      this.codecs = codecs;
      groups = new RowGroups(schema, writer, codecs);
      row = new Row(schema.getFields(), groups);
    }

    /** Returns the row that is appended next. */
    public Row row() {
      return row;
    }

    /** Appends the row, which is then without cells. */
    public void write() throws IOException {
      row.end();
      groups.endRow();
    }

    @Override
    public void close() throws IOException {
      try {
        groups.flush();
        writer.end(Map.of());
      } finally {
        codecs.release();
        ParquetFile.release(writer);
      }
    }
  }

  /** The cells of the row that is appended next, each filled in once. */
  public static final class Row {
    private final RowGroups groups;
    private final List<Type> fields;

    /** For each field, its position among the numbers, or, negative, among the others. */
    private final int[] places;

    private final boolean[] filled;

    private Row(List<Type> fields, RowGroups groups) {
      this.fields = fields;
      this.groups = groups;
      places = new int[fields.size()];
      filled = new boolean[fields.size()];
      int numbers = 0;
      int others = 0;
      for (int k = 0; k < places.length; k++) {
        places[k] = RowGroups.isNumbers(fields.get(k).asPrimitiveType()) ? numbers++ : ~others++;
      }
    }

    /** Fills in a number. */
    public void add(int field, double number) {
      if (places[field] >= 0) {
        groups.set(places[field], number);
        filled[field] = true;
      } else {
        writer(field).write(number, 0, level(field));
      }
    }

    /** Fills in a whole number. */
    public void add(int field, long number) {
      if (fields.get(field).asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32) {
        writer(field).write((int) number, 0, level(field));
      } else {
        writer(field).write(number, 0, level(field));
      }
    }

    /** Fills in yes or no. */
    public void add(int field, boolean yes) {
      writer(field).write(yes, 0, level(field));
    }

    /** Fills in bytes. */
    public void add(int field, Binary value) {
      writer(field).write(value, 0, level(field));
    }

    private ColumnWriter writer(int field) {
      filled[field] = true;
      return groups.writer(~places[field]);
    }

    /** Returns 1 for an optional cell that is present: Parquet's definition level. */
    private int level(int field) {
      return fields.get(field).isRepetition(Type.Repetition.OPTIONAL) ? 1 : 0;
    }

    private void end() {
      for (int k = 0; k < filled.length; k++) {
        if (!filled[k]) {
          if (level(k) == 0) {
            throw new IllegalStateException("no " + fields.get(k).getName());
          }
          writer(k).writeNull(0, 0);
        }
      }
      Arrays.fill(filled, false);
    }
  }
}
