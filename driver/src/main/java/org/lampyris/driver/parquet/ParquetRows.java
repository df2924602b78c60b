package org.lampyris.driver.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * Writes Parquet files from the driver, row by row. The draws are in the driver's memory already: a
 * Spark job would copy them into its tasks, and warn of their size, only to write them here.
 */
public record ParquetRows(Configuration conf, Path file) {
  private static final long ROW_GROUP = 16L << 20;

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

  /** Begins a file, to which rows are appended; no more than 16 MiB of them are in memory. */
  public Appending open(MessageType schema) throws IOException {
    Builder builder =
        new Builder(HadoopOutputFile.fromPath(file, conf), schema)
            .withConf(conf)
            .withRowGroupSize(ROW_GROUP)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withWriteMode(ParquetFileWriter.Mode.CREATE);
    for (Type field : schema.getFields()) {
      // Draws are hardly ever equal: looking for those that are would take most of the time.
      if (field.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.DOUBLE) {
        builder.withDictionaryEncoding(field.getName(), false);
      }
    }
    return new Appending(new Row(schema), builder.build());
  }

  /** A file to which rows are appended. */
  public record Appending(Row row, ParquetWriter<Row> writer) implements AutoCloseable {
    /** Appends the row, which is then without cells. */
    public void write() throws IOException {
      writer.write(row);
      row.clear();
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }

  /** The cells of one row after the other: those of the library's own rows are objects each. */
  public static final class Row {
    private final List<Type> fields;
    private final boolean[] filled;
    private final long[] bits;
    private final Binary[] bytes;

    Row(MessageType schema) {
      fields = schema.getFields();
      filled = new boolean[fields.size()];
      bits = new long[fields.size()];
      bytes = new Binary[fields.size()];
    }

    /** Fills in a number. */
    public void add(int field, double number) {
      set(field, Double.doubleToRawLongBits(number));
    }

    /** Fills in a whole number. */
    public void add(int field, long number) {
      set(field, number);
    }

    /** Fills in yes or no. */
    public void add(int field, boolean yes) {
      set(field, yes ? 1 : 0);
    }

    /** Fills in bytes. */
    public void add(int field, Binary value) {
      bytes[field] = value;
      set(field, 0);
    }

    private void set(int field, long value) {
      bits[field] = value;
      filled[field] = true;
    }

    private void clear() {
      Arrays.fill(filled, false);
    }

    private void writeTo(RecordConsumer to) {
      to.startMessage();
      for (int k = 0; k < filled.length; k++) {
        if (filled[k]) {
          Type field = fields.get(k);
          to.startField(field.getName(), k);
          writeCell(to, field.asPrimitiveType().getPrimitiveTypeName(), k);
          to.endField(field.getName(), k);
        }
      }
      to.endMessage();
    }

    private void writeCell(RecordConsumer to, PrimitiveTypeName type, int k) {
      switch (type) {
        case DOUBLE -> to.addDouble(Double.longBitsToDouble(bits[k]));
        case INT32 -> to.addInteger((int) bits[k]);
        case INT64 -> to.addLong(bits[k]);
        case BOOLEAN -> to.addBoolean(bits[k] != 0);
        case BINARY -> to.addBinary(bytes[k]);
        default -> throw new IllegalArgumentException("a cell of type " + type);
      }
    }
  }

  private static final class Builder extends ParquetWriter.Builder<Row, Builder> {
    private final MessageType schema;

    Builder(OutputFile file, MessageType schema) {
      super(file);
      this.schema = schema;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // the only one that is abstract
    protected WriteSupport<Row> getWriteSupport(Configuration conf) {
      return new Rows(schema);
    }
  }

  private static final class Rows extends WriteSupport<Row> {
    private final MessageType schema;
    private @Nullable RecordConsumer to;

    Rows(MessageType schema) {
      this.schema = schema;
    }

    @Override
    @SuppressWarnings("deprecation") // the only one that is abstract
    public WriteContext init(Configuration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      to = consumer;
    }

    @Override
    public void write(Row row) {
      row.writeTo(Objects.requireNonNull(to));
    }
  }
}
