package org.lampyris.driver.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.output.Manifest;

/**
 * A run that later rows are added to.
 *
 * @param source where its configuration stands, for messages
 * @param configuration as YAML, without what every run has of its own
 * @param settings what has the later rows come after its own
 */
public record EarlierRun(String source, String configuration, List<SetOption> settings) {
  private static final List<String> OWN = List.of("output", "prepared", "bounds");
  private static final String OPTION = "--from";

  /**
   * Reads what a run was configured as.
   *
   * @param folder its output folder
   * @throws UserException (usage) if it holds no run that has ended
   */
  public static EarlierRun read(Configuration conf, String folder) throws IOException {
    JsonNode manifest = Manifest.read(conf, folder);
    if (!(manifest.path("configuration").deepCopy() instanceof ObjectNode earlier)) {
      throw UserException.usage(
          "%s: %s holds no run that has ended (no manifest.json); name the output folder of one."
              .formatted(OPTION, folder));
    }
    String prepared = earlier.path("prepared").asText();
    JobConfig.requireRows(folder, prepared);
    String bounds = earlier.path("bounds").asText();
    earlier.remove(OWN);
    if (earlier.path("data") instanceof ObjectNode data) {
      data.remove(List.of("input", "like"));
    }
    return new EarlierRun(
        folder + "/manifest.json",
        earlier.toString(),
        List.of(
            SetOption.flag(OPTION, prepared, "data", "after"),
            SetOption.flag(OPTION, bounds, "precompute", "after")));
  }
}
