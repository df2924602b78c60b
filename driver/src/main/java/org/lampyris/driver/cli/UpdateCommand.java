package org.lampyris.driver.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.output.Manifest;
import org.lampyris.driver.steps.Steps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Does it all for the rows of an earlier run and those that came later. */
@Command(
    name = "update",
    description =
        "Put later rows after those of an earlier run and draw from the posterior of all: the columns,"
            + " levels, scales and priors stay those of the earlier table, whose rows are neither"
            + " prepared nor passed over again unless the later ones move the mode far. data.input is"
            + " the later rows alone, output a new folder.")
final class UpdateCommand extends SamplingCommand.Run {
  /** What every run has of its own. */
  private static final List<String> OWN = List.of("output", "prepared", "bounds");

  @Option(
      names = "--from",
      required = true,
      paramLabel = "<folder>",
      description =
          "The output folder of the earlier run. Its configuration is that of this run, but for what"
              + " --set says, unless --config names another.")
  private String from = "";

  UpdateCommand(Steps steps, Console console) {
    super("update", steps, console);
  }

  @Override
  JobConfig read() throws IOException {
    Configuration conf = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    JsonNode manifest = Manifest.read(conf, from);
    if (!(manifest.path("configuration").deepCopy() instanceof ObjectNode earlier)) {
      throw UserException.usage(
          "--from: %s holds no run that has ended (no manifest.json); name the output folder of one."
              .formatted(from));
    }
    String prepared = earlier.path("prepared").asText();
    String bounds = earlier.path("bounds").asText();
    earlier.remove(OWN);
    if (earlier.path("data") instanceof ObjectNode data) {
      data.remove(List.of("input", "like"));
    }
    return config.readOver(
        from + "/manifest.json",
        earlier.toString(),
        name,
        needs,
        SetOption.flag("--from", prepared, "data", "after"),
        SetOption.flag("--from", bounds, "precompute", "after"));
  }
}
