package org.lampyris.driver.output;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;

/**
 * Writes a Parquet file from the driver, row by row. The draws are in the driver's memory already:
 * a Spark job would copy them into its tasks, and warn of their size, only to write them here.
 */
final class ParquetRows {

  /** Writes the cells of one row. */
  @FunctionalInterface
  interface Row {
    /**
     * Writes a row with {@link #field}.
     *
     * @param row the row, from 0
     */
    void writeTo(RecordConsumer consumer, int row);
  }

  private ParquetRows() {}

  /** Writes a file, which must not exist. */
  static void write(Configuration conf, Path file, MessageType schema, int rows, Row row)
      throws IOException {
    try (ParquetWriter<Integer> writer =
        new Builder(HadoopOutputFile.fromPath(file, conf), new Support(schema, row))
            .withConf(conf)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withWriteMode(ParquetFileWriter.Mode.CREATE)
            .build()) {
      for (int i = 0; i < rows; i++) {
        writer.write(i);
      }
    }
  }

  /** Writes one cell. */
  static void field(RecordConsumer consumer, MessageType schema, int index, Runnable value) {
    String name = schema.getFieldName(index);
    consumer.startField(name, index);
    value.run();
    consumer.endField(name, index);
  }

  private static final class Builder extends ParquetWriter.Builder<Integer, Builder> {
    private final Support support;

    Builder(OutputFile file, Support support) {
      super(file);
      this.support = support;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract, so there is no way around it
    protected WriteSupport<Integer> getWriteSupport(Configuration conf) {
      return support;
    }
  }

  private static final class Support extends WriteSupport<Integer> {
    private final MessageType schema;
    private final Row row;
    private RecordConsumer consumer;

    @SuppressWarnings("NullAway.Init") // prepareForWrite comes before the first write
    Support(MessageType schema, Row row) {
      this.schema = schema;
      this.row = row;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract, so there is no way around it
    public WriteContext init(Configuration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      this.consumer = recordConsumer;
    }

    @Override
    public void write(Integer index) {
      consumer.startMessage();
      row.writeTo(consumer, index);
      consumer.endMessage();
    }
  }
}
