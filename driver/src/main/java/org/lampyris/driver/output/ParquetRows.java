package org.lampyris.driver.output;

import java.io.IOException;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * Writes Parquet files from the driver, row by row. The draws are in the driver's memory already: a
 * Spark job would copy them into its tasks, and warn of their size, only to write them here.
 */
public record ParquetRows(Configuration conf, Path file) {
  private static final long ROW_GROUP = 16L << 20;

  /** Writes rows of whole numbers, then of numbers. */
  void write(String name, List<String> whole, List<String> numbers, int rows, Cells cells)
      throws IOException {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    whole.forEach(column -> fields.required(PrimitiveTypeName.INT32).named(column));
    numbers.forEach(column -> fields.required(PrimitiveTypeName.DOUBLE).named(column));
    write(
        fields.named(name),
        rows,
        (group, row) -> {
          Number[] all = cells.of(row);
          for (int k = 0; k < all.length; k++) {
            if (k < whole.size()) {
              group.add(k, all[k].intValue());
            } else {
              group.add(k, all[k].doubleValue());
            }
          }
        });
  }

  /** Returns the cells of a row, numbered from 0. */
  @FunctionalInterface
  interface Cells {
    /** Returns a cell for each column. */
    Number[] of(int row);
  }

  /**
   * Writes rows.
   *
   * @param fill fills in the cells of a row, numbered from 0
   */
  void write(MessageType schema, int rows, ObjIntConsumer<Group> fill) throws IOException {
    try (Appending writer = open(schema)) {
      for (int i = 0; i < rows; i++) {
        Group row = writer.row();
        fill.accept(row, i);
        writer.write(row);
      }
    }
  }

  /** Begins a file, to which rows are appended; no more than 16 MiB of them are in memory. */
  public Appending open(MessageType schema) throws IOException {
    return new Appending(
        schema,
        ExampleParquetWriter.builder(HadoopOutputFile.fromPath(file, conf))
            .withType(schema)
            .withConf(conf)
            .withRowGroupSize(ROW_GROUP)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withWriteMode(ParquetFileWriter.Mode.CREATE)
            .build());
  }

  /** A file to which rows are appended. */
  public record Appending(MessageType schema, ParquetWriter<Group> writer)
      implements AutoCloseable {
    /** Returns an empty row. */
    public Group row() {
      return new SimpleGroup(schema);
    }

    /** Appends a row. */
    public void write(Group row) throws IOException {
      writer.write(row);
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
