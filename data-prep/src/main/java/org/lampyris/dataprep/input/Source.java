package org.lampyris.dataprep.input;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Section;

/**
 * Where rows come from.
 *
 * @param input the path of the table, on any file system that Hadoop knows; null where the command
 *     needs none
 * @param format one of {@link #FORMATS}; null to tell by the name
 * @param query a Spark SQL SELECT over the view {@code input} that shapes the table; null for the
 *     table as it is
 */
public record Source(@Nullable String input, @Nullable String format, @Nullable String query) {
  /** The formats that can be read and generated. */
  public static final List<String> FORMATS = List.of("parquet", "csv", "libsvm");

  /** Reads the keys of the section {@code data}. */
  public static Source read(Section data) {
    return new Source(data.text("input"), data.choice("format", FORMATS), data.text("query"));
  }
}
