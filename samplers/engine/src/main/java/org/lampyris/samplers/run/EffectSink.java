package org.lampyris.samplers.run;

import java.util.List;

/**
 * Takes the summaries of the effects of groups, one row each, in any order. There may be more than
 * memory holds: nothing of a row is kept but on disk.
 */
public interface EffectSink {
  /**
   * Statistics of an effect, in this order: its posterior mean, standard deviation and quantiles,
   * split R-hat and effective sample size; NaN if unknown.
   */
  List<String> STATISTICS = List.of("mean", "sd", "q5", "median", "q95", "rhat", "ess");

  /**
   * Takes a row. Called by one thread at a time, for each effect of each group once.
   *
   * @param random which of {@code ModelOfTable.random}
   * @param key the group's, as {@code DataBlock.group} has it
   * @param effect which of the effects of the group
   * @param statistics a number for each of {@link #STATISTICS}. Not modified, and not kept
   * @param draws draws of the effect, chain by chain, equally many of each; may be none. Likewise
   */
  void add(int random, long key, int effect, double[] statistics, float[] draws);

  /** Takes nothing. */
  final class None implements EffectSink {
    @Override
    public void add(int random, long key, int effect, double[] statistics, float[] draws) {
      // Nobody wants them.
    }
  }
}
