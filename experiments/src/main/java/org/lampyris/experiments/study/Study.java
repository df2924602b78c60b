package org.lampyris.experiments.study;

import java.util.Map;
import org.lampyris.driver.output.SampledRun;

/** What an experiment measures of its rows' draws, beyond its table. */
public interface Study {
  /** Takes the run of a row: the first one is the reference. */
  void add(String row, SampledRun run);

  /** Returns what to write beside the table, text by the name of the file, in order. */
  Map<String, String> files();
}
