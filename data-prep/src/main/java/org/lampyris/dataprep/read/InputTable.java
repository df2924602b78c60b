package org.lampyris.dataprep.read;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** An input that has been opened: its rows, and the way to a row that a message is about. */
interface InputTable {
  /** Returns the rows. Nothing is read before a job asks for them. */
  Dataset<Row> rows();

  /**
   * Returns the place of the first cell that passes a test, such as "people.csv, line 17", by
   * reading the input again; null if there is none, or the column is not in the input.
   */
  @Nullable String place(CellCondition test);

  /** Returns remarks about how the input is read, as sentences. */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Returns the fault in the input's format, as a sentence with its line, by reading it again; null
   * if there is none.
   */
  @Nullable String malformed();
}
