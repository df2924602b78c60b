package org.lampyris.dataprep.input;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Section;

/**
 * Where rows come from.
 *
 * @param input the path of the table, on any file system that Hadoop knows; null where the command
 *     needs none
 * @param format one of {@link #FORMATS}; null to tell by the name
 * @param encoding the character set of a CSV; null for UTF-8
 * @param query a Spark SQL SELECT over the view {@code input} that shapes the table; null for the
 *     table as it is
 */
public record Source(
    @Nullable String input,
    @Nullable String format,
    @Nullable String encoding,
    @Nullable String query) {
  /** The formats that can be read and generated. */
  public static final List<String> FORMATS = List.of("parquet", "csv", "libsvm");

  /** Reads the keys of the section {@code data}. */
  public static Source read(Section data) {
    String encoding = data.text("encoding");
    if (encoding != null && !isCharset(encoding)) {
      throw data.wrong(
          "encoding", "the name of a character set, such as ISO-8859-1, windows-1252 or UTF-16");
    }
    return new Source(
        data.text("input"), data.choice("format", FORMATS), encoding, data.text("query"));
  }

  private static boolean isCharset(String name) {
    try {
      return Charset.isSupported(name);
    } catch (IllegalCharsetNameException e) {
      return false;
    }
  }

  /** Returns the character set of a CSV. */
  Charset charset() {
    return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
  }
}
