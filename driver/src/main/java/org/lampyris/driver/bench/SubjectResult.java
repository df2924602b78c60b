package org.lampyris.driver.bench;

import java.util.List;
import java.util.Optional;

/**
 * The figures of a table.
 *
 * @param subject the table and its rows
 * @param baselines what the machine and the table allow
 * @param rows the rows, in the order of the subject's
 */
public record SubjectResult(Subject subject, Baselines baselines, List<Row> rows) {

  /** Copies the list. */
  public SubjectResult {
    rows = List.copyOf(rows);
  }

  /** Returns the figures of a row, or nothing if there is no such row or it could not be run. */
  Optional<Measurement> measurement(String entry) {
    return rows.stream()
        .filter(row -> row.entry().name().equals(entry))
        .findFirst()
        .flatMap(Row::measurement);
  }
}
