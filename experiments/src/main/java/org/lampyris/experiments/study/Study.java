package org.lampyris.experiments.study;

import java.util.Map;
import org.lampyris.driver.output.SampledRun;

/** Additional measurement of an experiment's draws. */
public interface Study {
  /** Takes the run of a row: the first one is the reference. */
  void add(String row, SampledRun run);

  /** Returns further files to write, text by file name, in order. */
  Map<String, String> files();
}
