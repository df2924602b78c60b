package org.lampyris.driver.config;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** The folders of a job: that each can be written, and that none is in another's way. */
record Folders(@Nullable String output, @Nullable String prepared, @Nullable String bounds) {
  /** Names that a run writes into its output folder, which no other folder may have. */
  private static final List<String> RESULTS =
      List.of(
          "draws",
          "draws.csv",
          "sampler_stats",
          "summary.csv",
          "manifest.json",
          "subposteriors",
          "effects",
          "checkpoint",
          "steps.json",
          "report.html");

  /** Hadoop takes a path that holds one of these for a pattern when it reads it. */
  private static final String PATTERN = "*?{}[]";

  /**
   * Refuses folders with invalid names and folders that would overwrite each other.
   *
   * @throws UserException (usage) that names the key
   */
  void require() {
    requireName("output", output);
    requireName("prepared", prepared);
    requireName("bounds", bounds);
    requireApart("prepared", prepared, "bounds", bounds);
    requireApart("bounds", bounds, "prepared", prepared);
    requireNotAbove("prepared", prepared);
    requireNotAbove("bounds", bounds);
    requireNoResult("prepared", prepared);
    requireNoResult("bounds", bounds);
  }

  /** Refuses an invalid folder name, and one that Hadoop would read as another. */
  static void requireName(String key, @Nullable String folder) {
    if (folder == null) {
      return;
    }
    if (folder.isBlank()) {
      throw UserException.usage(key + " is blank. Name a folder.");
    }
    for (int i = 0; i < folder.length(); i++) {
      char c = folder.charAt(i);
      if (PATTERN.indexOf(c) >= 0) {
        throw UserException.usage(
            "%s: \"%s\" contains '%s', which Hadoop reads as part of a pattern. Name a folder without it."
                .formatted(key, folder, c));
      }
      if (Character.isISOControl(c)) {
        throw UserException.usage(
            "%s: the folder's name contains an invisible character (code %d). Name a folder without it."
                .formatted(key, (int) c));
      }
    }
    if (folder.startsWith("~")) {
      throw UserException.usage(
          "%s: \"%s\" begins with a ~, which only a shell expands. Write out the path."
              .formatted(key, folder));
    }
    if (plain(folder).matches("([A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?)?")) {
      throw UserException.usage(
          "%s: \"%s\" is the root of a file system. Name a folder below it."
              .formatted(key, folder));
    }
  }

  /** Refuses a folder that is another one or lies in it: both are replaced as a whole. */
  private static void requireApart(
      String key, @Nullable String folder, String otherKey, @Nullable String other) {
    if (folder != null && other != null && isIn(folder, other)) {
      throw UserException.usage(
          "%s: %s %s the folder of %s, %s. Name another one."
              .formatted(
                  key,
                  folder,
                  plain(folder).equals(plain(other)) ? "is" : "lies in",
                  otherKey,
                  other));
    }
  }

  /** Refuses results in a folder that is replaced as a whole. */
  private void requireNotAbove(String key, @Nullable String folder) {
    if (folder != null && output != null && isIn(output, folder)) {
      throw UserException.usage(
          "output: %s %s the folder of %s, which is replaced as a whole. Name another one."
              .formatted(output, plain(folder).equals(plain(output)) ? "is" : "lies in", key));
    }
  }

  private void requireNoResult(String key, @Nullable String folder) {
    if (folder == null || output == null) {
      return;
    }
    for (String result : RESULTS) {
      if (isIn(folder, output + "/" + result)) {
        throw UserException.usage(
            "%s: %s is where a run writes its %s. Name another folder."
                .formatted(key, folder, result));
      }
    }
  }

  private static boolean isIn(String folder, String other) {
    return (plain(folder) + "/").startsWith(plain(other) + "/");
  }

  private static String plain(String folder) {
    return folder
        .replaceAll("(?<!:)/{2,}", "/")
        .replaceAll("(?<=.)(/\\.)*/?$", "")
        .replaceAll("^/$", "");
  }
}
