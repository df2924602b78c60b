package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/** Which prior predicts best: a far too narrow one does not, and others are not decided. */
class TuneIT {
  @TempDir private Path folder;

  @Test
  void theNarrowPriorLoses() throws IOException {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>(List.of("x,y"));
    for (int i = 0; i < 200; i++) {
      double x = random.nextGaussian();
      lines.add(x + "," + (2 * x + random.nextGaussian()));
    }
    Path table = Files.write(folder.resolve("table.csv"), lines);
    Path output = folder.resolve("tuned");
    Shell shell = new Shell("local[2]");
    shell.succeeds(
        "tune",
        "--key",
        "model.prior",
        "--values",
        "normal(0, 0.01), normal(0,2),normal(0, 2.2)",
        "--set",
        "data.input=" + table,
        "--set",
        "data.label=y",
        "--set",
        "model.family=gaussian",
        "--set",
        "model.sigma=1",
        "--set",
        "output=" + output);
    JsonNode found = new ObjectMapper().readTree(output.resolve("loo.json").toFile());
    assertEquals(3, found.path("runs").size());
    String best = found.path("best").asText();
    assertTrue(best.endsWith("normal_0_2") || best.endsWith("normal_0_2.2"), best);
    String undecided =
        shell
            .out()
            .lines()
            .filter(line -> line.startsWith("Not decided"))
            .findFirst()
            .orElseThrow();
    assertTrue(undecided.contains("normal_0_2") && !undecided.contains("0.01"), undecided);
    for (JsonNode difference : found.path("differences")) {
      assertTrue(difference.path("elpd_diff").path("estimate").asDouble() <= 0);
      // One table for all, so that the errors are by pairs of rows.
      assertTrue(difference.path("paired").asBoolean(), "" + difference);
    }
    assertTrue(Files.isDirectory(output.resolve("normal_0_0.01/prepared")));
    assertTrue(Files.notExists(output.resolve("normal_0_2/prepared")));
    assertEquals(2, shell.run("tune", "--key", "model.prior", "--values", "flat"), shell.err());
  }
}
