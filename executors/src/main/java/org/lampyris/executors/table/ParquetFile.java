package org.lampyris.executors.table;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;

/**
 * Readers and writers of Parquet files. They take their options from the given configuration; those
 * of Parquet's short forms parse Hadoop's XML of defaults for each file, which takes 20 to 40 ms.
 */
public final class ParquetFile {
  private ParquetFile() {}

  /**
   * Opens a file, of which the footer has been read.
   *
   * @throws RuntimeException with the file's name, which some of Parquet's own lack
   */
  public static ParquetFileReader open(Path file, Configuration conf) throws IOException {
    try {
      return ParquetFileReader.open(
          HadoopInputFile.fromPath(file, conf), HadoopReadOptions.builder(conf).build());
    } catch (RuntimeException e) {
      String text = String.valueOf(e.getMessage());
      throw text.contains(file.getName())
          ? e
          : new IllegalStateException(file + " is not a Parquet file (" + text + ")", e);
    }
  }

  /**
   * Returns a builder of a reader.
   *
   * @param rows makes the rows
   */
  public static <T> ParquetReader.Builder<T> reader(
      Path file, Configuration conf, ReadSupport<T> rows) throws IOException {
    return new ParquetReader.Builder<T>(HadoopInputFile.fromPath(file, conf)) {
      @Override
      protected ReadSupport<T> getReadSupport() {
        return rows;
      }
    };
  }

  /**
   * Starts a new file.
   *
   * @param groupBytes about the size of its row groups
   */
  public static ParquetFileWriter writer(
      Path file, Configuration conf, MessageType schema, long groupBytes) throws IOException {
    ParquetFileWriter writer =
        new ParquetFileWriter(
            HadoopOutputFile.fromPath(file, conf),
            schema,
            ParquetFileWriter.Mode.CREATE,
            groupBytes,
            0, // row groups are small: none is moved to the next block of a file system
            ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
            ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
            ParquetProperties.DEFAULT_PAGE_WRITE_CHECKSUM_ENABLED);
    writer.start();
    return writer;
  }

  /** Closes what can be closed: with Parquet 1.13, of Spark 3.5, neither writers nor pages. */
  public static void release(Object resource) throws IOException {
    if (resource instanceof AutoCloseable open) {
      try {
        open.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
