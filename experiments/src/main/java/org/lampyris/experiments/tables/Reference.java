package org.lampyris.experiments.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Another program's figures of a posterior: the mean and sd of each variable, optionally its 5 %
 * and 95 % quantiles, and the Monte-Carlo standard error of each figure. A file has a column for
 * the names, then mean, sd, mcse_mean and mcse_sd, and perhaps q5, q95, mcse_q5 and mcse_q95, in
 * any order.
 *
 * @param variables the figures by column, by the variable's name
 */
record Reference(Map<String, Map<String, Double>> variables) {
  /** Suffix of a job's name for its reference. */
  static final String ENDING = ".reference.csv";

  /**
   * Joint Monte-Carlo standard errors that a difference may be. Among 1,000 figures that agree, one
   * exceeds the limit with a probability of 6 %.
   */
  static final double LIMIT = 4;

  private static final String VARIABLE = "variable";
  private static final String ERROR = "mcse_";
  private static final String SD = "sd";
  private static final List<String> NEEDED = List.of("mean", SD);
  private static final List<String> FIGURES = List.of("mean", SD, "q5", "q95");

  /**
   * Largest difference from a reference; NaN without one.
   *
   * @param inErrors of any figure, in joint Monte-Carlo standard errors; of the sd its logarithm
   * @param inSds of a mean or quantile, in the reference's posterior sds
   * @param error the joint Monte-Carlo standard error of {@code inSds}, in the same unit
   */
  record Difference(double inErrors, double inSds, double error) {
    static final Difference NONE = new Difference(Double.NaN, Double.NaN, Double.NaN);

    /** Returns whether the figures agree, up to chance, or there is no reference. */
    boolean isChance() {
      return !(inErrors > LIMIT);
    }
  }

  /**
   * Reads a file; empty if it does not exist.
   *
   * @throws UserException (data) if it is something else
   */
  static Reference read(Path file) throws IOException {
    Map<String, Map<String, Double>> variables = new LinkedHashMap<>();
    if (Files.exists(file)) {
      List<String> lines = Files.readAllLines(file);
      List<String> header = List.of(lines.get(0).replace("\"", "").split(","));
      boolean known =
          header.get(0).equals(VARIABLE)
              && NEEDED.stream().allMatch(of -> header.containsAll(List.of(of, ERROR + of)));
      if (!known) {
        throw UserException.data(
            "%s has the columns %s. A reference starts with the column %s and has mean, sd, mcse_mean and mcse_sd. Write these columns, or remove the file."
                .formatted(file, String.join(", ", header), VARIABLE));
      }
      for (String line : lines.subList(1, lines.size())) {
        // A variable's name may hold commas; numbers do not.
        String[] cells = line.replace("\"", "").split(",", -1);
        int more = cells.length - header.size();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int k = 1; k < header.size(); k++) {
          figures.put(header.get(k), Double.parseDouble(cells[k + more]));
        }
        String name = String.join(",", List.of(cells).subList(0, 1 + more));
        variables.put(name, figures);
      }
    }
    return new Reference(variables);
  }

  /**
   * Returns the largest differences of the variables found.
   *
   * @param draws of each variable, chains × iterations. Not modified.
   * @throws UserException (data) if a variable that there is here is not among those found
   */
  Difference difference(List<VariableSummary> found, double[][][] draws) {
    List<String> names = found.stream().map(VariableSummary::variable).toList();
    Difference largest = Difference.NONE;
    for (Map.Entry<String, Map<String, Double>> of : variables.entrySet()) {
      int index = names.indexOf(of.getKey());
      if (index < 0) {
        throw UserException.data(
            "the reference has the variable %s, but the draws have %s."
                .formatted(of.getKey(), String.join(", ", names)));
      }
      for (String figure : FIGURES) {
        if (of.getValue().containsKey(figure)) {
          Difference one = difference(figure, of.getValue(), found.get(index), draws[index]);
          largest = larger(largest, one);
        }
      }
    }
    return largest;
  }

  private static Difference larger(Difference a, Difference b) {
    boolean farther = !(a.inSds >= b.inSds) && !Double.isNaN(b.inSds);
    return new Difference(
        Double.isNaN(a.inErrors) ? b.inErrors : Math.max(a.inErrors, b.inErrors),
        farther ? b.inSds : a.inSds,
        farther ? b.error : a.error);
  }

  private static Difference difference(
      String figure, Map<String, Double> of, VariableSummary found, double[][] draws) {
    double there = of.getOrDefault(figure, Double.NaN);
    double errorThere = of.getOrDefault(ERROR + figure, Double.NaN);
    double here =
        switch (figure) {
          case "mean" -> found.mean();
          case SD -> found.sd();
          case "q5" -> found.quantiles().q5();
          default -> found.quantiles().q95();
        };
    double errorHere =
        switch (figure) {
          case "mean" -> found.mixing().mcseMean();
          case SD -> found.mixing().mcseSd();
          case "q5" -> Diagnostics.mcseQuantile(draws, 0.05);
          default -> Diagnostics.mcseQuantile(draws, 0.95);
        };
    if (figure.equals(SD)) {
      double error = Math.hypot(errorThere / there, errorHere / here);
      return new Difference(Math.abs(Math.log(here / there)) / error, Double.NaN, Double.NaN);
    }
    double sd = of.getOrDefault(SD, Double.NaN);
    double error = Math.hypot(errorThere, errorHere);
    double off = Math.abs(here - there);
    return new Difference(off / error, off / sd, error / sd);
  }
}
