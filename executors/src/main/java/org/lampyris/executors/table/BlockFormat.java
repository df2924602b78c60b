package org.lampyris.executors.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetOptions;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's format of a table's files: Parquet with a page for each array of a block, so that some
 * blocks are read without those between them. Pages are made of the arrays themselves, which the
 * library's writer would copy three times. The committer is the file system's, as users set it.
 */
public final class BlockFormat extends FileOutputFormat<Void, PackedBlock> {
  /** About how many bytes of blocks are in a row group, and in memory until it is written. */
  static final long GROUP = 8L << 20;

  /** Share of a block's bytes that has to remain for its file not to be compressed. */
  private static final double WORTHLESS = 0.9;

  private static final String SCHEMA = "lampyris.blocks.schema";
  private static final String CODEC = "spark.sql.parquet.compression.codec";

  /** The levels of an optional cell that is alone in its page: their length, and a run of one. */
  private static final BytesInput[] LEVELS = {
    BytesInput.from(new byte[] {2, 0, 0, 0, 2, 0}), BytesInput.from(new byte[] {2, 0, 0, 0, 2, 1})
  };

  /** An upper bound of any array that is too long for Parquet to store it, or an index with it. */
  private static final byte[] UNSTORED = new byte[1 << 13];

  static {
    Arrays.fill(UNSTORED, (byte) 0xff);
  }

  /**
   * Returns the configuration of a job that writes blocks.
   *
   * @param type {@link PackedBlock#type}
   */
  static Configuration of(SparkSession spark, MessageType type, String folder) {
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    conf.set(FileOutputFormat.OUTDIR, folder);
    conf.setClass(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, BlockFormat.class, OutputFormat.class);
    conf.set(SCHEMA, type.toString());
    if (spark.conf().getAll().contains(CODEC)) {
      conf.set(
          ParquetOutputFormat.COMPRESSION,
          ParquetOptions.getParquetCompressionCodecName(spark.conf().get(CODEC)));
    }
    return conf;
  }

  @Override
  public RecordWriter<Void, PackedBlock> getRecordWriter(TaskAttemptContext context) {
    return new Writer(context);
  }

  /** A file of blocks; none if there are no blocks. */
  private final class Writer extends RecordWriter<Void, PackedBlock> {
    private final TaskAttemptContext context;
    private final MessageType type;
    private final CodecFactory codecs;
    private final List<PackedBlock> group = new ArrayList<>();
    private long bytes;
    private CompressionCodecName codec = CompressionCodecName.UNCOMPRESSED;
    private @Nullable ParquetFileWriter file;

    Writer(TaskAttemptContext context) {
      this.context = context;
      Configuration conf = context.getConfiguration();
      type = MessageTypeParser.parseMessageType(conf.get(SCHEMA));
      codecs = new CodecFactory(conf, ParquetProperties.DEFAULT_PAGE_SIZE);
    }

    @Override
    public void write(@Nullable Void key, PackedBlock block) throws IOException {
      group.add(block);
      bytes += block.bytes();
      if (bytes >= GROUP) {
        flush();
      }
    }

    private void flush() throws IOException {
      ParquetFileWriter out = file == null ? open(group.get(0)) : file;
      file = out;
      BytesInputCompressor compressor = codecs.getCompressor(codec);
      List<ColumnDescriptor> columns = type.getColumns();
      List<@Nullable Object[]> rows = new ArrayList<>();
      group.forEach(block -> rows.add(block.cells(columns.size())));
      out.startBlock(rows.size());
      for (int k = 0; k < columns.size(); k++) {
        out.startColumn(columns.get(k), rows.size(), codec);
        for (Object[] row : rows) {
          BytesInput page = page(row[k]);
          out.writeDataPage(
              1,
              Math.toIntExact(page.size()),
              compressor.compress(page),
              statistics(columns.get(k).getPrimitiveType(), row[k]),
              1,
              Encoding.RLE,
              Encoding.RLE,
              Encoding.PLAIN);
        }
        out.endColumn();
      }
      out.endBlock();
      group.clear();
      bytes = 0;
    }

    private ParquetFileWriter open(PackedBlock first) throws IOException {
      Configuration conf = context.getConfiguration();
      String chosen = conf.get(ParquetOutputFormat.COMPRESSION);
      codec = chosen == null ? worthwhile(first) : CompressionCodecName.fromConf(chosen);
      return ParquetFile.writer(
          getDefaultWorkFile(context, codec.getExtension() + ".parquet"), conf, type, GROUP);
    }

    /** Returns Snappy if it shrinks a block by a tenth, else no codec. */
    private CompressionCodecName worthwhile(PackedBlock block) throws IOException {
      BytesInputCompressor snappy = codecs.getCompressor(CompressionCodecName.SNAPPY);
      long shrunk = 0;
      for (Object cell : block.cells(type.getFieldCount())) {
        if (cell instanceof byte[] array) {
          shrunk += snappy.compress(BytesInput.from(array)).size();
        }
      }
      return shrunk < WORTHLESS * block.bytes()
          ? CompressionCodecName.SNAPPY
          : CompressionCodecName.UNCOMPRESSED;
    }

    @Override
    public void close(TaskAttemptContext ignored) throws IOException {
      try {
        if (!group.isEmpty()) {
          flush();
        }
        if (file != null) {
          file.end(Map.of());
        }
      } finally {
        codecs.release();
        if (file != null) {
          ParquetFile.release(file);
        }
      }
    }
  }

  /** Returns the page of a cell, in Parquet's plain encoding. */
  private static BytesInput page(@Nullable Object cell) {
    if (cell instanceof byte[] array) {
      return BytesInput.concat(LEVELS[1], BytesInput.fromInt(array.length), BytesInput.from(array));
    } else if (cell instanceof Long number) {
      return BytesInput.concat(LEVELS[1], BytesInput.from(BytesUtils.longToBytes(number)));
    } else if (cell instanceof Integer number) {
      return BytesInput.concat(LEVELS[1], BytesInput.fromInt(number));
    }
    return LEVELS[0];
  }

  /** Returns the bounds of a page; of an array such as are not stored. */
  private static Statistics<?> statistics(PrimitiveType type, @Nullable Object cell) {
    if (cell instanceof byte[]) {
      // Parquet would take a page without bounds for one without values, and its index say so.
      return Statistics.getBuilderForReading(type)
          .withMin(new byte[0])
          .withMax(UNSTORED)
          .withNumNulls(0)
          .build();
    }
    Statistics<?> statistics = Statistics.createStats(type);
    if (cell instanceof Long number) {
      statistics.updateStats(number);
    } else if (cell instanceof Integer number) {
      statistics.updateStats(number);
    } else {
      statistics.incrementNumNulls();
    }
    return statistics;
  }
}
