package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads doubles from memory as fast as a plain loop can: the reference for a pass over the rows.
 * Each thread sums an array of its own, far larger than a processor's caches.
 */
final class StreamRead implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;
  private final List<double[]> arrays = new ArrayList<>();

  /**
   * Fills the arrays.
   *
   * @param threads how many threads read
   * @param doubles how many doubles all of them read
   */
  StreamRead(int threads, int doubles) {
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "stream-read");
              thread.setDaemon(true);
              return thread;
            });
    for (int t = 0; t < threads; t++) {
      double[] array = new double[doubles / threads];
      java.util.Arrays.setAll(array, i -> i & 7);
      arrays.add(array);
    }
  }

  /** Returns how many bytes a reading reads. */
  long bytes() {
    return 8L * threads * arrays.get(0).length;
  }

  /** Reads everything once and returns how many seconds it took. */
  double seconds() {
    List<Callable<Double>> sums = new ArrayList<>();
    arrays.forEach(array -> sums.add(() -> sum(array)));
    long begun = System.nanoTime();
    double total = 0;
    try {
      for (Future<Double> sum : pool.invokeAll(sums)) {
        total += sum.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    double seconds = 1e-9 * (System.nanoTime() - begun);
    if (!(total > 0)) {
      throw new IllegalStateException("the sum is " + total);
    }
    return seconds;
  }

  /** Eight running sums: a single one would wait for additions and not for memory. */
  private static double sum(double[] a) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    for (int i = 0; i + 7 < a.length; i += 8) {
      s0 += a[i];
      s1 += a[i + 1];
      s2 += a[i + 2];
      s3 += a[i + 3];
      s4 += a[i + 4];
      s5 += a[i + 5];
      s6 += a[i + 6];
      s7 += a[i + 7];
    }
    return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
