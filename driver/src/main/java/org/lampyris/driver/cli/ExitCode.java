package org.lampyris.driver.cli;

import org.lampyris.bounds.config.UserException;

/** Exit codes of the process. */
public final class ExitCode {
  /** All is well. */
  public static final int OK = 0;

  /** A fault of the program. */
  public static final int INTERNAL = 1;

  /** The command line, the configuration, or a path it names. */
  public static final int USAGE = UserException.Kind.USAGE.exitCode();

  /** The table, or an artefact made from it. */
  public static final int DATA = UserException.Kind.DATA.exitCode();

  /** Sampled, but the draws have not converged. */
  public static final int NOT_CONVERGED = 4;

  /** The process was asked to end: 128 plus SIGINT's number, as in shells. */
  public static final int INTERRUPTED = 130;

  /** The launcher is to start the command again, with Spark: EX_TEMPFAIL of sysexits.h. */
  static final int NEEDS_SPARK = 75;

  private ExitCode() {}
}
