package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.TrueCoefficients;
import picocli.CommandLine.Option;

/** The option of every command that shows a summary. */
final class TruthOption {
  @Option(
      names = "--truth",
      paramLabel = "<file>",
      description = "Show the true coefficients of a generated table beside.")
  private @Nullable String file;

  /** Returns the true values by coefficient; empty if none are named. */
  Map<String, Double> read(Configuration conf) throws IOException {
    return file == null ? Map.of() : TrueCoefficients.read(conf, file);
  }
}
