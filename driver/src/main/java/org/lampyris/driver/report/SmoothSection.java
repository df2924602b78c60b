package org.lampyris.driver.report;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.dataprep.formula.SmoothGrid;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.PosteriorPredictor;
import org.lampyris.executors.table.TableSchema;

/**
 * The section on penalised smooths: each as the expected response over its column, with all other
 * columns at their means and without effects of groups; as its part of η where the response has no
 * expectation as one number.
 */
record SmoothSection(RunFolder run, RunOutput.Fitted fitted) {
  private static final int POINTS = 80;
  private static final int DRAWS = 400;
  private static final double INTERVAL = 0.9;

  /** Returns the section; nothing without smooths, or without the run's table. */
  static String of(RunFolder run) throws IOException {
    if (run.summary().stream().noneMatch(row -> row.variable().startsWith("sds_"))) {
      return "";
    }
    try {
      return new SmoothSection(run, run.model()).section();
    } catch (UserException e) {
      return new Html()
          .section("smooths", "Smooths")
          .faint("Not drawn: " + e.getMessage())
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
    html.faint(
        (expectation == null
                ? "The part of η that each smooth is, with its mean and 90 % interval."
                : "The expected response over each column, with all other columns at their means"
                    + " and without effects of groups: mean and 90 % interval.")
            + " Smooths of two columns, and those that a number multiplies, are not drawn.");
    html.open("div", "grid");
    List<String> coefficients = fitted.model().coefficients();
    PosteriorPredictor predictor =
        new PosteriorPredictor(
            expectation != null ? expectation : (eta, theta, out) -> out[0] = eta[0],
            PosteriorPredictor.thinned(run.draws(), coefficients, DRAWS),
            Predictors.all(fitted.schema().columns().size(), 1),
            1,
            INTERVAL);
    for (TableSchema.Smooth smooth : fitted.schema().smooths()) {
      SmoothGrid.of(formula, smooth, POINTS)
          .ifPresent(grid -> html.markup(chart(smooth, grid, predictor, expectation != null)));
    }
    return html.close("div").close("section").toString();
  }

  /** Returns the expected response if it is one number; else null. */
  private @Nullable Expectation expectation() {
    ModelOfTable model = fitted.model();
    List<String> classes = fitted.schema().label().classes();
    return classes == null || classes.size() <= 2 ? model.expectation().orElse(null) : null;
  }

  private String chart(
      TableSchema.Smooth smooth, SmoothGrid grid, PosteriorPredictor predictor, boolean response) {
    List<String> names = fitted.schema().columnNames();
    List<Moments> columns = fitted.schema().tableScale().columns();
    double[] x = new double[names.size()];
    if (response) {
      Arrays.setAll(x, j -> columns.get(j).mean());
    }
    double[][] figures = new double[POINTS][4];
    PosteriorPredictor.Row row = predictor.row();
    for (int i = 0; i < POINTS; i++) {
      for (int k = 0; k < smooth.columns().size(); k++) {
        x[names.indexOf(smooth.columns().get(k))] = grid.columns()[i][k];
      }
      row.predict(x, 0, figures[i]);
    }
    double[][] curves = new double[4][];
    Arrays.setAll(curves, c -> Arrays.stream(figures).mapToDouble(of -> of[c]).toArray());
    return Chart.of(smooth.label())
        .axes(smooth.variables().get(0), response ? "expected response" : "part of η")
        .line(new Curve("", grid.x(), curves[0]))
        .band(new Curve("", grid.x(), curves[2]), curves[3])
        .svg();
  }
}
