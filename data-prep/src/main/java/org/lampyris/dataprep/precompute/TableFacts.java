package org.lampyris.dataprep.precompute;

import java.util.List;

/**
 * What the artefact keeps of the prepared table.
 *
 * @param fingerprint tells the table's content from that of any other
 * @param columns the names of the columns, in order
 * @param rows how many rows it has
 */
public record TableFacts(String fingerprint, List<String> columns, long rows) {
  public TableFacts {
    columns = List.copyOf(columns);
  }
}
