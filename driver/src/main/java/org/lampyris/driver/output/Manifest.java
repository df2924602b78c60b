package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunResult;

/**
 * Record of what was run, on which data, with which result: enough to run it again and to
 * distinguish two runs.
 */
public final class Manifest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * The program that ran.
   *
   * @param ansi whether Spark SQL was in ANSI mode, in which no number overflows unseen
   * @param started when the command began
   */
  public record Program(
      String command, String lampyris, String spark, String java, boolean ansi, Instant started) {}

  private Manifest() {}

  /**
   * Returns the manifest.
   *
   * @param summary the coefficients' summaries, for their inclusion probabilities
   */
  static ObjectNode of(
      SampledRun run, JobConfig config, Program program, List<VariableSummary> summary) {
    ObjectNode manifest = MAPPER.createObjectNode();
    manifest.put("command", program.command());
    manifest.put("started", program.started().toString());
    manifest
        .putObject("versions")
        .put("lampyris", program.lampyris())
        .put("spark", program.spark())
        .put("java", program.java());
    manifest.put("ansi_sql", program.ansi());
    manifest.put("seed", config.sampler().run().seed());
    manifest
        .putObject("data")
        .put("fingerprint", run.fingerprint())
        .put("rows", run.modelled().rows())
        .putPOJO("coefficients", run.coefficients())
        .putPOJO("priors", run.priors());
    manifest.set("modelled", MAPPER.valueToTree(run.modelled()));
    manifest
        .putObject("counts")
        .put("chains", run.chains().size())
        .put("draws_per_chain", run.chains().get(0).size())
        .put("passes", run.result().cost().passes())
        .put("setup_evaluations", run.result().cost().setupEvaluations())
        .put("jobs", run.result().cost().jobs())
        .put("resident_bytes", run.result().cost().residentBytes())
        .put(
            "likelihood_evaluations",
            run.chains().stream()
                .mapToLong(chain -> evaluations(chain.warmup()) + evaluations(chain.sampling()))
                .sum());
    RunResult.Parts parts = run.result().parts();
    if (parts != null) {
      manifest
          .putObject("subposteriors")
          .put("kind", parts.kind())
          .put("count", parts.draws().length)
          .put("chains", parts.draws()[0].length)
          .put("draws_per_chain", parts.draws()[0][0].length);
    }
    EffectFiles effects = run.effects();
    if (effects != null) {
      effects.describe(manifest.putArray("effects"));
    }
    manifest.putPOJO("seconds", run.result().seconds());
    manifest.putPOJO("decisions", run.result().decisions());
    Movement movement = Movement.of(run.chains()).given(run.result().decisions());
    int draws = run.chains().get(0).size();
    manifest.putPOJO("complaints", Convergence.complaints(summary, draws, movement));
    manifest.putPOJO("remarks", movement.divergences().stream().toList());
    run.result().decisions().stream()
        .filter(one -> one.topic().equals(Decision.EVIDENCE) && !one.figures().isEmpty())
        .findFirst()
        .ifPresent(one -> manifest.putPOJO(Decision.EVIDENCE, one.figures()));
    Bias bias = run.result().bias();
    if (bias != null) {
      manifest.set("bias", MAPPER.valueToTree(bias));
    }
    if (summary.stream().anyMatch(row -> row.inclusion().isChosen())) {
      ObjectNode included = manifest.putObject("included");
      summary.forEach(row -> included.put(row.variable(), row.inclusion().probability()));
    }
    ArrayNode chains = manifest.putArray("chains");
    run.chains().forEach(chain -> describe(chain, run.columns(), chains.addObject()));
    manifest.putPOJO("configuration", EffectiveConfig.asMap(config));
    return manifest;
  }

  private static void describe(ChainTrace chain, List<Column> columns, ObjectNode into) {
    List<ChainTrace.Iteration> sampling = chain.sampling();
    into.put("chain", chain.chain());
    into.put("step_size", Double.isNaN(chain.stepSize()) ? null : Double.valueOf(chain.stepSize()));
    into.put("mean_acceptance", mean(sampling, StepInfo::acceptanceProbability));
    for (int k = 0; k < columns.size(); k++) {
      int column = k;
      double mean = mean(sampling, info -> info.columns().get(column));
      into.put("mean_" + columns.get(k).name(), Double.isNaN(mean) ? null : Double.valueOf(mean));
    }
    into.put("evaluations_per_iteration", (double) evaluations(sampling) / sampling.size());
    into.put("warmup_evaluations", evaluations(chain.warmup()));
    into.put("divergent", sampling.stream().filter(step -> step.info().divergent()).count());
  }

  private static double mean(
      List<ChainTrace.Iteration> iterations, ToDoubleFunction<StepInfo> figure) {
    return iterations.stream()
        .mapToDouble(step -> figure.applyAsDouble(step.info()))
        .average()
        .orElse(Double.NaN);
  }

  private static long evaluations(List<ChainTrace.Iteration> iterations) {
    return iterations.stream().mapToLong(step -> step.info().likelihoodEvaluations()).sum();
  }
}
