package org.lampyris.executors.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Versions of Lampyris and of its Spark, from the properties that Maven fills in. */
public final class LibraryVersion {
  private static final String PROPERTIES = "/lampyris.properties";

  private LibraryVersion() {}

  /** Returns the version. */
  public static String get() {
    return property("version");
  }

  /** Returns the version of Spark that this was compiled for. */
  public static String spark() {
    return property("spark");
  }

  private static String property(String name) {
    try (InputStream in = LibraryVersion.class.getResourceAsStream(PROPERTIES)) {
      if (in == null) {
        throw new IllegalStateException(PROPERTIES + " is not on the class path");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty(name, "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
