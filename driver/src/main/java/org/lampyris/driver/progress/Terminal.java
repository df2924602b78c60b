package org.lampyris.driver.progress;

import java.util.function.BooleanSupplier;
import org.jline.nativ.CLibrary;
import org.jspecify.annotations.Nullable;

/**
 * Test for a terminal at standard error. {@code System.console()} does not show this: it is about
 * standard input and output, and from Java 22 on it exists without a terminal.
 */
final class Terminal {
  /**
   * Environment variable from the launcher, which can test without native code: "true" or "false".
   */
  static final String VARIABLE = "LAMPYRIS_TERMINAL";

  private static final int STANDARD_ERROR = 2;

  private Terminal() {}

  static boolean isStandardError() {
    return isTerminal(System.getenv(VARIABLE), System.getenv("TERM"), Terminal::askSystem);
  }

  static boolean isTerminal(
      @Nullable String launcher, @Nullable String kind, BooleanSupplier system) {
    if (kind != null && kind.equals("dumb")) {
      return false;
    }
    return launcher == null ? system.getAsBoolean() : launcher.equals("true");
  }

  private static boolean askSystem() {
    try {
      return CLibrary.isatty(STANDARD_ERROR) == 1;
    } catch (LinkageError | RuntimeException e) {
      // No native library for this system: lines are right everywhere.
      return false;
    }
  }
}
