package org.lampyris.executors.table;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.util.HadoopInputFile;

/**
 * Readers of Parquet files. They take their options from the given configuration; those of
 * Parquet's short forms parse Hadoop's XML of defaults for each file, which takes 20 to 40 ms.
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
}
