package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/** Draws in the forms of other programs, against {@code draws.csv} to the last bit. */
class ExportIT {
  private static final int DRAWS = 50;

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(4);
    List<String> lines = new ArrayList<>(List.of("a.b,town,y"));
    for (int i = 0; i < 200; i++) {
      String town = List.of("Bern", "Lima").get(random.nextInt(2));
      lines.add(random.nextGaussian() + "," + town + "," + random.nextInt(2));
    }
    Files.write(folder.resolve("table.csv"), lines);
    new Shell("local[2]")
        .samples(
            "run",
            "--set",
            "data.input=" + folder.resolve("table.csv"),
            "--set",
            "data.label=y",
            "--set",
            "sampler.algorithm=firefly",
            "--set",
            "sampler.draws=" + DRAWS,
            "--set",
            "sampler.thin=3",
            "--set",
            "sampler.chains=2",
            "--set",
            "output=" + folder.resolve("run"));
    new Shell("local[2]").succeeds("export", folder.resolve("run").toString());
  }

  /** Draws by variable and chain, in order; those of the file are by chain already. */
  private static double[][][] draws() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("run/draws.csv"));
    int first = header().length - 3;
    double[][][] draws = new double[3][2][DRAWS];
    for (int i = 0; i < 2 * DRAWS; i++) {
      String[] cells = lines.get(i + 1).split(",", -1);
      for (int j = 0; j < 3; j++) {
        draws[j][i / DRAWS][i % DRAWS] = Double.parseDouble(cells[first + j]);
      }
    }
    return draws;
  }

  private static String[] header() throws IOException {
    return Files.readAllLines(folder.resolve("run/draws.csv")).get(0).split(",", -1);
  }

  /** The three columns by which R's posterior knows a draws_df, numbered as it numbers them. */
  @Test
  void drawsAreADrawsDf() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("run/draws.csv"));
    assertTrue(lines.get(0).startsWith(".chain,.iteration,.draw,"), lines.get(0));
    for (int i = 0; i < 2 * DRAWS; i++) {
      String index = (i / DRAWS + 1) + "," + (i % DRAWS + 1) + "," + (i + 1) + ",";
      assertTrue(lines.get(i + 1).startsWith(index), lines.get(i + 1));
    }
  }

  @Test
  void inferenceDataHasTheDraws() throws IOException {
    JsonNode data = new ObjectMapper().readTree(folder.resolve("run/inference.json").toFile());
    String[] header = header();
    double[][][] draws = draws();
    assertEquals(3, data.path("posterior").size());
    for (int j = 0; j < 3; j++) {
      JsonNode variable = data.path("posterior").path(header[header.length - 3 + j]);
      assertEquals(2, variable.size());
      for (int c = 0; c < 2; c++) {
        assertEquals(DRAWS, variable.path(c).size());
        for (int i = 0; i < DRAWS; i++) {
          assertEquals(draws[j][c][i], variable.path(c).path(i).asDouble());
        }
      }
    }
    JsonNode stats = data.path("sample_stats");
    for (String name :
        List.of("acceptance_rate", "diverging", "likelihood_evaluations", "bright_rows")) {
      assertEquals(2, stats.path(name).size(), name);
      assertEquals(DRAWS, stats.path(name).path(1).size(), name);
    }
    assertTrue(stats.path("diverging").path(0).path(0).isBoolean());
    double acceptance = stats.path("acceptance_rate").path(0).path(7).asDouble();
    assertTrue(acceptance > 0 && acceptance <= 1, "acceptance " + acceptance);
    assertTrue(data.propertyStream().map(java.util.Map.Entry::getKey).toList().size() == 2);
  }

  @Test
  void chainsAreAsCmdStanWritesThem() throws IOException {
    double[][][] draws = draws();
    for (int c = 0; c < 2; c++) {
      List<String> lines =
          Files.readAllLines(folder.resolve("run/cmdstan/chain-" + (c + 1) + ".csv"));
      assertTrue(lines.contains("# id = " + (c + 1)));
      assertTrue(lines.contains("#     num_samples = " + 3 * DRAWS));
      assertTrue(lines.contains("#     thin = 3"));
      List<String> table = lines.stream().filter(line -> !line.startsWith("#")).toList();
      assertEquals(
          "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,"
              + "Intercept,a_b,town_Lima",
          table.get(0));
      assertEquals(DRAWS + 1, table.size());
      for (int i = 0; i < DRAWS; i++) {
        double[] cells =
            Arrays.stream(table.get(i + 1).split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertEquals(10, cells.length);
        for (int j = 0; j < 3; j++) {
          assertEquals(draws[j][c][i], cells[7 + j]);
        }
      }
    }
  }

  @Test
  void whatIsThereIsNotReplacedUnasked() {
    String run = folder.resolve("run").toString();
    assertEquals(2, shell.run("export", run, "--as", "arviz"));
    assertTrue(shell.err().contains("already holds inference.json"), shell.err());
    shell.succeeds("export", run, "--as", "arviz", "--overwrite");
    assertEquals("ArviZ's InferenceData is in " + run + "/inference.json.\n", shell.out());
    assertEquals(3, shell.run("export", folder.toString()));
    assertTrue(shell.err().contains("holds no draws/"), shell.err());
  }

  @Test
  void namesAreDifferentAndPlain() {
    assertEquals(
        List.of("Intercept", "a_b", "a_b_2", "x7", "größe", "x", "lp"),
        CmdStanCsv.names(List.of("(Intercept)", "a.b", "a[b]", "7", "größe", "[]", "lp__")));
  }
}
