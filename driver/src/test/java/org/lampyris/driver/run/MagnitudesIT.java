package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Labels beyond the range of an int, and columns in units far from 1: posterior means and sds
 * beside least squares and Fisher's information in closed form. The seed is fixed. A Monte-Carlo
 * error of 1/20 posterior sd leaves a false-alarm rate of 1 in 15,000 at 0.2 of them.
 */
class MagnitudesIT {
  private static final int ROWS = 41;
  private static final double NEAR = 0.2;

  @TempDir static Path folder;

  /** Intercept and slope, and the sd of each. */
  private record Line(double intercept, double slope, double sdIntercept, double sdSlope) {
    /** Weighted least squares of z on x, with the variance that a unit weight has. */
    static Line of(double[] x, double[] z, double[] weight, double variance) {
      double w = 0;
      double wx = 0;
      double wxx = 0;
      double wz = 0;
      double wxz = 0;
      for (int n = 0; n < x.length; n++) {
        w += weight[n];
        wx += weight[n] * x[n];
        wxx += weight[n] * x[n] * x[n];
        wz += weight[n] * z[n];
        wxz += weight[n] * x[n] * z[n];
      }
      double determinant = w * wxx - wx * wx;
      return new Line(
          (wxx * wz - wx * wxz) / determinant,
          (w * wxz - wx * wz) / determinant,
          Math.sqrt(variance * wxx / determinant),
          Math.sqrt(variance * w / determinant));
    }
  }

  private static Map<String, double[]> sampled(String family, double[] x, double[] y)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < ROWS; n++) {
      lines.add(new BigDecimal(y[n]).toPlainString() + "," + x[n]);
    }
    Path table = Files.createTempFile(folder, "table", ".csv");
    Files.write(table, lines);
    Path out = folder.resolve(table.getFileName() + ".run");
    String[] settings = {
      "data.input=" + table,
      "data.label=y",
      "model.family=" + family,
      "sampler.chains=2",
      "sampler.warmup=300",
      "output=" + out
    };
    List<String> command = new ArrayList<>(List.of("run"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    new Shell("local[1]").succeeds(command.toArray(String[]::new));
    Map<String, double[]> summary = new LinkedHashMap<>();
    for (String row : Files.readAllLines(out.resolve("summary.csv"))) {
      String[] cells = row.split(",", -1);
      if (!cells[0].equals("variable")) {
        double[] meanAndSd = {Double.parseDouble(cells[1]), Double.parseDouble(cells[3])};
        summary.put(cells[0], meanAndSd);
      }
    }
    return summary;
  }

  private static void near(double mean, double sd, Map<String, double[]> found, String name) {
    double[] meanAndSd = Objects.requireNonNull(found.get(name), name);
    assertEquals(mean, meanAndSd[0], NEAR * sd, name);
    assertEquals(1, meanAndSd[1] / sd, 0.15, "sd of " + name);
  }

  private static double[] column(DoubleUnaryOperator of) {
    double[] column = new double[ROWS];
    for (int n = 0; n < ROWS; n++) {
      column[n] = of.applyAsDouble(n);
    }
    return column;
  }

  /** Returns noise of mean near 0, in [−1, 1]. */
  private static double noise(double n) {
    return (n * 7 % 11 - 5) / 5;
  }

  private static void isAsLeastSquares(double[] x, double[] y) throws IOException {
    Line plain = Line.of(x, y, column(n -> 1), 1);
    double squares = 0;
    for (int n = 0; n < ROWS; n++) {
      squares += Math.pow(y[n] - plain.intercept - plain.slope * x[n], 2);
    }
    double variance = squares / (ROWS - 2);
    Line line = Line.of(x, y, column(n -> 1), variance);
    Map<String, double[]> found = sampled("gaussian", x, y);
    near(line.slope, line.sdSlope, found, "x");
    near(line.intercept, line.sdIntercept, found, "(Intercept)");
    double sigma = Math.sqrt(variance);
    near(sigma * (1 + 0.75 / (ROWS - 2)), sigma / Math.sqrt(2.0 * (ROWS - 2)), found, "sigma");
  }

  @Test
  void normalLabelsOfBillions() throws IOException {
    isAsLeastSquares(column(n -> n / 10 - 2), column(n -> 3e9 + 1e8 * n + 2e8 * noise(n)));
  }

  @Test
  void normalLabelsOfTenToTheFifteenBesideFeaturesOfTenToTheMinusTwelve() throws IOException {
    isAsLeastSquares(column(n -> (n / 10 - 2) * 1e-12), column(n -> 1e15 * (n / 5 + noise(n))));
  }

  /** The counts are the expected ones, so that the mode is the line that made them. */
  @Test
  void countsOfBillions() throws IOException {
    double[] x = column(n -> n / 10 - 2);
    double[] counts = column(n -> Math.rint(5e9 * Math.exp(0.2 * (n / 10 - 2))));
    Line line = Line.of(x, column(n -> Math.log(5e9) + 0.2 * (n / 10 - 2)), counts, 1);
    Map<String, double[]> found = sampled("poisson", x, counts);
    near(Math.log(5e9), line.sdIntercept, found, "(Intercept)");
    near(0.2, line.sdSlope, found, "x");
  }
}
