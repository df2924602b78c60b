package org.lampyris.samplers.algorithm;

import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Algorithm whose draws are combined from others, which it keeps so that they can be combined
 * again.
 */
public interface Recombining extends SamplingAlgorithm {
  /**
   * Combines the draws that an earlier run on the same table kept.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if they are not what the settings need
   */
  RunResult recombine(SamplingContext context, OwnSettings own, RunResult.Parts parts);
}
