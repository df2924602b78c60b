package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Registry;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.run.RunResult;

/**
 * A run as a comparison sees it.
 *
 * @param marginals the summary of each variable's draws
 */
public record ComparedRun(RunOutput output, Draws draws, List<Marginal> marginals) {

  /** Copies the list. */
  public ComparedRun {
    marginals = List.copyOf(marginals);
  }

  /**
   * Reads the draws of a run.
   *
   * @throws org.lampyris.bounds.config.UserException (data) if it has none, or they cannot be read
   */
  public static ComparedRun read(RunOutput run) throws IOException {
    return of(run, run.draws());
  }

  static ComparedRun of(RunOutput run, Draws draws) {
    NormalScores scores = NormalScores.table(draws.chains(), draws.perChain());
    List<String> variables = draws.variables();
    List<Marginal> marginals =
        IntStream.range(0, variables.size())
            .parallel()
            .mapToObj(j -> Marginal.of(variables.get(j), draws.values()[j], scores))
            .toList();
    return new ComparedRun(run, draws, marginals);
  }

  /** Returns the output folder. */
  String folder() {
    return output.folder();
  }

  /** Returns this run with some of its variables, in the order given. */
  ComparedRun only(List<String> variables) {
    int[] at = variables.stream().mapToInt(draws.variables()::indexOf).toArray();
    double[][][] values =
        IntStream.of(at).mapToObj(j -> draws.values()[j]).toArray(double[][][]::new);
    return new ComparedRun(
        output, new Draws(variables, values), IntStream.of(at).mapToObj(marginals::get).toList());
  }

  /** Returns the reasons not to rely on the draws, a line each. */
  List<String> complaints() {
    List<String> lines = new ArrayList<>();
    Convergence.complaints(
            marginals.stream().map(Marginal::summary).toList(),
            draws.perChain(),
            Movement.of(draws).given(output.decisions()))
        .forEach(
            text -> lines.add(folder() + ": its Monte-Carlo errors cannot be trusted. " + text));
    output.bias().ifPresent(sentence -> lines.add(folder() + " is not exact: " + sentence));
    return lines;
  }

  /**
   * Returns the settings and costs of the run, by the column names of {@code compare_runs.csv}, in
   * order: texts, and numbers as {@link Long} or {@link Double}. Figures that the manifest does not
   * have are left out.
   *
   * <p>{@code evaluations} counts all evaluations, including set-up. Figures per iteration, per
   * effective draw and per second are for the iterations after the warm-up. Effective draws are the
   * bulk ESS of the variable that has the least.
   */
  Map<String, Object> figures() {
    JsonNode manifest = output.manifest();
    Map<String, Object> figures = new LinkedHashMap<>();
    addAlgorithm(figures);
    figures.put("chains", (long) draws.chains());
    figures.put("draws_per_chain", (long) draws.perChain());
    double ess = Double.POSITIVE_INFINITY;
    for (Marginal marginal : marginals) {
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
      figures.put("evaluations_per_iteration", each / draws.chains());
      long thin = output.key("sampler.thin").asLong(1);
      figures.put("evaluations_per_effective_draw", each * draws.perChain() * thin / ess);
    }
    JsonNode evidence = manifest.path(Decision.EVIDENCE);
    if (evidence.has(Decision.LOG_EVIDENCE)) {
      figures.put(Decision.LOG_EVIDENCE, evidence.path(Decision.LOG_EVIDENCE).asDouble());
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

  private void addAlgorithm(Map<String, Object> figures) {
    String name = output.algorithm();
    if (name.isEmpty()) {
      return;
    }
    figures.put("algorithm", name);
    Registry<SamplingAlgorithm> algorithms = SamplingAlgorithm.registry();
    // One from a jar that is not there today is not known.
    if (algorithms.names().contains(name)) {
      SamplingAlgorithm algorithm = algorithms.named(name);
      String kernel = output.key("sampler.kernel").asText();
      figures.put(
          "kernel", kernel.equals(SamplerSettings.AUTO) ? algorithm.defaultKernel() : kernel);
      // What a run is off by is measured wherever its settings make it approximate.
      boolean exact = algorithm.has(Trait.EXACT) && !output.manifest().has("bias");
      figures.put("exact", exact ? "yes" : "no");
    }
  }
}
