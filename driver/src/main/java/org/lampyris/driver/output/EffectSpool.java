package org.lampyris.driver.output;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
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
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.samplers.run.EffectSink;

/**
 * Spool of rows about effects, as Parquet files next to the results, where every executor can read
 * them. Memory holds at most a row group of 16 MiB. The file is made by the first row.
 */
public final class EffectSpool implements EffectSink, AutoCloseable {
  /** The column with the index in {@code ModelOfTable.random}. */
  public static final String RANDOM = "random";

  /** The column with the group's key. */
  public static final String KEY = "key";

  /** The column with the index of the effect. */
  public static final String EFFECT = "effect";

  /** The column with draws of the effect. */
  public static final String DRAWS = "draws";

  private static final long ROW_GROUP = 16L << 20;
  private static final MessageType TYPE = type();

  private final Configuration conf;
  private final Path folder;
  private final long[] rows;
  private @Nullable ParquetWriter<Group> writer;
  private boolean withDraws;

  /**
   * Creates a spool.
   *
   * @param output the folder of the results
   * @param random how many groupings have effects
   */
  public EffectSpool(Configuration conf, String output, int random) {
    this.conf = conf;
    this.folder = new Path(output, "effects.tmp-" + UUID.randomUUID());
    this.rows = new long[random];
  }

  private static MessageType type() {
    Types.MessageTypeBuilder fields = Types.buildMessage();
    fields.required(PrimitiveTypeName.INT32).named(RANDOM);
    fields.required(PrimitiveTypeName.INT64).named(KEY);
    fields.required(PrimitiveTypeName.INT32).named(EFFECT);
    STATISTICS.forEach(name -> fields.required(PrimitiveTypeName.DOUBLE).named(name));
    fields.repeated(PrimitiveTypeName.FLOAT).named(DRAWS);
    return fields.named("effects");
  }

  @Override
  public void add(int random, long key, int effect, double[] statistics, float[] draws) {
    if (statistics.length != STATISTICS.size()) {
      throw new IllegalArgumentException(statistics.length + " statistics of an effect");
    }
    Group row = new SimpleGroup(TYPE);
    row.add(0, random);
    row.add(1, key);
    row.add(2, effect);
    for (int k = 0; k < statistics.length; k++) {
      row.add(3 + k, statistics[k]);
    }
    for (float draw : draws) {
      row.add(3 + statistics.length, draw);
    }
    withDraws |= draws.length > 0;
    try {
      if (writer == null) {
        writer = open();
      }
      writer.write(row);
      rows[random]++;
    } catch (IOException e) {
      throw StorageProblem.writing(folder.toString(), e);
    }
  }

  private ParquetWriter<Group> open() throws IOException {
    FileSystem fs = folder.getFileSystem(conf);
    fs.mkdirs(folder);
    fs.deleteOnExit(folder); // for a run that is interrupted
    return ExampleParquetWriter.builder(
            HadoopOutputFile.fromPath(new Path(folder, "rows.parquet"), conf))
        .withType(TYPE)
        .withConf(conf)
        .withRowGroupSize(ROW_GROUP)
        .withCompressionCodec(CompressionCodecName.SNAPPY)
        .withWriteMode(ParquetFileWriter.Mode.CREATE)
        .build();
  }

  /** Returns whether draws were kept. */
  public boolean hasDraws() {
    return withDraws;
  }

  /** Returns the number of rows of a grouping. */
  public long rows(int random) {
    return rows[random];
  }

  /**
   * Ends the file and returns its folder: no row is taken any more.
   *
   * @throws IOException if it cannot be written
   */
  public String finished() throws IOException {
    if (writer != null) {
      writer.close();
      writer = null;
    }
    return folder.toString();
  }

  /** Removes the file. */
  @Override
  public void close() {
    try {
      finished();
      folder.getFileSystem(conf).delete(folder, true);
    } catch (IOException e) {
      throw StorageProblem.writing(folder.toString(), e);
    }
  }
}
