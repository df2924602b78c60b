package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;

/** What was run, on what, with what result: enough to run it again and to tell two runs apart. */
public final class Manifest {

  /**
   * The program that ran.
   *
   * @param command the command
   * @param lampyris the version of Lampyris
   * @param spark the version of Spark
   * @param java the version of Java
   * @param started when the command began
   */
  public record Program(
      String command, String lampyris, String spark, String java, Instant started) {}

  private Manifest() {}

  static Map<String, @Nullable Object> of(SampledRun run, JobConfig config, Program program) {
    Map<String, @Nullable Object> manifest = new LinkedHashMap<>();
    manifest.put("command", program.command());
    manifest.put("started", program.started().toString());
    manifest.put(
        "versions",
        ordered("lampyris", program.lampyris(), "spark", program.spark(), "java", program.java()));
    manifest.put("seed", config.sampler().run().seed());
    manifest.put(
        "data",
        ordered(
            "fingerprint",
            run.fingerprint(),
            "rows",
            run.rows(),
            "coefficients",
            run.coefficients()));
    manifest.put(
        "counts",
        ordered(
            "chains",
            run.chains().size(),
            "draws_per_chain",
            run.chains().get(0).size(),
            "passes",
            run.result().passes(),
            "jobs",
            run.result().jobs(),
            "resident_bytes",
            run.result().residentBytes(),
            "likelihood_evaluations",
            run.chains().stream()
                .mapToLong(chain -> evaluations(chain.warmup()) + evaluations(chain.sampling()))
                .sum()));
    manifest.put("seconds", run.seconds());
    manifest.put("decisions", run.result().decisions());
    manifest.put("warnings", run.result().warnings());
    List<Object> chains = new ArrayList<>();
    for (int c = 0; c < run.chains().size(); c++) {
      chains.add(chain(run.chains().get(c), run.columns()));
    }
    manifest.put("chains", chains);
    manifest.put("configuration", EffectiveConfig.asMap(config));
    return manifest;
  }

  private static Map<String, @Nullable Object> chain(ChainTrace chain, List<Column> columns) {
    List<ChainTrace.Iteration> sampling = chain.sampling();
    Map<String, @Nullable Object> map =
        ordered(
            "chain",
            chain.chain(),
            "step_size",
            chain.stepSize(),
            "mean_acceptance",
            sampling.stream()
                .mapToDouble(step -> step.info().acceptanceProbability())
                .average()
                .orElse(Double.NaN));
    for (int k = 0; k < columns.size(); k++) {
      int column = k;
      map.put(
          "mean_" + columns.get(k).name(),
          sampling.stream()
              .mapToDouble(step -> step.info().columns().get(column))
              .average()
              .orElse(Double.NaN));
    }
    map.putAll(
        ordered(
            "evaluations_per_iteration",
            (double) evaluations(sampling) / sampling.size(),
            "warmup_evaluations",
            evaluations(chain.warmup()),
            "divergent",
            sampling.stream().filter(step -> step.info().divergent()).count()));
    return map;
  }

  private static long evaluations(List<ChainTrace.Iteration> iterations) {
    return iterations.stream().mapToLong(step -> step.info().likelihoodEvaluations()).sum();
  }

  private static Map<String, @Nullable Object> ordered(@Nullable Object... keysAndValues) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
    }
    return map;
  }

  static void write(Configuration conf, Path file, Map<String, @Nullable Object> manifest)
      throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    try (OutputStream out = file.getFileSystem(conf).create(file, false)) {
      out.write(mapper.writeValueAsBytes(manifest));
      out.write('\n');
    }
  }
}
