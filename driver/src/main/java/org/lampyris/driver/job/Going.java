package org.lampyris.driver.job;

/**
 * How a run begins, and how it may be ended.
 *
 * @param mode how it begins
 * @param halt ends it in order
 */
public record Going(Mode mode, Halt halt) {
  /** How a run begins. */
  public enum Mode {
    /** At the beginning, and no checkpoint is kept. */
    WITHOUT_CHECKPOINTS,
    /** At the beginning, whatever checkpoint there is. */
    ANEW,
    /** Where the checkpoint is, or at the beginning if there is none. */
    RESUMED
  }

  /** Returns a run that keeps no checkpoint. */
  public static Going withoutCheckpoints() {
    return new Going(Mode.WITHOUT_CHECKPOINTS, Halt.never());
  }
}
