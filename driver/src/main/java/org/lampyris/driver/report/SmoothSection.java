package org.lampyris.driver.report;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.dataprep.formula.SmoothGrid;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;

/**
 * The section on penalised smooths: each as the expected response over its column, with all other
 * columns at their means and without effects of groups; as its part of η where the response has no
 * expectation or several predictors.
 */
final class SmoothSection {
  private static final int POINTS = 80;
  private static final int DRAWS = 400;
  private static final double TAIL = 0.05;

  private final RunFolder run;
  private final RunOutput.Fitted fitted;

  private SmoothSection(RunFolder run, RunOutput.Fitted fitted) {
    this.run = run;
    this.fitted = fitted;
  }

  /** Returns the section; nothing without smooths, or without the run's table. */
  static String of(RunFolder run) throws IOException {
    if (run.summary().stream().noneMatch(row -> row.variable().startsWith("sds_"))) {
      return "";
    }
    try {
      return new SmoothSection(run, run.output().model()).section();
    } catch (UserException e) {
      return new Html()
          .section("smooths", "Smooths")
          .classed("p", "faint", "Not drawn: " + e.getMessage())
          .close("section")
          .toString();
    }
  }

  private String section() {
    TableSchema.Formula formula = fitted.schema().source().formula();
    if (formula == null || fitted.schema().smooths().isEmpty()) {
      return "";
    }
    Html html = new Html().section("smooths", "Smooths");
    Expectation expectation = expectation();
    html.classed(
        "p",
        "faint",
        (expectation == null
                ? "The part of η that each smooth is, with its mean and 90 % interval."
                : "The expected response over each column, with all other columns at their means and"
                    + " without effects of groups: mean and 90 % interval.")
            + " Smooths of two columns, and those that a number multiplies, are not drawn.");
    html.open("div", "grid");
    for (TableSchema.Smooth smooth : fitted.schema().smooths()) {
      SmoothGrid.of(formula, smooth, POINTS)
          .ifPresent(grid -> html.markup(chart(smooth, grid, expectation)));
    }
    return html.close("div").close("section").toString();
  }

  /** Returns the expected response if it is one number of one predictor; else null. */
  private @Nullable Expectation expectation() {
    ModelOfTable model = fitted.model();
    List<String> classes = fitted.schema().label().classes();
    return model.predictors() == 1 && (classes == null || classes.size() <= 2)
        ? model.expectation().orElse(null)
        : null;
  }

  private String chart(
      TableSchema.Smooth smooth, SmoothGrid grid, @Nullable Expectation expectation) {
    double[][] thetas = thetas();
    List<String> names = fitted.model().coefficients();
    int[] own = smooth.columns().stream().mapToInt(names::indexOf).toArray();
    double[][] values = new double[POINTS][thetas.length];
    double[] out = new double[1];
    for (int d = 0; d < thetas.length; d++) {
      double rest = expectation == null ? 0 : elsewhere(thetas[d], own);
      for (int i = 0; i < POINTS; i++) {
        double eta = rest;
        for (int k = 0; k < own.length; k++) {
          eta += grid.columns()[i][k] * thetas[d][own[k]];
        }
        out[0] = eta;
        if (expectation != null) {
          expectation.write(new double[] {eta}, thetas[d], out);
        }
        values[i][d] = out[0];
      }
    }
    double[] mean = new double[POINTS];
    double[] low = new double[POINTS];
    double[] high = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      Arrays.sort(values[i]);
      mean[i] = Arrays.stream(values[i]).average().orElse(Double.NaN);
      low[i] = values[i][(int) (TAIL * (thetas.length - 1))];
      high[i] = values[i][(int) Math.ceil((1 - TAIL) * (thetas.length - 1))];
    }
    return Chart.of(smooth.label())
        .axes(smooth.variables().get(0), expectation == null ? "part of η" : "expected response")
        .line(new Curve("", grid.x(), mean))
        .band(new Curve("", grid.x(), low), high)
        .svg();
  }

  /** Returns η with all columns at their means, without those of a smooth. */
  private double elsewhere(double[] theta, int[] own) {
    List<Moments> columns = fitted.schema().tableScale().columns();
    double eta = 0;
    for (int j = 0; j < columns.size(); j++) {
      eta += theta[j] * columns.get(j).mean();
    }
    for (int j : own) {
      eta -= theta[j] * columns.get(j).mean();
    }
    return eta;
  }

  /** Returns some draws of the coefficients, evenly spaced. */
  private double[][] thetas() {
    List<String> names = fitted.model().coefficients();
    double[][][] draws = names.stream().map(run::drawsOf).toArray(double[][][]::new);
    int chains = draws[0].length;
    int each = draws[0][0].length;
    int count = Math.min(DRAWS, chains * each);
    double[][] thetas = new double[count][names.size()];
    for (int d = 0; d < count; d++) {
      int at = (int) ((long) d * chains * each / count);
      for (int j = 0; j < names.size(); j++) {
        thetas[d][j] = draws[j][at / each][at % each];
      }
    }
    return thetas;
  }
}
