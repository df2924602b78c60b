package org.lampyris.driver.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * Chains that begin outside of the ball, and go out again: on a table that is too large to be sent
 * along with segments and on one that is not, every plan makes the same draws.
 */
class BeyondTheBallIT {
  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");

  @Test
  void fireflyBeginsOutside() throws IOException {
    everyPlanDrawsTheSame("logistic", 2_000, "algorithm: firefly");
    everyPlanDrawsTheSame("logistic", 20_000, "algorithm: firefly");
  }

  @Test
  void subsampledMetropolisBeginsOutside() throws IOException {
    everyPlanDrawsTheSame("poisson", 20_000, "algorithm: mhss, subsampling: {radius: 3.2}");
  }

  private void everyPlanDrawsTheSame(String family, int rows, String algorithm) throws IOException {
    String table = folder.resolve(family + rows).toString();
    shell.succeeds(
        ("generate --rows " + rows + " --features 8 --seed 4 --output " + table).split(" "));
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            data: {input: "%s/table", label: y}
            model: {family: %s}
            precompute: {radius: 3.2}
            sampler: {%s, kernel: random-walk, init: overdispersed, chains: 2, warmup: 40, draws: 80}
            """
                .formatted(table, family, algorithm));
    String expected = null;
    for (String plan : new String[] {"stepwise", "segment"}) {
      Path out = folder.resolve(family + "-" + rows + "-" + plan);
      shell.samples(
          ("run --set sampler.plan=" + plan + " --set output=" + out + " --config " + job)
              .split(" "));
      String draws = Files.readString(out.resolve("draws.csv"));
      expected = expected == null ? draws : expected;
      assertEquals(expected, draws, family + ", " + rows + " rows");
      String manifest = Files.readString(out.resolve("manifest.json"));
      assertTrue(manifest.matches("(?s).*, and [1-9]\\d* of 160 draws lie.*"), manifest);
    }
  }
}
