package org.lampyris.samplers.algorithm;

import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/** An algorithm whose draws are made of others, which it keeps: they can be made anew of those. */
public interface Recombining extends SamplingAlgorithm {
  /**
   * Makes draws of those that an earlier run on the same table kept.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if they are not what the settings need
   */
  RunResult recombine(SamplingContext context, OwnSettings own, RunResult.Parts parts);
}
