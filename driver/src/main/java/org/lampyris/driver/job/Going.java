package org.lampyris.driver.job;

/**
 * Start mode of a run, and the request to halt it.
 *
 * @param mode how it begins
 * @param halt ends it in order
 * @param fence throws once another process has taken over the output folder; called before each
 *     checkpoint is published, and before others are removed
 */
public record Going(Mode mode, Halt halt, Fence fence) {
  /** Check that the output folder is still this process's. */
  public interface Fence {
    /**
     * Returns if it is.
     *
     * @throws org.lampyris.bounds.config.UserException if another process has taken it over
     */
    void require();
  }

  /** Start mode of a run. */
  public enum Mode {
    /** At the beginning, and no checkpoint is kept. */
    WITHOUT_CHECKPOINTS,
    /** Start from the beginning, and ignore checkpoints. */
    ANEW,
    /** Resume from the checkpoint, or start from the beginning if there is none. */
    RESUMED
  }

  /** Returns a run that keeps no checkpoint. */
  public static Going withoutCheckpoints() {
    return new Going(Mode.WITHOUT_CHECKPOINTS, Halt.never(), () -> {});
  }
}
