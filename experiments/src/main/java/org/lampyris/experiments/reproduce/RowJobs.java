package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;

/** The configurations of an experiment's rows, all read before anything runs. */
final class RowJobs {
  private static final Set<NeededKey> NEEDS =
      EnumSet.of(
          NeededKey.INPUT, NeededKey.LABEL, NeededKey.OUTPUT, NeededKey.PREPARED, NeededKey.BOUNDS);

  private RowJobs() {}

  /**
   * Reads them.
   *
   * @param input the table
   * @param folder the folder of this table's results; its name is also a generated table's name
   * @param over settings over every row
   * @throws org.lampyris.bounds.config.UserException (usage) if a key is unknown or a value wrong
   */
  static List<JobConfig> read(
      Experiment experiment,
      List<Experiment.Row> rows,
      String input,
      Path folder,
      List<String> over)
      throws IOException {
    ConfigReader reader = new ConfigReader();
    MadeTable made = experiment.tables().get(String.valueOf(folder.getFileName()));
    Path file = Files.createTempFile("lampyris-", ".yaml");
    try {
      Files.writeString(file, experiment.yaml(), StandardCharsets.UTF_8);
      List<JobConfig> jobs = new ArrayList<>();
      for (Experiment.Row row : rows) {
        List<SetOption> set = new ArrayList<>();
        set.add(SetOption.flag("--data", input, "data", "input"));
        if (made != null) {
          made.settings().forEach(setting -> set.add(SetOption.parse(setting)));
        }
        row.settings().forEach(setting -> set.add(SetOption.parse(setting)));
        over.forEach(setting -> set.add(SetOption.parse(setting)));
        set.add(SetOption.flag("output", folder.resolve(row.folder()).toString(), "output"));
        set.add(SetOption.flag("prepared", folder.resolve("prepared").toString(), "prepared"));
        set.add(SetOption.flag("bounds", folder.resolve("bounds").toString(), "bounds"));
        jobs.add(reader.read(file, set, "reproduce", NEEDS));
      }
      return jobs;
    } finally {
      Files.delete(file);
    }
  }
}
