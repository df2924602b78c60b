package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;

/**
 * Every algorithm that is registered and not in {@code RunIT}, by questions on two partitions and
 * in segments on eight, on a table that is larger than a pool may be: the same draws, to the bit.
 * What an algorithm is off by is in the manifest of those that are not exact.
 */
class EveryAlgorithmIT {
  private static final Map<String, String> OWN =
      Map.of(
          "austerity", ", austerity: {batch: 1000, epsilon: 0.1}",
          "sgld", ", sgld: {batch: 300, decay: 0.33}",
          "laplace", ", laplace: {correct: true}",
          "naive-subsampling", ", baseline: {fraction: 0.02}",
          "rhee-glynn", ", baseline: {batch: 20}");

  /** These {@code RunIT} spreads in more ways. */
  private static final Set<String> ELSEWHERE = Set.of("metropolis", "firefly", "mhss", "smh");

  /** Not for the family logistic. */
  private static final String ROBUST = "pseudo-marginal-firefly";

  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");

  @Test
  void everyPlanAndPartitioningDrawsTheSame() throws IOException {
    String table = folder.resolve("made").toString();
    shell.succeeds(("generate --rows 20000 --features 8 --seed 4 --output " + table).split(" "));
    shell.succeeds("prepare", "--config", job("firefly", table).toString());
    shell.succeeds("precompute", "--config", job("firefly", table).toString());
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      if (ELSEWHERE.contains(algorithm.name())
          || algorithm.name().equals(ROBUST)
          || algorithm.needs().contains(Need.PROGRAM)
          || algorithm.has(Trait.DRAWS_EFFECTS)) {
        continue;
      }
      boolean fewRows = algorithm.has(Trait.FEW_ROWS);
      String stepwise = draws(algorithm, fewRows ? "stepwise" : "auto", 2, table);
      String segments = draws(algorithm, fewRows ? "segment" : "auto", 8, table);
      assertEquals(stepwise, segments, algorithm.name());
      assertTrue(segments.lines().distinct().count() > 3, algorithm.name());
    }
  }

  private String draws(SamplingAlgorithm algorithm, String plan, int partitions, String table)
      throws IOException {
    Path out = folder.resolve(algorithm.name() + "-" + partitions);
    shell.samples(
        "sample",
        "--set",
        "sampler.plan=" + plan,
        "--set",
        "data.partitions=" + partitions,
        "--set",
        "output=" + out,
        "--config",
        job(algorithm.name(), table).toString());
    String manifest = Files.readString(out.resolve("manifest.json"));
    assertEquals(!algorithm.has(Trait.EXACT), manifest.contains("\"bias\""), algorithm.name());
    return Files.readString(out.resolve("draws.csv"));
  }

  private Path job(String algorithm, String table) throws IOException {
    return Files.writeString(
        folder.resolve(algorithm + ".yaml"),
        """
        data: {input: "%s/table", label: y}
        model: {family: logistic}
        sampler: {algorithm: %s%s, chains: 2, warmup: 8, draws: 10, pool_mib: 1, lp: never}
        prepared: "%s/prepared"
        bounds: "%s/bounds"
        output: "%s/out"
        """
            .formatted(table, algorithm, OWN.getOrDefault(algorithm, ""), folder, folder, folder));
  }
}
