package org.lampyris.driver.cli;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.RunOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prepares, precomputes and samples for the rows of an earlier run and later ones. */
@Command(
    name = "update",
    description =
        "Append later rows to an earlier run, and draw from the posterior of all rows. Columns,"
            + " scales and priors of the earlier table stay; random effects take new levels. Its rows are not prepared"
            + " again, and are read again only if the later ones move the mode far. Set data.input"
            + " to the later rows alone, and output to a new folder.",
    footer = {
      "",
      "Example. Append February's rows to January's:",
      "  lampyris update --from runs/january --set data.input=feb.csv --set output=runs/february"
    })
final class UpdateCommand extends SamplingCommand.Run {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "<folder>",
      description =
          "The output folder of the earlier run. Its configuration is used, with the changes in"
              + " --set, unless --config names another.")
  private String from = "";

  UpdateCommand(Steps steps, Console console) {
    super("update", steps, console);
  }

  @Override
  JobConfig read() throws IOException {
    Configuration conf = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    RunOutput.Earlier earlier = RunOutput.open(conf, from).earlier();
    return config.readOver(
        earlier.source(),
        earlier.text(),
        name,
        needs,
        earlier.settings().toArray(SetOption[]::new));
  }
}
