package org.lampyris.executors.table;

import java.nio.file.AccessDeniedException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** Explains in a message why a path cannot be read or written. */
public final class StorageProblem {
  /** The modules of file systems that Spark does not bring along; %s is Hadoop's version. */
  private static final Map<String, String> MODULES =
      Map.of(
          "s3a:", "org.apache.hadoop:hadoop-aws:%s",
          "s3:", "org.apache.hadoop:hadoop-aws:%s, and write s3a: instead of s3:",
          "abfs:", "org.apache.hadoop:hadoop-azure:%s",
          "abfss:", "org.apache.hadoop:hadoop-azure:%s",
          "wasbs:", "org.apache.hadoop:hadoop-azure:%s",
          "gs:", "com.google.cloud.bigdataoss:gcs-connector:hadoop3-2.2.26",
          "oss:", "org.apache.hadoop:hadoop-aliyun:%s");

  /** Pattern of the sentence about a quota, in Spark's many lines. */
  private static final Pattern QUOTA =
      Pattern.compile("(?i)[^:\\r\\n]*\\bquota\\b[^\\r\\n]*exceeded[^\\r\\n]*");

  private StorageProblem() {}

  /** Returns the problem of writing a path. */
  public static UserException writing(String path, Throwable failure) {
    return Objects.requireNonNullElseGet(
        known(path, "write to", failure),
        () -> UserException.usage("cannot write to " + path + ": " + root(failure), failure));
  }

  /** Returns the problem of reading a path. */
  public static UserException reading(String path, Throwable failure) {
    return Objects.requireNonNullElseGet(
        known(path, "read", failure),
        () -> UserException.data("cannot read " + path + ": " + root(failure), failure));
  }

  /**
   * Returns the problem if it is missing room or permission, else null.
   *
   * @param deed "read" or "write to"
   * @param failure what Hadoop or Spark threw, wrapped or not
   */
  public static @Nullable UserException known(String path, String deed, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      UserException absent = withoutModule(path, t);
      if (absent != null) {
        return absent;
      }
      UserException full = noRoom(path, t);
      if (full != null) {
        return full;
      }
      String text = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
      if (t instanceof AccessControlException
          || t instanceof AccessDeniedException
          || text.contains("permission denied")) {
        return UserException.usage(
            "no permission to %s %s. Choose another path, or get permission for it."
                .formatted(deed, path),
            failure);
      }
    }
    return null;
  }

  /**
   * Returns the problem if it is a full disk, or a quota that is reached, else null. Causes are not
   * looked at.
   */
  public static @Nullable UserException noRoom(String path, Throwable t) {
    String text = String.valueOf(t.getMessage());
    Matcher quota = QUOTA.matcher(text);
    if (quota.find()) {
      return UserException.usage(
          ("no room to write %s: %s. Free some of the quota, have it raised, or choose another"
                  + " folder. Then give the command again.")
              .formatted(path, quota.group().strip()),
          t);
    }
    if (!text.contains("No space left on device")) {
      return null;
    }
    return UserException.usage(
        ("no room to write %s (%s). Free some space, or choose another output folder. For temporary"
                + " files, set Spark's folder by --conf spark.local.dir=… and the driver's by"
                + " --driver-java-options -Djava.io.tmpdir=…. Then give the command again.")
            .formatted(path, root(t)),
        t);
  }

  /**
   * Returns the problem that Hadoop's module for a file system is missing; null for other failures.
   */
  public static @Nullable UserException withoutModule(String path, Throwable t) {
    String text = String.valueOf(t.getMessage());
    boolean isClass =
        t instanceof ClassNotFoundException || text.contains("ClassNotFoundException");
    if (!isClass && !text.contains("No FileSystem for scheme")) {
      return null;
    }
    for (Map.Entry<String, String> module : MODULES.entrySet()) {
      String scheme = module.getKey().replace(":", "");
      if (path.startsWith(module.getKey())
          || text.contains("fs." + scheme + ".")
          || text.contains("scheme \"" + scheme + "\"")
          || (scheme.equals("abfs") && text.contains("fs.azurebfs."))) {
        return UserException.usage(
            "%s needs a Hadoop module that is not on the class path. Add --packages %s."
                .formatted(path, module.getValue().formatted(VersionInfo.getVersion())),
            t);
      }
    }
    return isClass
        ? null
        : UserException.usage(
            "%s is on a file system unknown to Hadoop (%s). Check the path, or add its jar with --jars."
                .formatted(path, text.lines().findFirst().orElse("")),
            t);
  }

  /** Returns the first line of the innermost message; Spark's own hold whole stack traces. */
  private static String root(Throwable failure) {
    Throwable t = failure;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    String text = t.getMessage();
    return text == null ? t.getClass().getSimpleName() : text.lines().findFirst().orElse("");
  }
}
