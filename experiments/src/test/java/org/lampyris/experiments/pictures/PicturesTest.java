package org.lampyris.experiments.pictures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.driver.report.Curve;

/** Pictures in memory: what they measure agrees with what is known exactly. */
class PicturesTest {
  /** The number behind a row's name in a table of two columns. */
  private static double number(Map<String, String> files, String row) {
    String line =
        files
            .getOrDefault(Illustration.TABLE, "")
            .lines()
            .filter(text -> text.startsWith("| " + row))
            .findFirst()
            .orElseThrow();
    String[] cells = line.split("\\|", -1);
    return Double.parseDouble(cells[2].strip().replace(",", ""));
  }

  @Test
  void aHistogramIsADensity() {
    Histogram counts = Histogram.of(new double[] {0.1, 0.2, 0.6, 3}, 0, 1, 2);
    assertArrayEquals(new double[] {1, 0.5}, counts.density(), 1e-15);
    assertArrayEquals(new double[] {0.25, 0.75}, counts.middles(), 1e-15);
    Curve outline = counts.outline("");
    assertArrayEquals(new double[] {0, 0, 0.5, 0.5, 1, 1}, outline.x(), 1e-15);
    assertArrayEquals(new double[] {0, 1, 1, 0.5, 0.5, 0}, outline.y(), 1e-15);
  }

  /** x² + y² = 1: every point within the error of a chord, and the circle is closed. */
  @Test
  void aContourIsWhereTheFunctionHasItsLevel() {
    double[] axis = new double[41];
    Arrays.setAll(axis, i -> -2 + 0.1 * i);
    double[][] z = new double[41][41];
    for (int i = 0; i < 41; i++) {
      for (int j = 0; j < 41; j++) {
        z[i][j] = -0.5 * (axis[i] * axis[i] + axis[j] * axis[j]);
      }
    }
    Curve circle = Contours.at("", axis, axis, z, -0.5);
    double length = 0;
    for (int k = 0; k < circle.x().length; k += 3) {
      assertEquals(1, Math.hypot(circle.x()[k], circle.y()[k]), 0.002);
      length += Math.hypot(circle.x()[k] - circle.x()[k + 1], circle.y()[k] - circle.y()[k + 1]);
      assertTrue(Double.isNaN(circle.x()[k + 2]));
    }
    assertEquals(2 * Math.PI, length, 0.02);
    // Of a normal density the region above exp(−r²/2) has the mass 1 − exp(−r²/2).
    double[] levels = Contours.enclosing(z, 0.5);
    double all = 0.9545 * 0.9545; // the square holds this much
    assertEquals(Math.log(1 - 0.5 * all), levels[0], 0.02);
  }

  /** 200 × 200 points: means, variances and the normal approximation of a normal density. */
  @Test
  void aGridHasTheMarginalsOfItsDensity() {
    double[][] draws = {{-2, -3}, {3, 4}};
    PosteriorGrid grid =
        PosteriorGrid.about(
            draws,
            200,
            thetas ->
                Arrays.stream(thetas)
                    .mapToDouble(
                        t -> {
                          double x = t[0] - 0.5;
                          double y = t[1] - 0.4 - 0.6 * x;
                          return -0.5 * (x * x / 0.25 + y * y / 0.16);
                        })
                    .toArray());
    double width = grid.axes()[1][1] - grid.axes()[1][0];
    double[] marginal = grid.marginal(1);
    double mean = 0;
    double square = 0;
    for (int k = 0; k < marginal.length; k++) {
      mean += marginal[k] * grid.axes()[1][k] * width;
      square += marginal[k] * Math.pow(grid.axes()[1][k], 2) * width;
    }
    double variance = 0.16 + 0.36 * 0.25;
    assertEquals(0.4, mean, 1e-6);
    assertEquals(variance, square - mean * mean, 1e-6);
    PosteriorGrid.Normal normal = grid.normal();
    assertArrayEquals(new double[] {0.5, 0.4}, normal.mode(), 1e-7);
    assertArrayEquals(
        new double[] {0.25, 0.6 * 0.25, 0.6 * 0.25, variance}, normal.covariance(), 1e-7);
    assertArrayEquals(normal.marginal(1, grid.axes()[1]), marginal, 1e-6);
  }

  /**
   * The augmented chain has the likelihood as its marginal; the paper's 0.02 at ξ = 1.5 is 0.0201.
   */
  @Test
  void aBoundAndTheRestAreTheLikelihood() throws IOException {
    Map<String, String> files = Illustration.of("bound", null, true).files();
    assertTrue(number(files, "largest probability of being bright") <= 0.0201);
    assertTrue(number(files, "mean distance of the draws with z = 0") < 0.05);
    assertTrue(number(files, "mean distance of the draws with z = 1") < 0.05);
    assertTrue(number(files, "mean distance of all draws") < 0.05);
    assertTrue(files.getOrDefault("figure1b.svg", "").endsWith("</svg>\n"));
  }

  @Test
  void firefliesAreAsManyAsExpected() {
    Map<String, String> files = new Fireflies(3000).files();
    double expected = number(files, "expected at the same θ");
    assertEquals(expected, number(files, "bright rows, mean"), 0.1 * expected);
    assertTrue(files.getOrDefault("figure2d.svg", "").contains("<circle"));
  }

  /** Simulated errors within five of their standard deviations from the computed ones. */
  @Test
  void errorsOfATestAreAsComputed() throws IOException {
    String table =
        Illustration.of("sequential-test", null, true).files().getOrDefault(Illustration.TABLE, "");
    List<String[]> rows =
        table
            .lines()
            .filter(line -> line.matches("\\| -?\\d+ \\|.*"))
            .map(line -> line.split("\\|", -1))
            .toList();
    assertEquals(21, rows.size());
    for (String[] row : rows) {
      double computed = Double.parseDouble(row[3].strip());
      double deviation = Math.sqrt(computed * (1 - computed) / 100) + 0.01;
      assertEquals(computed, Double.parseDouble(row[2].strip()), 5 * deviation, row[1]);
    }
  }

  /** Normal values pass Kolmogorov's test; lognormal ones do not come near. */
  @Test
  void studentsStatisticIsStudentsForNormalValuesOnly() {
    String table = new StudentStatistic(20_000).files().getOrDefault(Illustration.TABLE, "");
    double[] p =
        table
            .lines()
            .filter(line -> line.startsWith("| normal") || line.startsWith("| lognormal"))
            .mapToDouble(line -> Double.parseDouble(line.split("\\|", -1)[3].strip()))
            .toArray();
    assertTrue(p[0] > 1e-3, table);
    assertTrue(p[1] < 1e-6, table);
  }
}
