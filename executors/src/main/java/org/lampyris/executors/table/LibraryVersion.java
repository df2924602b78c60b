package org.lampyris.executors.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Lampyris, from the properties that Maven puts into the jar. */
public final class LibraryVersion {
  private static final String PROPERTIES =
      "/META-INF/maven/org.lampyris/lampyris-executors/pom.properties";

  private LibraryVersion() {}

  /** Returns the version, "development" when run from class folders. */
  public static String get() {
    try (InputStream in = LibraryVersion.class.getResourceAsStream(PROPERTIES)) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "development");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
