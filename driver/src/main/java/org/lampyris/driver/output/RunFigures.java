package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Registry;
import org.lampyris.samplers.algorithm.AutoChoice;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.run.RunResult;

/**
 * How a run was made and what it cost, by the names of the columns of {@code compare_runs.csv}.
 * Figures that the manifest does not have are left out.
 *
 * <p>{@code evaluations} are all, those before the first iteration included; those per iteration,
 * those per effective draw and the effective draws per second are of the iterations after the
 * warm-up. Effective draws are the bulk ESS of the variable that has the least.
 */
final class RunFigures {
  private RunFigures() {}

  /** Returns the figures in their order: texts, and numbers as {@link Long} or {@link Double}. */
  static Map<String, Object> of(ComparedRun run) {
    JsonNode manifest = run.manifest();
    Map<String, Object> figures = new LinkedHashMap<>();
    addAlgorithm(manifest, figures);
    figures.put("chains", (long) run.draws().chains());
    figures.put("draws_per_chain", (long) run.draws().perChain());
    double ess = Double.POSITIVE_INFINITY;
    for (Marginal marginal : run.marginals()) {
      // What is never in the model is not estimated.
      boolean in = marginal.summary().inclusion().probability() > 0;
      ess = in ? Math.min(ess, marginal.summary().mixing().essBulk()) : ess;
    }
    figures.put("effective_draws", ess);
    JsonNode counts = manifest.path("counts");
    if (counts.has("likelihood_evaluations")) {
      figures.put(
          "evaluations",
          counts.path("setup_evaluations").asLong()
              + counts.path("likelihood_evaluations").asLong());
      double each = 0;
      for (JsonNode chain : manifest.path("chains")) {
        each += chain.path("evaluations_per_iteration").asDouble();
      }
      figures.put("evaluations_per_iteration", each / run.draws().chains());
      long thin = manifest.at("/configuration/sampler/thin").asLong(1);
      figures.put("evaluations_per_effective_draw", each * run.draws().perChain() * thin / ess);
    }
    JsonNode seconds = manifest.path("seconds");
    if (seconds.has(RunResult.SAMPLE)) {
      figures.put("effective_draws_per_second", ess / seconds.path(RunResult.SAMPLE).asDouble());
    }
    seconds
        .fieldNames()
        .forEachRemaining(phase -> figures.put("seconds_" + phase, seconds.path(phase).asDouble()));
    return figures;
  }

  private static void addAlgorithm(JsonNode manifest, Map<String, Object> figures) {
    JsonNode sampler = manifest.at("/configuration/sampler");
    if (!sampler.has("algorithm")) {
      return;
    }
    List<String> decisions = new ArrayList<>();
    manifest.path("decisions").forEach(line -> decisions.add(line.asText()));
    String name = AutoChoice.chosen(decisions).orElse(sampler.path("algorithm").asText());
    figures.put("algorithm", name);
    Registry<SamplingAlgorithm> algorithms = SamplingAlgorithm.registry();
    // One from a jar that is not there today is not known.
    if (algorithms.names().contains(name)) {
      SamplingAlgorithm algorithm = algorithms.named(name);
      String kernel = sampler.path("kernel").asText();
      figures.put(
          "kernel", kernel.equals(SamplerSettings.AUTO) ? algorithm.defaultKernel() : kernel);
      // What a run is off by is measured wherever its settings make it approximate.
      boolean exact = algorithm.isExact() && !manifest.has("bias");
      figures.put("exact", exact ? "yes" : "no");
    }
  }
}
