package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class LaterTest {
  /** By spark-submit, Lampyris and users' jars are in a class loader that the pool has not. */
  @Test
  void workFindsTheServicesOfItsCaller() throws IOException {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader jars = new URLClassLoader(new URL[0], before)) {
      Thread.currentThread().setContextClassLoader(jars);
      Later<ClassLoader> later =
          Later.of(ForkJoinPool.commonPool(), () -> Thread.currentThread().getContextClassLoader());
      assertSame(jars, later.get());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
