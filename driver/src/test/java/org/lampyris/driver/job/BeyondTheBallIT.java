package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
    generatedTableIsDrawnFromTheSame("logistic", 2_000, "algorithm: firefly");
    generatedTableIsDrawnFromTheSame("logistic", 20_000, "algorithm: firefly");
  }

  @Test
  void subsampledMetropolisBeginsOutside() throws IOException {
    generatedTableIsDrawnFromTheSame(
        "poisson", 20_000, "algorithm: mhss, subsampling: {radius: 3.2}");
  }

  private static final String OUTSIDE = "; [1-9]\\d* of 160 draws lie";

  private void generatedTableIsDrawnFromTheSame(String family, int rows, String algorithm)
      throws IOException {
    everyPlanDrawsTheSame(
        family + rows,
        """
        data: {input: "%s", label: y}
        model: {family: %s}
        precompute: {radius: 3.2}
        sampler: {%s, kernel: random-walk, init: overdispersed, chains: 2, warmup: 40, draws: 80}
        """
            .formatted(generated(rows, 8), family, algorithm),
        OUTSIDE);
  }

  private String generated(int rows, int features) {
    String table = folder.resolve("table" + rows).toString();
    shell.succeeds(
        ("generate --overwrite --seed 4 --rows " + rows + " --features " + features + " --output ")
            .concat(table)
            .split(" "));
    return table + "/table";
  }

  /** Rows that weigh as much as one: the posterior of log sigma reaches beyond the strip. */
  @Test
  void sampledSigmaIsDrawnOutsideOfTheStrip() throws IOException {
    for (int rows : new int[] {20, 60_000}) {
      Random random = new Random(1);
      List<String> lines = new ArrayList<>(List.of("y,x,w"));
      for (int n = 0; n < rows; n++) {
        lines.add(random.nextGaussian() + "," + random.nextGaussian() + "," + 1.0 / rows);
      }
      Path table = Files.write(folder.resolve("gaussian" + rows + ".csv"), lines);
      everyPlanDrawsTheSame(
          "gaussian" + rows,
          """
          data: {input: "%s", label: y, weight: w}
          model: {family: gaussian}
          sampler: {algorithm: firefly, kernel: random-walk, init: overdispersed, chains: 2,
                    warmup: 40, draws: 80}
          """
              .formatted(table),
          "in log sigma from the mode.*" + OUTSIDE);
    }
  }

  /**
   * A ball that leaves out a quarter of the posterior: {@code auto} leaves the algorithm, too, for
   * one whose set-up costs more.
   */
  @Test
  void autoLeavesWhatIsOftenOutside() throws IOException {
    everyPlanDrawsTheSame(
        "auto",
        """
        data: {input: "%s", label: y}
        sampler: {algorithm: auto, subsampling: {radius: 2}, firefly: {bound: map-tuned}, chains: 2, warmup: 250, draws: 20}
        """
            .formatted(generated(60_000, 2)),
        "algorithm: mhss .*algorithm: firefly .*\\. The warm-up of mhss took");
  }

  private void everyPlanDrawsTheSame(String name, String config, String said) throws IOException {
    Path job = Files.writeString(folder.resolve("job.yaml"), config);
    String expected = null;
    for (String plan : new String[] {"stepwise", "segment"}) {
      Path out = folder.resolve(name + "-" + plan);
      shell.samples(
          ("run --set sampler.plan=" + plan + " --set output=" + out + " --config " + job)
              .split(" "));
      String draws = Files.readString(out.resolve("draws.csv"));
      expected = expected == null ? draws : expected;
      assertEquals(expected, draws, name);
      String manifest = Files.readString(out.resolve("manifest.json"));
      assertTrue(manifest.matches("(?s).*" + said + ".*"), manifest);
    }
  }
}
