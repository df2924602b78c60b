package org.lampyris.experiments.tables;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.experiments.study.Efficiency;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.RunResult;

/**
 * Result of a job.
 *
 * @param table the job's name
 * @param wanted the algorithm that was asked for
 * @param found what was found; empty figures are NaN
 * @param remark why there are no figures, or what speaks against them; empty if nothing
 */
record TableRow(String table, String wanted, Found found, String remark) {
  /**
   * Sampled table and model.
   *
   * @param model family and formula
   * @param rows how many rows the table has
   * @param groups levels of each grouping factor, largest first; empty without random effects
   * @param coefficients how many variables were drawn
   * @param algorithm what sampled them
   */
  record Sampled(String model, long rows, String groups, int coefficients, String algorithm) {
    static Sampled of(JobConfig job, TableSchema schema, SampledRun run) {
      String formula = job.model().formula();
      return new Sampled(
          job.model().family() + (formula == null ? "" : ": " + formula),
          schema.rows(),
          schema.levels().stream()
              .map(TableSchema.Levels::levels)
              .sorted(Comparator.reverseOrder())
              .map(Object::toString)
              .collect(Collectors.joining(" + ")),
          run.coefficients().size(),
          AutoChoice.chosen(run.result().decisions()).orElse(job.sampler().algorithm()));
    }
  }

  /**
   * Result of a run.
   *
   * @param evaluations likelihood evaluations an iteration
   * @param rhat the largest
   * @param ess the smallest, of bulks and tails
   * @param sampling seconds from the table's load to the last draw
   * @param whole seconds of all phases, {@code prepare} and {@code write} among them
   * @param difference from the reference
   */
  record Found(
      Sampled sampled,
      double evaluations,
      double rhat,
      double ess,
      double sampling,
      double whole,
      Reference.Difference difference) {
    static final Found NOTHING =
        new Found(
            new Sampled("", 0, "", 0, ""),
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Reference.Difference.NONE);

    static Found of(
        Sampled sampled,
        SampledRun run,
        List<VariableSummary> summary,
        Reference reference,
        double whole) {
      Map<String, Double> seconds = run.result().seconds();
      return new Found(
          sampled,
          Efficiency.of(run).evaluations(),
          extreme(summary, one -> one.mixing().rhat(), -1),
          Math.min(
              extreme(summary, one -> one.mixing().essBulk(), 1),
              extreme(summary, VariableSummary::essTail, 1)),
          seconds.getOrDefault(RunResult.LOAD, 0.0)
              + seconds.getOrDefault(RunResult.WARMUP, 0.0)
              + seconds.getOrDefault(RunResult.SAMPLE, 0.0),
          whole,
          reference.difference(summary, run.draws()));
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

    /** Returns the failed criteria; empty if all pass. */
    private List<String> failures() {
      List<String> failures = new ArrayList<>();
      if (!(rhat <= Convergence.RHAT)) {
        failures.add("R-hat");
      }
      if (!(ess >= Convergence.ESS)) {
        failures.add("ESS");
      }
      if (!difference.isChance()) {
        failures.add("reference");
      }
      return failures;
    }
  }

  /**
   * Returns whether there are draws with R-hat ≤ 1.01 and ESS ≥ 400 that agree with a reference.
   */
  boolean passes() {
    return found.failures().isEmpty();
  }

  /** Returns "yes", or why not. */
  String verdict() {
    if (passes()) {
      return "yes";
    }
    return "no: " + (remark.isEmpty() ? String.join(", ", found.failures()) : remark);
  }

  /** Returns the figures by the columns of a CSV file. */
  Map<String, Object> cells() {
    Sampled sampled = found.sampled();
    Map<String, Object> cells = new LinkedHashMap<>();
    cells.put("table", table);
    cells.put("wanted", wanted);
    cells.put("model", quoted(sampled.model()));
    cells.put("rows", sampled.rows());
    cells.put("groups", sampled.groups());
    cells.put("coefficients", sampled.coefficients());
    cells.put("algorithm", sampled.algorithm());
    cells.put("evaluations_per_iteration", found.evaluations());
    cells.put("rhat_max", found.rhat());
    cells.put("ess_min", found.ess());
    cells.put("sampling_seconds", found.sampling());
    cells.put("ess_per_second", found.perSecond());
    cells.put("apart_in_mcse", found.difference().inErrors());
    cells.put("apart_in_sd", found.difference().inSds());
    cells.put("apart_in_sd_mcse", found.difference().error());
    cells.put("seconds", found.whole());
    cells.put("passes", passes());
    cells.put("remark", quoted(remark));
    return cells;
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\"", "'") + "\"";
  }
}
