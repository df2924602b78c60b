package org.lampyris.driver.output;

import com.fasterxml.jackson.core.io.NumberOutput;
import com.univocity.parsers.common.CommonSettings;
import com.univocity.parsers.common.TextParsingException;
import com.univocity.parsers.csv.CsvFormat;
import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import com.univocity.parsers.csv.CsvWriter;
import com.univocity.parsers.csv.CsvWriterSettings;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/**
 * Comma-separated text according to RFC 4180, in UTF-8, with {@code \n} line ends. Numbers are
 * written so that reading them gives the same bits.
 */
public final class CsvText {
  /** A byte that no text holds: nothing is taken for a remark. */
  private static final char NO_REMARKS = '\0';

  private CsvText() {}

  /** Returns a text as a cell, in quotes. */
  public static String quoted(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  /** Configures a parser or writer to keep every cell unchanged, of any length. */
  private static <S extends CommonSettings<CsvFormat>> S verbatim(S settings, int columns) {
    settings.setMaxColumns(columns);
    settings.setMaxCharsPerColumn(-1);
    settings.setIgnoreLeadingWhitespaces(false);
    settings.setIgnoreTrailingWhitespaces(false);
    settings.getFormat().setComment(NO_REMARKS);
    return settings;
  }

  private static CsvWriterSettings settings(int columns) {
    CsvWriterSettings settings = verbatim(new CsvWriterSettings(), columns + 1);
    settings.setEmptyValue("\"\"");
    settings.getFormat().setLineSeparator("\n");
    return settings;
  }

  /**
   * Writes a file, which must not exist.
   *
   * @param lines writes all lines with {@link CsvWriter#writeRow(Object...)}
   */
  static void write(FileSystem fs, Path file, List<String> header, Consumer<CsvWriter> lines)
      throws IOException {
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(fs.create(file, false), StandardCharsets.UTF_8))) {
      CsvWriter writer = new CsvWriter(out, settings(header.size()));
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

  /**
   * Begins a file of numbers, which must not exist.
   *
   * @param header the names of the columns
   */
  static Numbers numbers(Configuration conf, Path file, List<String> header) throws IOException {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    CsvWriter writer = new CsvWriter(names, StandardCharsets.UTF_8, settings(header.size()));
    writer.writeHeaders(header);
    writer.close();
    OutputStream out = file.getFileSystem(conf).create(file, false);
    names.writeTo(out);
    return new Numbers(out, header.size());
  }

  /**
   * Writer of rows of numbers, in a third of the time of general cells. Finite numbers get the
   * shortest text that reads as the same bits, in every Java version.
   */
  static final class Numbers implements AutoCloseable {
    /** No number takes more characters, with the comma after it. */
    private static final int LONGEST = 26;

    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final byte[] text;
    private int length;

    /** The row before, but for its whole numbers, and its text. */
    private double[] before = {};

    private final byte[] beforeText;
    private int beforeLength;

    Numbers(OutputStream out, int columns) {
      this.out = out;
      this.text = new byte[BUFFER + columns * LONGEST];
      this.beforeText = new byte[columns * LONGEST];
    }

    /**
     * Writes a row: whole numbers, then others. A chain that stays where it is has these again.
     *
     * @param numbers not to be modified after
     */
    void writeRow(long[] whole, double[] numbers) throws IOException {
      for (long number : whole) {
        append(Long.toString(number));
      }
      if (Arrays.equals(before, numbers)) {
        System.arraycopy(beforeText, 0, text, length, beforeLength);
        length += beforeLength;
      } else {
        int start = length;
        for (double number : numbers) {
          append(NumberOutput.toString(number, true));
        }
        before = numbers;
        beforeLength = length - start;
        System.arraycopy(text, start, beforeText, 0, beforeLength);
      }
      text[length - 1] = '\n';
      if (length >= BUFFER) {
        flush();
      }
    }

    @SuppressWarnings("deprecation") // numbers are ASCII
    private void append(String number) {
      number.getBytes(0, number.length(), text, length);
      length += number.length();
      text[length++] = ',';
    }

    private void flush() throws IOException {
      out.write(text, 0, length);
      length = 0;
    }

    @Override
    public void close() throws IOException {
      try (out) {
        flush();
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
          "%s, line %s, column \"%s\": \"%s\" is not a number.".formatted(file, line, column, cell),
          e);
    }
  }
}
