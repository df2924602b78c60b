package org.lampyris.driver.progress;

import java.util.function.Consumer;

/** Shows how far a command is. One phase is open at a time. Not safe for use by several threads. */
public interface Progress extends AutoCloseable {
  /**
   * Opens a phase.
   *
   * @param phase what is done, a word or two
   * @param total how many steps it has; 0 if that is not known
   */
  void start(String phase, long total);

  /** Tells how far the open phase is. */
  void step(long done, Reading reading);

  /** Tells what the open phase is at, in a few words. */
  void note(String message);

  /** Tells what is to be known while there is time to stop: a line that stays, in no phase. */
  void warn(String message);

  /** Ends the open phase, which succeeded. */
  void end();

  /** Ends without a word on success, as after an error. Does nothing if no phase is open. */
  @Override
  void close();

  /** Returns a progress that tells in lines, as logs have them. */
  static Progress lines(Consumer<String> lines) {
    return new LineProgress(lines);
  }

  /** Returns a progress for this process: a bar if the standard error is a terminal. */
  static Progress onStandardError() {
    return isBar() ? new BarProgress() : new LineProgress(System.err::println);
  }

  /** Returns whether {@link #onStandardError} is a bar, whose line is not ended. */
  static boolean isBar() {
    return Terminal.isStandardError();
  }
}
