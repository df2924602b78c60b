package org.lampyris.driver.output;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Rewrites the summary of a run that has ended. */
public final class SummaryFile {
  private SummaryFile() {}

  /** Replaces {@code summary.csv} in an output folder; the old one stays until the new is whole. */
  public static void replace(Configuration conf, String folder, List<SummaryRow> summary)
      throws IOException {
    try (OutputFolder output =
        OutputFolder.reserve(conf, folder, List.of(RunWriter.SUMMARY), true)) {
      RunWriter.writeSummary(conf, output.temporary(RunWriter.SUMMARY), summary);
      output.publish();
    }
  }
}
