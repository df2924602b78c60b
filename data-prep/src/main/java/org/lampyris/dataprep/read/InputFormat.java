package org.lampyris.dataprep.read;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** The forms of table that can be read. */
enum InputFormat {
  PARQUET,
  CSV,
  LIBSVM;

  private static final List<String> COMPRESSIONS =
      List.of(".gz", ".bz2", ".zst", ".snappy", ".lz4", ".deflate");

  private List<String> endings() {
    return switch (this) {
      case PARQUET -> List.of(".parquet", ".parq");
      case CSV -> List.of(".csv");
      case LIBSVM -> List.of(".libsvm", ".svm", ".svmlight");
    };
  }

  /** Returns the name that the configuration and the schema use. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the format that is given, or else the one that the names of the files tell.
   *
   * @throws UserException (usage) if it is unknown or cannot be told
   */
  static InputFormat tell(@Nullable String given, InputFiles files) {
    if (given != null) {
      for (InputFormat format : values()) {
        if (format.key().equals(given.toLowerCase(Locale.ROOT))) {
          return format;
        }
      }
      throw UserException.usage(
          "data.format '" + given + "' is unknown; known: parquet, csv, libsvm");
    }
    for (String name : List.of(files.input(), files.files().get(0).getName())) {
      InputFormat byName = byName(name);
      if (byName != null) {
        return byName;
      }
    }
    throw UserException.usage(
        "the format of %s cannot be told by its name; add data.format: parquet, csv or libsvm"
            .formatted(files.input()));
  }

  private static @Nullable InputFormat byName(String path) {
    String name = path.toLowerCase(Locale.ROOT).replaceAll("/+$", "");
    for (String compression : COMPRESSIONS) {
      if (name.endsWith(compression)) {
        name = name.substring(0, name.length() - compression.length());
      }
    }
    for (InputFormat format : values()) {
      for (String ending : format.endings()) {
        if (name.endsWith(ending)) {
          return format;
        }
      }
    }
    return null;
  }
}
