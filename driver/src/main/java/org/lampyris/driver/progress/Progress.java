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

  /** Reports the progress of the open phase. */
  void step(long done, Reading reading);

  /** Reports the current work of the open phase, in a few words. */
  void note(String message);

  /** Reports a warning while there is time to stop: a line that stays, outside any phase. */
  void warn(String message);

  /** Ends the open phase, which succeeded. */
  void end();

  /** Ends without a word on success, as after an error. Does nothing if no phase is open. */
  @Override
  void close();

  /** Returns a progress that writes lines, for logs. */
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
