package org.lampyris.driver.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.spark.package$;
import picocli.CommandLine;

/** The versions of what runs. */
final class Version implements CommandLine.IVersionProvider {

  /** Returns the version of Lampyris. */
  static String lampyris() {
    try (InputStream in = Version.class.getResourceAsStream("/lampyris.properties")) {
      if (in == null) {
        throw new IllegalStateException("lampyris.properties is not on the class path");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String spark() {
    return package$.MODULE$.SPARK_VERSION();
  }

  static String java() {
    return Runtime.version().toString();
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "Lampyris " + lampyris() + " (Spark " + spark() + ", Java " + java() + ")"
    };
  }
}
