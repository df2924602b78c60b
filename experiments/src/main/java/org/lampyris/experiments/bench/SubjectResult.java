package org.lampyris.experiments.bench;

import java.util.List;
import java.util.Optional;

/**
 * The figures of a table.
 *
 * @param subject the table and its rows
 * @param baselines what the machine and the table allow
 * @param rows the rows, in the order of the subject's
 */
public record SubjectResult(Subject subject, Figures baselines, List<Row> rows) {

  /** Copies the list. */
  public SubjectResult {
    rows = List.copyOf(rows);
  }

  /**
   * Returns the figures of a row, including the baselines; empty if there is no such row or it
   * could not be run.
   *
   * @param sampler the row's name; empty for the baselines alone
   */
  Optional<Figures> figures(Optional<String> sampler) {
    return sampler.isEmpty()
        ? Optional.of(baselines)
        : rows.stream()
            .filter(row -> row.entry().name().equals(sampler.get()))
            .findFirst()
            .flatMap(Row::measurement)
            .map(measurement -> baselines.with(measurement.figures().byName()));
  }
}
