package org.lampyris.driver.output;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.function.LongConsumer;
import org.apache.spark.util.ThreadUtils;

/**
 * Parallel execution of independent pieces of work on all processors. Each piece keeps its result
 * where no other does, so what comes out does not depend on the order.
 */
public final class Workers {
  private Workers() {}

  /** A piece of work. */
  @FunctionalInterface
  public interface Piece {
    /** Does the work. */
    void run() throws IOException;
  }

  /**
   * Does all pieces, started in their order.
   *
   * @param pieces the pieces, the longest first
   * @param threads how many may be under way at once
   * @param done receives the number of finished pieces, on the calling thread, after each piece
   * @throws IOException the first failure, as it was thrown; what had not begun is left out
   */
  public static void run(List<Piece> pieces, int threads, LongConsumer done) throws IOException {
    ExecutorService executor =
        ThreadUtils.newDaemonFixedThreadPool(
            Math.max(1, Math.min(threads, pieces.size())), "write");
    CompletionService<Boolean> running = new ExecutorCompletionService<>(executor);
    try {
      for (Piece piece : pieces) {
        running.submit(
            () -> {
              piece.run();
              return true;
            });
      }
      for (long i = 1; i <= pieces.size(); i++) {
        running.take().get();
        done.accept(i);
      }
    } catch (ExecutionException e) {
      throw asThrown(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted while writing");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      executor.shutdownNow();
    }
  }

  private static IOException asThrown(ExecutionException wrapped) {
    Throwable cause = wrapped.getCause();
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return cause instanceof IOException e ? e : new IOException(wrapped);
  }

  /** Returns how many pieces may run at once: one for each processor, as far as memory allows. */
  public static int threads(double bytes) {
    Runtime runtime = Runtime.getRuntime();
    // A quarter: the draws themselves are in memory already, some of them twice.
    double fit = bytes > 0 ? runtime.maxMemory() / 4.0 / bytes : Double.POSITIVE_INFINITY;
    return (int) Math.max(1, Math.min(fit, runtime.availableProcessors()));
  }
}
