package org.lampyris.experiments.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;

/**
 * A table with the runs on it.
 *
 * @param name what the table is called
 * @param source where it comes from
 * @param settings keys of the configuration that hold for all its rows, as {@code --set} takes them
 * @param entries the rows
 */
public record Subject(String name, Source source, List<String> settings, List<BenchEntry> entries) {

  /** Source of a table. */
  public sealed interface Source {

    /**
     * A table that is generated.
     *
     * @param rows how many rows
     * @param features the number of features without the intercept
     */
    record Generated(long rows, int features) implements Source {}

    /**
     * A table that must be prepared.
     *
     * @param path its path
     * @param label the label's column; null if the settings name it
     */
    record Input(String path, @Nullable String label) implements Source {}

    /**
     * A table that has been prepared.
     *
     * @param folder its folder
     */
    record Prepared(String folder) implements Source {}
  }

  /** Copies the lists. */
  public Subject {
    settings = List.copyOf(settings);
    entries = List.copyOf(entries);
  }

  /** Returns a generated table. */
  public static Subject generated(
      long rows, int features, List<String> set, List<BenchEntry> entries) {
    String name = Text.of("%,d rows × %d features", rows, features);
    return new Subject(name, new Source.Generated(rows, features), set, entries);
  }
}
