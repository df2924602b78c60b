package org.lampyris.samplers.multilevel;

import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.ChainSettings;

/**
 * What an iteration of a chain with random effects goes by besides the model.
 *
 * @param rowCount how many rows there are
 */
record MultilevelPlan(
    MultilevelSettings settings, ChainSettings chains, Streams streams, long rowCount) {
  /** The most sweeps in an iteration. */
  private static final long MOST_SWEEPS = 8;

  /** So many rows are evaluated in about the time that an iteration takes without any. */
  private static final long CHEAP = 4_000;

  /**
   * Returns how many times an iteration makes all its moves. On a small table the covariances are
   * hardly determined and mix slowly, whereas its rows cost little: of 72 rows (Oats) one sweep an
   * iteration left an effective sample size of 35 of 4,000 draws.
   */
  int sweeps() {
    return (int) Math.max(1, Math.min(MOST_SWEEPS, CHEAP / Math.max(1, rowCount)));
  }

  /** Returns the number of a sweep, from 0 in an iteration, among those of all iterations. */
  long sweep(long iteration, int of) {
    return (iteration - 1) * sweeps() + of + 1;
  }

  /** Returns the last iteration in which what is denser is always accepted. */
  long settled() {
    return Math.min(50, chains.warmup() / 4);
  }

  long last() {
    return chains.warmup() + (long) chains.draws() * chains.thin();
  }

  /** Returns whether shapes are made anew before an iteration. */
  boolean shapes(long iteration) {
    int warmup = chains.warmup();
    return iteration < warmup
        && (iteration == 6
            || iteration == 21
            || iteration == warmup / 6
            || iteration == warmup / 3
            || iteration == warmup * 2 / 3);
  }

  /** Returns what the effects after an iteration are to the recorders. */
  EffectRecorder.Phase phase(long iteration) {
    long drawn = iteration - chains.warmup();
    if (drawn > 0) {
      return drawn % chains.thin() == 0 ? EffectRecorder.Phase.KEPT : EffectRecorder.Phase.NONE;
    }
    return iteration > chains.warmup() / 2
        ? EffectRecorder.Phase.SETTLING
        : EffectRecorder.Phase.NONE;
  }
}
