package org.lampyris.bounds.config;

import org.jspecify.annotations.Nullable;

/**
 * Problem that the user can mend. Its message names the place, the reason and the remedy, and is
 * printed without a stack trace.
 */
public final class UserException extends RuntimeException {
  /** Kind of problem, which determines the exit code. */
  public enum Kind {
    /** The command line or the configuration is wrong: exit code 2. */
    USAGE(2),
    /** The table, or an artefact made from it, is wrong: exit code 3. */
    DATA(3);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    /** Returns the exit code of the process. */
    public int exitCode() {
      return exitCode;
    }
  }

  private final Kind kind;

  private UserException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns a problem of the command line or the configuration. */
  public static UserException usage(String message) {
    return new UserException(Kind.USAGE, message, null);
  }

  /** Returns a problem of the command line or the configuration, with its cause. */
  public static UserException usage(String message, @Nullable Throwable cause) {
    return new UserException(Kind.USAGE, message, cause);
  }

  /** Returns a problem of the table or of an artefact made from it. */
  public static UserException data(String message) {
    return new UserException(Kind.DATA, message, null);
  }

  /** Returns a problem of the table or of an artefact, with its cause. */
  public static UserException data(String message, Throwable cause) {
    return new UserException(Kind.DATA, message, cause);
  }

  /** Returns which kind of problem this is. */
  public Kind kind() {
    return kind;
  }
}
