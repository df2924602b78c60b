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

  @Test
  void chainsBeginOutsideAndEveryPlanDrawsTheSame() throws IOException {
    for (int rows : new int[] {2_000, 20_000}) {
      String table = folder.resolve("table" + rows).toString();
      Shell shell = new Shell("local[2]");
      shell.succeeds(
          ("generate --rows " + rows + " --features 8 --seed 4 --output " + table).split(" "));
      Path job =
          Files.writeString(
              folder.resolve("job.yaml"),
              """
              data: {input: "%s/table", label: y}
              precompute: {radius: 3.2}
              sampler: {kernel: random-walk, init: overdispersed, chains: 2, warmup: 40, draws: 80}
              """
                  .formatted(table));
      for (String algorithm : new String[] {"firefly", "mhss"}) {
        String expected = null;
        for (String plan : new String[] {"stepwise", "segment"}) {
          Path out = folder.resolve(rows + "-" + algorithm + "-" + plan);
          shell.samples(
              ("run --set sampler.algorithm=" + algorithm + " --set sampler.plan=" + plan)
                  .concat(" --set output=" + out + " --config " + job)
                  .split(" "));
          String draws = Files.readString(out.resolve("draws.csv"));
          expected = expected == null ? draws : expected;
          assertEquals(expected, draws, rows + " rows, " + algorithm);
          String manifest = Files.readString(out.resolve("manifest.json"));
          assertTrue(
              algorithm.equals("mhss")
                  || manifest.matches("(?s).*, and [1-9]\\d* of 160 draws lie.*"),
              manifest);
        }
      }
    }
  }
}
