package org.lampyris.executors.table;

import java.nio.file.AccessDeniedException;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** Says in one sentence why a path cannot be read or written. */
public final class StorageProblem {
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
      String text = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
      if (text.contains("no space left on device") || text.contains("quota")) {
        return UserException.usage(
            ("no room to write %s (%s); free some, or choose another folder for the"
                    + " output, or for Spark's own temporary files (spark.local.dir)")
                .formatted(path, root(t)),
            failure);
      }
      if (t instanceof AccessControlException
          || t instanceof AccessDeniedException
          || text.contains("permission denied")) {
        return UserException.usage(
            "no permission to %s %s; choose another path, or have the permission granted"
                .formatted(deed, path),
            failure);
      }
    }
    return null;
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
