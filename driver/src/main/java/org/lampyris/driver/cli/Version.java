package org.lampyris.driver.cli;

import org.apache.spark.package$;
import org.lampyris.executors.table.LibraryVersion;
import picocli.CommandLine;

/** Versions of Lampyris, Spark and Java. */
public final class Version implements CommandLine.IVersionProvider {
  /** Returns the version of Lampyris. */
  public static String lampyris() {
    return LibraryVersion.get();
  }

  /** Returns the version of Spark. */
  public static String spark() {
    return package$.MODULE$.SPARK_VERSION();
  }

  /** Returns the version of Java. */
  public static String java() {
    return Runtime.version().toString();
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "Lampyris " + lampyris() + " (Spark " + spark() + ", Java " + java() + ")"
    };
  }
}
