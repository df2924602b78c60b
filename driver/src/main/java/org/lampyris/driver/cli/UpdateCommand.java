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

/** Does it all for the rows of an earlier run and those that came later. */
@Command(
    name = "update",
    description =
        "Put later rows after those of an earlier run and draw from the posterior of all: the"
            + " columns, levels, scales and priors stay those of the earlier table, whose rows are"
            + " neither prepared nor passed over again unless the later ones move the mode far."
            + " data.input is the later rows alone, output a new folder.",
    footer = {
      "",
      "Example. February's rows after January's:",
      "  lampyris update --from runs/january --set data.input=feb.csv --set output=runs/february"
    })
final class UpdateCommand extends SamplingCommand.Run {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "<folder>",
      description =
          "The output folder of the earlier run. Its configuration is that of this run, but for"
              + " what --set says, unless --config names another.")
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
