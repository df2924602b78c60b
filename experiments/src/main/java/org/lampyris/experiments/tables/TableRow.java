package org.lampyris.experiments.tables;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.experiments.efficiency.Efficiency;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;

/**
 * What a job came to.
 *
 * @param table the job's name
 * @param wanted the algorithm that was asked for
 * @param found what was found; empty figures are NaN
 * @param remark why there are no figures, or what speaks against them; empty if nothing
 */
record TableRow(String table, String wanted, Found found, String remark) {
  /**
   * What a run came to.
   *
   * @param rows how many rows the table has
   * @param coefficients how many variables were drawn
   * @param algorithm what sampled them
   * @param evaluations likelihood evaluations an iteration
   * @param rhat the largest
   * @param ess the smallest, of bulks and tails
   * @param sampling seconds from the table's load to the last draw
   * @param whole seconds of all phases, {@code prepare} and {@code write} among them
   * @param apart from the reference: {@link Reference#apart}
   */
  record Found(
      long rows,
      int coefficients,
      String algorithm,
      double evaluations,
      double rhat,
      double ess,
      double sampling,
      double apart,
      double whole) {
    static final Found NOTHING =
        new Found(0, 0, "", Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static Found of(
        JobConfig job,
        long rows,
        SampledRun run,
        List<VariableSummary> summary,
        double apart,
        double whole) {
      Map<String, Double> seconds = run.result().seconds();
      return new Found(
          rows,
          summary.size(),
          AutoChoice.chosen(run.result().decisions()).orElse(job.sampler().algorithm()),
          Efficiency.of(run).evaluations(),
          extreme(summary, one -> one.mixing().rhat(), -1),
          Math.min(
              extreme(summary, one -> one.mixing().essBulk(), 1),
              extreme(summary, VariableSummary::essTail, 1)),
          seconds.getOrDefault(RunResult.LOAD, 0.0)
              + seconds.getOrDefault(RunResult.WARMUP, 0.0)
              + seconds.getOrDefault(RunResult.SAMPLE, 0.0),
          apart,
          whole);
    }

    /** Returns the smallest figure, or the largest; NaN if one is not defined. */
    private static double extreme(
        List<VariableSummary> summary, ToDoubleFunction<VariableSummary> figure, int sign) {
      return sign
          * summary.stream()
              .mapToDouble(one -> sign * figure.applyAsDouble(one))
              .reduce(Double.POSITIVE_INFINITY, Math::min);
    }

    /** Returns effective draws a second, from the table's load on. */
    double perSecond() {
      return ess / sampling;
    }
  }

  /** Returns the figures by the columns of a CSV file. */
  Map<String, Object> cells() {
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("table", table);
    cells.put("wanted", wanted);
    cells.put("rows", found.rows());
    cells.put("coefficients", found.coefficients());
    cells.put("algorithm", found.algorithm());
    cells.put("evaluations_per_iteration", found.evaluations());
    cells.put("rhat_max", found.rhat());
    cells.put("ess_min", found.ess());
    cells.put("sampling_seconds", found.sampling());
    cells.put("ess_per_second", found.perSecond());
    cells.put("apart_in_mcse", found.apart());
    cells.put("seconds", found.whole());
    cells.put("remark", "\"" + remark.replace("\"", "'") + "\"");
    return cells;
  }
}
