package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import org.junit.jupiter.api.Test;

class LampyrisRegistratorTest {
  /** Counts how often it is asked for services and classes. */
  private static final class Counting extends ClassLoader {
    private int asked;

    Counting() {
      super(LampyrisRegistrator.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      asked++;
      return super.getResources(name);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      asked++;
      return super.loadClass(name, resolve);
    }
  }

  /** Spark makes a Kryo for every shuffle task. */
  @Test
  void classesAreLookedUpOnceForAClassLoader() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    Counting users = new Counting();
    try {
      thread.setContextClassLoader(users);
      new LampyrisRegistrator().registerClasses(new Kryo());
      int first = users.asked;
      assertTrue(first > 50, first + " questions");
      new LampyrisRegistrator().registerClasses(new Kryo());
      assertEquals(first, users.asked);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
