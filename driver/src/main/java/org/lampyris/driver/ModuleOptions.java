package org.lampyris.driver;

import org.apache.spark.launcher.JavaModuleOptions;

/** Prints the module flags that Spark needs, for a launcher without spark-submit. */
public final class ModuleOptions {
  private ModuleOptions() {}

  /** Prints one flag a line. */
  public static void main(String[] args) {
    for (String flag : JavaModuleOptions.defaultModuleOptions().split(" ", -1)) {
      System.out.println(flag);
    }
  }
}
