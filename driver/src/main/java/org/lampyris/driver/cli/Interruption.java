package org.lampyris.driver.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.lampyris.driver.progress.Progress;

/**
 * Handling of an interruption (Ctrl-C, SIGTERM) of a running command: one sentence on what is kept
 * and how to continue, and time for the command to clean up. The process then ends with 128 plus
 * the signal's number, as Java has it.
 *
 * <p>Spark also stops in a shutdown hook, which makes the command fail: {@link #isUnderWay}
 * distinguishes such failures from others.
 */
public final class Interruption {
  /** Seconds for the command to remove incomplete output. */
  private static final long SECONDS_TO_CLEAN_UP = 10;

  private static final String NOTHING_KEPT = "No incomplete output is left. Repeat the command.";

  /** Seconds for chains to halt and for their draws to be written. */
  private static final long SECONDS_TO_HALT = 20;

  /** Before Spark's own hook, which stops it: chains that halt need it. */
  private static final int PRIORITY = 100;

  private volatile String kept = NOTHING_KEPT;
  private volatile BooleanSupplier halt = () -> false;

  /** Notes what would be kept from now on, and how to continue: whole sentences. */
  public void keeps(String sentences) {
    kept = sentences;
  }

  /**
   * Notes how to ask the command for an orderly end; the supplier returns whether it will comply.
   */
  public void halts(BooleanSupplier request) {
    halt = request;
  }

  /** Watches a command that this thread is about to run, until the returned watch is closed. */
  public Watch watch(PrintWriter err) {
    kept = NOTHING_KEPT;
    halt = () -> false;
    return new Watch(err);
  }

  /** Returns whether the process is about to end. */
  public static boolean isUnderWay() {
    Thread none = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(none);
      Runtime.getRuntime().removeShutdownHook(none);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** One command being watched over. */
  public final class Watch {
    private final Thread command = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PrintWriter err;
    private final Runnable hook = this::interrupt;

    private Watch(PrintWriter err) {
      this.err = err;
      ShutdownHookManager.get()
          .addShutdownHook(
              hook, PRIORITY, SECONDS_TO_HALT + 2 * SECONDS_TO_CLEAN_UP, TimeUnit.SECONDS);
    }

    private void interrupt() {
      // What fails from here on fails of the interruption, and Spark tells of it at length.
      Configurator.setAllLevels(LogManager.ROOT_LOGGER_NAME, Level.OFF);
      if (Progress.isBar()) {
        err.println();
      }
      boolean halted = false;
      try {
        halted = halt.getAsBoolean() && ended.await(SECONDS_TO_HALT, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      err.println("lampyris: interrupted before the command ended. " + kept);
      err.flush();
      if (halted) {
        return;
      }
      command.interrupt();
      try {
        if (!ended.await(SECONDS_TO_CLEAN_UP, TimeUnit.SECONDS)) {
          err.println("lampyris: the command did not stop in time; a temporary folder may remain.");
          err.flush();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Ends it, after the command has. */
    public void end() {
      ended.countDown();
      try {
        ShutdownHookManager.get().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is about to end, and the hook has told so.
        return;
      }
    }
  }
}
