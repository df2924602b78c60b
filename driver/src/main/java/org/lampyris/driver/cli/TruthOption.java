package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.CsvText;
import picocli.CommandLine.Option;

/** The option of every command that shows a summary. */
final class TruthOption {
  @Option(
      names = "--truth",
      paramLabel = "<file>",
      description = "Show the true coefficients of a generated table in the summary.")
  private @Nullable String file;

  /**
   * Reads the file, whose columns are {@code variable} and {@code value}.
   *
   * @return the true values by coefficient, in the file's order; empty if none is named
   */
  Map<String, Double> read(Configuration conf) throws IOException {
    Map<String, Double> values = new LinkedHashMap<>();
    if (file == null) {
      return values;
    }
    Path path = new Path(file);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data(
          "The file " + file + " with true coefficients does not exist. Check --truth.");
    }
    List<String[]> lines = CsvText.read(conf, path);
    if (lines.isEmpty() || !List.of(lines.get(0)).equals(List.of("variable", "value"))) {
      throw UserException.data(file + ", line 1: the header must be variable,value.");
    }
    for (int line = 1; line < lines.size(); line++) {
      String[] cells = lines.get(line);
      if (cells.length != 2) {
        throw UserException.data(file + ", line " + (line + 1) + ": each line needs two cells.");
      }
      values.put(cells[0], CsvText.number(path, line + 1, "value", cells[1]));
    }
    return values;
  }
}
