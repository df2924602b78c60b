package org.lampyris.driver.source;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.LibraryVersion;

/**
 * Release line of Spark, such as 4.1. Spark's internal classes change between lines, so a jar runs
 * on the line that it was compiled for.
 */
final class SparkLine {
  private static final Pattern LINE = Pattern.compile("^(\\d+\\.\\d+)\\..*");

  private SparkLine() {}

  /** Returns the version of Spark that this jar was compiled for; may be no version. */
  static String built() {
    return LibraryVersion.spark();
  }

  /**
   * Refuses a session of another line.
   *
   * @param built the version that the jar was compiled for; any session fits if it is none
   * @throws UserException (usage) naming both lines
   */
  static void requireSame(String built, String running) {
    Optional<String> own = of(built);
    Optional<String> other = of(running);
    if (own.isPresent() && !own.equals(other)) {
      throw UserException.usage(
          "This jar of Lampyris is for Spark %s, but the session runs Spark %s. Use a jar that was built for Spark %s."
              .formatted(own.get(), running, other.orElse(running)));
    }
  }

  private static Optional<String> of(String version) {
    Matcher line = LINE.matcher(version);
    if (!line.matches()) {
      return Optional.empty();
    }
    return Optional.of(line.group(1));
  }
}
