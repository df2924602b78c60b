package org.lampyris.experiments.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * What another program says of a posterior: the mean and the sd of variables, and the Monte-Carlo
 * standard error of each. A file has the columns variable, mean, sd, mcse_mean and mcse_sd.
 *
 * @param variables the figures, by name
 */
record Reference(Map<String, Figures> variables) {
  /** What comes after a job's name in that of its reference. */
  static final String ENDING = ".reference.csv";

  private static final String HEADER = "variable,mean,sd,mcse_mean,mcse_sd";

  /** The figures of a variable. */
  record Figures(double mean, double sd, double errorOfMean, double errorOfSd) {
    private static Figures of(String[] cells) {
      return new Figures(
          Double.parseDouble(cells[1]),
          Double.parseDouble(cells[2]),
          Double.parseDouble(cells[3]),
          Double.parseDouble(cells[4]));
    }

    /** Returns by how many joint Monte-Carlo errors a mean, or the logarithm of an sd, differs. */
    private double apart(VariableSummary found) {
      double means = (found.mean() - mean) / Math.hypot(errorOfMean, found.mixing().mcseMean());
      double sds =
          Math.log(found.sd() / sd)
              / Math.hypot(errorOfSd / sd, found.mixing().mcseSd() / found.sd());
      return Math.max(Math.abs(means), Math.abs(sds));
    }
  }

  /**
   * Reads a file; there is nothing in one that does not exist.
   *
   * @throws UserException (data) if it is something else
   */
  static Reference read(Path file) throws IOException {
    Map<String, Figures> variables = new LinkedHashMap<>();
    if (Files.exists(file)) {
      List<String> lines = Files.readAllLines(file);
      if (!lines.get(0).replace("\"", "").equals(HEADER)) {
        throw UserException.data(file + " does not begin with " + HEADER + ".");
      }
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.replace("\"", "").split(",(?=[^,]*(?:,[^,]*){0,3}$)", -1);
        variables.put(cells[0], Figures.of(cells));
      }
    }
    return new Reference(variables);
  }

  /**
   * Returns the largest difference of a mean, or of the logarithm of an sd, in joint Monte-Carlo
   * standard errors; NaN where there is nothing to compare.
   *
   * @throws UserException (data) if a variable that there is here is not among those found
   */
  double apart(List<VariableSummary> found) {
    if (variables.isEmpty()) {
      return Double.NaN;
    }
    Map<String, VariableSummary> byName = new LinkedHashMap<>();
    found.forEach(summary -> byName.put(summary.variable(), summary));
    double largest = 0;
    for (Map.Entry<String, Figures> of : variables.entrySet()) {
      VariableSummary summary = byName.get(of.getKey());
      if (summary == null) {
        throw UserException.data(
            "the reference has the variable %s, and the draws have %s."
                .formatted(of.getKey(), String.join(", ", byName.keySet())));
      }
      largest = Math.max(largest, of.getValue().apart(summary));
    }
    return largest;
  }
}
