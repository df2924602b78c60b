package org.lampyris.dataprep.prepare;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.table.TableSchema;

/** Opens inputs of all formats. */
final class InputOpener {
  private InputOpener() {}

  /**
   * Opens the input.
   *
   * @param spark the session
   * @param files the files
   * @param format what they are
   * @param spec the wishes, which decide how columns are read
   * @param like an earlier table whose columns are taken over; null for none
   */
  static InputTable open(
      SparkSession spark,
      InputFiles files,
      InputFormat format,
      PrepareSpec spec,
      @Nullable TableSchema like) {
    return switch (format) {
      case PARQUET -> ParquetTable.open(spark, files);
      case CSV -> {
        Set<String> text = new HashSet<>();
        if (spec.query() == null) {
          text.addAll(spec.categorical().keySet());
        }
        yield CsvTable.open(spark, files, text);
      }
      case LIBSVM -> {
        List<String> vector = List.of(LibSvmTable.VECTOR);
        boolean wide =
            spec.query() != null
                || spec.weight() != null
                || spec.offset() != null
                || !spec.categorical().isEmpty()
                || !(spec.features().isEmpty() || (like != null && spec.features().equals(vector)));
        int least = 0;
        if (like != null) {
          least = wide ? 0 : like.features().get(0).size();
        }
        yield LibSvmTable.open(
            spark, files, spec.query() == null ? spec.label() : "label", wide, least);
      }
    };
  }
}
