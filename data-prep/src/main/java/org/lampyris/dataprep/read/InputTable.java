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
   * Returns where the first cell is that passes a test, such as "people.csv, line 17", by reading
   * the input once more; null if there is none, or the column is not one of the input's.
   */
  @Nullable String place(CellCondition test);

  /** Returns what a user should know of how the input is read, in sentences. */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Returns what is wrong with the form of the input, in a sentence with its line, by reading it
   * once more; null if nothing is.
   */
  @Nullable String malformed();
}
