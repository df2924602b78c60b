package org.lampyris.driver.output;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;

/** Reads the coefficients that a generated table was made with. */
public final class TrueCoefficients {
  private TrueCoefficients() {}

  /**
   * Reads a file with the columns {@code variable} and {@code value}.
   *
   * @return the values by variable, in the file's order
   */
  public static Map<String, Double> read(Configuration conf, String file) throws IOException {
    Path path = new Path(file);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data(
          "The file " + file + " of true coefficients does not exist; check --truth.");
    }
    List<String[]> lines = CsvText.read(conf, path);
    if (lines.isEmpty() || !List.of(lines.get(0)).equals(List.of("variable", "value"))) {
      throw UserException.data(file + ", line 1: the header must be variable,value.");
    }
    Map<String, Double> values = new LinkedHashMap<>();
    for (int line = 1; line < lines.size(); line++) {
      String[] cells = lines.get(line);
      if (cells.length != 2) {
        throw UserException.data(file + ", line " + (line + 1) + ": two cells are wanted.");
      }
      values.put(cells[0], CsvText.number(path, line + 1, "value", cells[1]));
    }
    return values;
  }
}
