package org.lampyris.driver.output;

import com.univocity.parsers.common.CommonSettings;
import com.univocity.parsers.common.TextParsingException;
import com.univocity.parsers.csv.CsvFormat;
import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import com.univocity.parsers.csv.CsvWriter;
import com.univocity.parsers.csv.CsvWriterSettings;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/**
 * Comma-separated text as RFC 4180 has it, in UTF-8, with {@code \n} line ends. Numbers are written
 * so that reading them gives the same bits.
 */
public final class CsvText {
  /** A byte that no text holds: nothing is taken for a remark. */
  private static final char NO_REMARKS = '\0';

  private CsvText() {}

  /** Returns a text as a cell, in quotes. */
  public static String quoted(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  /** Takes and gives every cell as it is, however long. */
  private static <S extends CommonSettings<CsvFormat>> S verbatim(S settings, int columns) {
    settings.setMaxColumns(columns);
    settings.setMaxCharsPerColumn(-1);
    settings.setIgnoreLeadingWhitespaces(false);
    settings.setIgnoreTrailingWhitespaces(false);
    settings.getFormat().setComment(NO_REMARKS);
    return settings;
  }

  /**
   * Writes a file, which must not exist.
   *
   * @param lines writes all lines with {@link CsvWriter#writeRow(Object...)}
   */
  public static void write(
      Configuration conf, Path file, List<String> header, Consumer<CsvWriter> lines)
      throws IOException {
    CsvWriterSettings settings = verbatim(new CsvWriterSettings(), header.size() + 1);
    settings.setEmptyValue("\"\"");
    settings.getFormat().setLineSeparator("\n");
    FileSystem fs = file.getFileSystem(conf);
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(fs.create(file, false), StandardCharsets.UTF_8))) {
      CsvWriter writer = new CsvWriter(out, settings);
      try {
        writer.writeHeaders(header);
        lines.accept(writer);
        writer.flush();
      } catch (RuntimeException e) {
        // The library wraps what the file system says; the cause is what the user can act upon.
        if (e.getCause() instanceof IOException io) {
          throw io;
        }
        throw e;
      }
    }
  }

  /** Returns all lines of a file, the header included. */
  public static List<String[]> read(Configuration conf, Path file) throws IOException {
    CsvParserSettings settings = verbatim(new CsvParserSettings(), 1 << 16);
    settings.setNullValue("");
    settings.setEmptyValue("");
    settings.setLineSeparatorDetectionEnabled(true);
    settings.setReadInputOnSeparateThread(false); // so that errors arrive on this one
    FileSystem fs = file.getFileSystem(conf);
    try (Reader in =
        new BufferedReader(new InputStreamReader(fs.open(file), StandardCharsets.UTF_8))) {
      return new CsvParser(settings).parseAll(in);
    } catch (TextParsingException e) {
      throw UserException.data(
          file + ": line " + (e.getLineIndex() + 1) + " is not comma-separated text.", e);
    }
  }

  /** Returns the number in a cell. */
  public static double number(Path file, int line, String column, String cell) {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw UserException.data(
          "%s, line %s, column \"%s\": \"%s\" is no number.".formatted(file, line, column, cell),
          e);
    }
  }
}
