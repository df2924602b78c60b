package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;

/**
 * The configurations of the rows.
 *
 * @param reader reads configurations
 * @param work the folder of the tables
 * @param settings keys that override the tables' and are overridden by the rows', as in {@code
 *     --set}
 */
public record BenchJobs(ConfigReader reader, String work, List<String> settings) {

  /** Copies the list. */
  public BenchJobs {
    settings = List.copyOf(settings);
  }

  /**
   * Returns the configuration of a row.
   *
   * @param subject the table
   * @param entry the row
   * @param draws draws per chain
   * @throws org.lampyris.bounds.config.UserException (usage) if it is none
   */
  public JobConfig of(Subject subject, BenchEntry entry, int draws) {
    List<SetOption> set = table(subject);
    entry.settings().forEach(setting -> set.add(SetOption.parse(setting)));
    set.add(flag("--warmup", "sampler", "warmup", Integer.toString(entry.warmup())));
    set.add(flag("--draws", "sampler", "draws", Integer.toString(draws)));
    return reader.read(null, set, "bench", needs(subject.source()));
  }

  /** Returns the configuration of a table, with any sampler. */
  JobConfig of(Subject subject) {
    return reader.read(null, table(subject), "bench", needs(subject.source()));
  }

  private List<SetOption> table(Subject subject) {
    String folder = folder(subject);
    List<SetOption> set = new ArrayList<>();
    set.add(SetOption.flag("output", folder, "output"));
    set.add(SetOption.flag("bounds", folder + "/bounds", "bounds"));
    set.add(SetOption.flag("prepared", folder + "/prepared", "prepared"));
    if (subject.source() instanceof Subject.Source.Generated table) {
      String generated = folder + "/generated";
      set.add(flag("--rows", "generate", "rows", Long.toString(table.rows())));
      set.add(flag("--features", "generate", "features", Integer.toString(table.features())));
      set.add(flag("--work", "generate", "output", generated));
      set.add(flag("--work", "data", "input", generated + "/table"));
      set.add(flag("--work", "data", "format", "parquet"));
      set.add(flag("--work", "data", "label", "y"));
    } else if (subject.source() instanceof Subject.Source.Input table) {
      set.add(flag("--data", "data", "input", table.path()));
      if (table.label() != null) {
        set.add(flag("--label", "data", "label", table.label()));
      }
    } else if (subject.source() instanceof Subject.Source.Prepared table) {
      set.add(SetOption.flag("prepared", table.folder(), "prepared"));
    }
    subject.settings().forEach(setting -> set.add(SetOption.parse(setting)));
    settings.forEach(setting -> set.add(SetOption.parse(setting)));
    return set;
  }

  /** Returns the folder of a table's files. */
  String folder(Subject subject) {
    String name = subject.name().toLowerCase(Locale.ROOT).replace(",", "");
    return work + "/" + name.replaceAll("[^a-z0-9.]+", "-");
  }

  private static Set<NeededKey> needs(Subject.Source source) {
    return source instanceof Subject.Source.Prepared
        ? EnumSet.of(NeededKey.OUTPUT, NeededKey.PREPARED, NeededKey.BOUNDS)
        : EnumSet.of(
            NeededKey.OUTPUT,
            NeededKey.PREPARED,
            NeededKey.BOUNDS,
            NeededKey.INPUT,
            NeededKey.LABEL);
  }

  private static SetOption flag(String option, String section, String key, String text) {
    return SetOption.flag(option, text, section, key);
  }
}
