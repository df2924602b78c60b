package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lampyris.samplers.diagnostics.FalseAlarms;
import org.lampyris.samplers.diagnostics.GaussianDivergence;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.diagnostics.MarginalDifference;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * The files of a comparison: {@code compare.csv}, a line for each variable and run, and {@code
 * compare_runs.csv}, a line for each run. Cells for differences are empty for the reference.
 */
public final class ComparisonFiles {
  private static final String VARIABLES = "compare.csv";
  private static final String RUNS = "compare_runs.csv";

  /** The files. */
  public static final List<String> ITEMS = List.of(VARIABLES, RUNS);

  private static final List<String> COLUMNS =
      List.of(
          ("variable run folder mean sd q1 q5 q50 q95 q99 mcse_mean mcse_sd mcse_q1 mcse_q5"
                  + " mcse_q50 mcse_q95 mcse_q99 rhat ess_bulk ess_tail mean_shift mean_shift_error"
                  + " log_sd_ratio log_sd_ratio_error kolmogorov_distance kolmogorov_limit"
                  + " means_differ sds_differ distributions_differ")
              .split(" "));

  private static final List<String> JOINT =
      List.of("kl_divergence", "kl_expected", "kl_limit", "kl_differs");

  private ComparisonFiles() {}

  /** Writes the files and moves them, and further ones of the folder, to their places. */
  public static void write(OutputFolder folder, Comparison comparison) throws IOException {
    folder.csv(
        VARIABLES,
        COLUMNS,
        csv -> {
          for (int j = 0; j < comparison.variables().size(); j++) {
            for (int i = 0; i < comparison.runs().size(); i++) {
              csv.writeRow(cells(comparison, i, j));
            }
          }
        });
    List<Map<String, Object>> figures =
        comparison.runs().stream().map(ComparedRun::figures).toList();
    Set<String> names = new LinkedHashSet<>();
    figures.forEach(run -> names.addAll(run.keySet()));
    List<String> header = new ArrayList<>(List.of("run", "folder"));
    header.addAll(names);
    header.addAll(JOINT);
    folder.csv(
        RUNS,
        header,
        csv -> {
          for (int i = 0; i < figures.size(); i++) {
            Map<String, Object> of = figures.get(i);
            List<Object> line = new ArrayList<>(List.of(i + 1, comparison.runs().get(i).folder()));
            names.forEach(name -> line.add(of.get(name)));
            line.addAll(joint(comparison, i));
            csv.writeRow(Arrays.copyOf(line.toArray(), header.size()));
          }
        });
    folder.publish();
  }

  private static Object[] cells(Comparison comparison, int run, int variable) {
    ComparedRun of = comparison.runs().get(run);
    Marginal marginal = of.marginals().get(variable);
    VariableSummary summary = marginal.summary();
    VariableSummary.Mixing mixing = summary.mixing();
    List<Object> line =
        new ArrayList<>(
            List.of(summary.variable(), run + 1, of.folder(), summary.mean(), summary.sd()));
    Arrays.stream(marginal.quantiles()).forEach(line::add);
    line.addAll(List.of(mixing.mcseMean(), mixing.mcseSd()));
    Arrays.stream(marginal.quantileErrors()).forEach(line::add);
    line.addAll(List.of(mixing.rhat(), mixing.essBulk(), mixing.essTail()));
    if (run > 0) {
      MarginalDifference d = comparison.others().get(run - 1).differences().get(variable);
      FalseAlarms chance = comparison.chance();
      line.addAll(
          List.of(
              d.mean(),
              d.meanError(),
              d.logSd(),
              d.logSdError(),
              d.distance(),
              d.distanceLimit(chance),
              d.meansDiffer(chance),
              d.sdsDiffer(chance),
              d.distributionsDiffer(chance)));
    }
    return Arrays.copyOf(line.toArray(), COLUMNS.size());
  }

  private static List<Object> joint(Comparison comparison, int run) {
    if (run == 0) {
      return List.of();
    }
    GaussianDivergence joint = comparison.others().get(run - 1).joint();
    FalseAlarms chance = comparison.chance();
    return List.of(joint.value(), joint.expected(), joint.limit(chance), joint.differs(chance));
  }
}
