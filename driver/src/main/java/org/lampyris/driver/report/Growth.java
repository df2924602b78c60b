package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.lampyris.driver.output.Convergence;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Growth of the effective sample size with the draws: proportional, if the chains mix. If it levels
 * off, they have not explored all of the posterior.
 */
final class Growth {
  private static final int STEPS = 12;
  private static final int MOST = 5;
  private static final int FEWEST_DRAWS = 20;

  private Growth() {}

  /** Returns a chart of the variables with the least effective sample sizes. */
  static String chart(String what, RunFolder run, boolean tail) {
    Comparator<VariableSummary> least =
        Comparator.comparingDouble(
            row -> {
              double ess = tail ? row.essTail() : row.mixing().essBulk();
              return Double.isNaN(ess) ? 0 : ess;
            });
    List<VariableSummary> worst = run.summary().stream().sorted(least).limit(MOST).toList();
    Chart chart =
        Chart.of(what).axes("draws of all chains", "effective draws").upTo(0, Convergence.ESS);
    for (VariableSummary row : worst) {
      double[][] draws = run.drawsOf(row.variable());
      int length = draws[0].length;
      int steps = Math.min(STEPS, length / FEWEST_DRAWS);
      double[] x = new double[steps];
      double[] y = new double[steps];
      for (int k = 0; k < steps; k++) {
        int to = (int) ((long) (k + 1) * length / steps);
        double[][] first =
            Arrays.stream(draws).map(chain -> Arrays.copyOf(chain, to)).toArray(double[][]::new);
        x[k] = (double) to * draws.length * run.thin();
        y[k] = tail ? Diagnostics.essTail(first) : Diagnostics.essBulk(first);
      }
      chart.line(row.variable(), x, y);
    }
    return chart.markY("400", Convergence.ESS).svg();
  }
}
