package org.lampyris.driver.report;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/** Result of work that another thread may do meanwhile, which finds the same users' jars. */
final class Later<T> {
  private final FutureTask<T> task;

  private Later(Callable<T> work) {
    task = new FutureTask<>(work);
  }

  /** Hands work to an executor. */
  static <T> Later<T> of(Executor executor, Callable<T> work) {
    Later<T> later = new Later<>(work);
    ClassLoader jars = Thread.currentThread().getContextClassLoader();
    executor.execute(
        () -> {
          Thread thread = Thread.currentThread();
          ClassLoader own = thread.getContextClassLoader();
          thread.setContextClassLoader(jars);
          try {
            later.task.run();
          } finally {
            thread.setContextClassLoader(own);
          }
        });
    return later;
  }

  /** Returns the result; throws what the work has thrown. */
  T get() throws IOException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      } else if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the report was written", e);
    }
  }
}
