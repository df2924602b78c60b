package org.lampyris.driver.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;

/**
 * Every algorithm that is registered, by questions on two partitions and in segments on eight, on a
 * table that is larger than a pool may be: the same draws, to the bit. What an algorithm is off by
 * is in the manifest of those that are not exact.
 */
class EveryAlgorithmIT {
  private static final Map<String, String> OWN =
      Map.of(
          "austerity", ", austerity: {batch: 1000, epsilon: 0.1}",
          "sgld", ", sgld: {batch: 300, decay: 0.33}",
          "naive-subsampling", ", naive_subsampling: {fraction: 0.02}");

  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");

  @Test
  void everyPlanAndPartitioningDrawsTheSame() throws IOException {
    String table = folder.resolve("made").toString();
    shell.succeeds(("generate --rows 20000 --features 8 --seed 4 --output " + table).split(" "));
    shell.succeeds("prepare", "--config", job("firefly", table).toString());
    shell.succeeds("precompute", "--config", job("firefly", table).toString());
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      Path job = job(algorithm.name(), table);
      Map<String, String> draws = new LinkedHashMap<>();
      for (String how : new String[] {"stepwise 2", "segment 8"}) {
        String plan = algorithm.looksAtFewRows() ? how.split(" ")[0] : "auto";
        Path out = folder.resolve(algorithm.name() + "-" + how.replace(' ', '-'));
        shell.samples(
            ("sample --set sampler.plan=%s --set data.partitions=%s --set output=%s --config %s"
                    .formatted(plan, how.split(" ")[1], out, job))
                .split(" "));
        draws.put(how, Files.readString(out.resolve("draws.csv")));
        String manifest = Files.readString(out.resolve("manifest.json"));
        assertEquals(!algorithm.isExact(), manifest.contains("\"bias\""), algorithm.name());
      }
      assertEquals(draws.get("stepwise 2"), draws.get("segment 8"), algorithm.name());
      assertTrue(draws.get("segment 8").lines().distinct().count() > 3, algorithm.name());
    }
  }

  private Path job(String algorithm, String table) throws IOException {
    return Files.writeString(
        folder.resolve(algorithm + ".yaml"),
        """
        data: {input: "%s/table", label: y}
        model: {family: logistic}
        sampler: {algorithm: %s%s, chains: 2, warmup: 20, draws: 30, pool_mib: 1, lp: never}
        prepared: "%s/prepared"
        bounds: "%s/bounds"
        output: "%s/out"
        """
            .formatted(table, algorithm, OWN.getOrDefault(algorithm, ""), folder, folder, folder));
  }
}
