package org.lampyris.dataprep.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a CSV file (RFC 4180) one after the other and knows the line that each
 * begins on. Spark reads the table; this reads headers, a sample for the columns' types, and, when
 * something is wrong, the way to the line that is to blame.
 */
final class CsvRecords implements AutoCloseable {
  private final BufferedReader reader;
  private final char separator;
  private long nextLine = 1;
  private long line;
  private int pushedBack = -1;

  CsvRecords(BufferedReader reader, String separator) throws IOException {
    this.reader = reader;
    this.separator = separator.charAt(0);
    int first = reader.read();
    // A byte order mark is no part of the first column's name.
    pushedBack = first == '\uFEFF' ? -1 : first;
  }

  /**
   * Returns the next record's cells, without quotes, or null at the end. Empty lines are passed.
   */
  @Nullable List<String> next() throws IOException {
    while (true) {
      int c = read();
      if (c < 0) {
        return null;
      }
      if (c != '\n' && c != '\r') {
        line = nextLine;
        return record(c);
      }
      newline(c);
    }
  }

  /** Returns the line, from 1, that the last record began on. */
  long line() {
    return line;
  }

  private List<String> record(int first) throws IOException {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    int c = first;
    while (true) {
      if (c == '"' && cell.length() == 0) {
        c = quoted(cell);
      } else if (c == separator) {
        cells.add(cell.toString());
        cell.setLength(0);
        c = read();
      } else if (c < 0 || c == '\n' || c == '\r') {
        newline(c);
        cells.add(cell.toString());
        return cells;
      } else {
        cell.append((char) c);
        c = read();
      }
    }
  }

  /** Reads the rest of a quoted cell and returns the character after it. */
  private int quoted(StringBuilder cell) throws IOException {
    while (true) {
      int c = read();
      if (c < 0) {
        return c;
      }
      if (c == '"') {
        c = read();
        if (c != '"') {
          return c;
        }
      } else if (c == '\n') {
        nextLine++;
      }
      cell.append((char) c);
    }
  }

  private void newline(int c) throws IOException {
    nextLine++;
    if (c == '\r') {
      int after = read();
      pushedBack = after == '\n' ? -1 : after;
    }
  }

  private int read() throws IOException {
    if (pushedBack >= 0) {
      int c = pushedBack;
      pushedBack = -1;
      return c;
    }
    return reader.read();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
