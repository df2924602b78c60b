package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run on January's rows, to which February's are added. */
class UpdateIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(1);
    rows("january/a.csv", 3_000, random);
    rows("february/b.csv", 400, random);
    Files.createDirectories(folder.resolve("both"));
    Files.copy(folder.resolve("january/a.csv"), folder.resolve("both/a.csv"));
    Files.copy(folder.resolve("february/b.csv"), folder.resolve("both/b.csv"));
    run(new Shell("local[2]"), "run", "first", "january");
  }

  private static void rows(String name, int rows, Random random) throws IOException {
    rows(name, rows, 3, random);
  }

  private static void rows(String name, int rows, int shops, Random random) throws IOException {
    List<String> lines = new ArrayList<>(List.of("bought,age,shop"));
    for (int n = 0; n < rows; n++) {
      double age = 20 + 50 * random.nextDouble();
      int shop = random.nextInt(shops);
      double eta = -2 + 0.04 * age - 0.5 * (shop % 3);
      boolean bought = random.nextDouble() * (1 + Math.exp(-eta)) < 1;
      lines.add(String.format(Locale.ROOT, "%s,%.1f,s%d", bought ? "yes" : "no", age, shop));
    }
    Files.createDirectories(folder.resolve(name).getParent());
    Files.write(folder.resolve(name), lines);
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static void run(
      Shell shell, String command, String output, String input, String... settings) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--set", "data.input=" + path(input), "--set", "output=" + path(output)));
    if (command.equals("run")) {
      all.addAll(
          List.of(
              "--set",
              "data.label=bought",
              "--set",
              "data.positive=yes",
              "--set",
              "sampler.algorithm=firefly",
              "--set",
              "sampler.draws=1000"));
    }
    all.addAll(List.of(settings));
    shell.succeeds(all.toArray(String[]::new));
  }

  private static JsonNode manifest(String run) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(run + "/manifest.json").toFile());
  }

  private static double[] column(String run, String name) throws IOException {
    return column(run, "summary.csv", name);
  }

  private static double[] column(String run, String table, String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(run + "/" + table));
    int at = List.of(lines.get(0).split(",")).indexOf(name);
    return lines.stream()
        .skip(1)
        .map(line -> line.replaceAll("\"[^\"]*\"", "quoted"))
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[at]))
        .toArray();
  }

  @Test
  void posteriorIsThatOfAllRows() throws IOException {
    run(shell, "update", "second", "february", "--from", path("first"));
    assertEquals("update", manifest("second").path("command").asText());
    assertEquals(3_400, manifest("second").at("/data/rows").asInt());
    // The same table, scales and priors, prepared at once and with its own mode and bounds.
    run(shell, "run", "at-once", "both", "--set", "data.like=" + path("first/prepared"));
    assertEquals(
        manifest("at-once").at("/data/fingerprint"), manifest("second").at("/data/fingerprint"));
    assertEquals(manifest("at-once").at("/data/priors"), manifest("second").at("/data/priors"));
    double[] expected = column("at-once", "mean");
    double[] actual = column("second", "mean");
    double[] error = column("second", "mcse_mean");
    double[] sd = column("at-once", "sd");
    for (int j = 0; j < expected.length; j++) {
      assertEquals(expected[j], actual[j], 5 * error[j], "mean " + j);
      assertEquals(sd[j], column("second", "sd")[j], 0.1 * sd[j], "sd " + j);
    }
    // January alone is another posterior: at least one mean has moved by more than that.
    double[] january = column("first", "mean");
    boolean moved = false;
    for (int j = 0; j < january.length; j++) {
      moved |= Math.abs(january[j] - actual[j]) > 5 * error[j];
    }
    assertTrue(moved, "January's means");
    shell.succeeds(
        "predict",
        "--set",
        "output=" + path("second"),
        "--set",
        "data.label=bought",
        "--set",
        "data.positive=yes",
        "--input",
        path("february"),
        "--to",
        path("predicted"));
  }

  /**
   * The prior of a column of 0 and 1 follows from the distance of its two values. It stays if later
   * rows have a third one, or only one of them.
   */
  @Test
  void thePriorStaysIfAColumnGetsOtherValues() throws IOException {
    flags("flags/a.csv", 400, i -> i % 50 == 0 ? 1 : 0);
    flags("flags-third/b.csv", 40, i -> i % 3);
    flags("flags-none/c.csv", 40, i -> 0);
    String[] model = {
      "--set", "data.label=bought", "--set", "data.positive=yes", "--set", "sampler.draws=50"
    };
    sampled(model, "run", "flag", "flags");
    sampled(model, "update", "flag-third", "flags-third", "--from", path("flag"));
    sampled(
        model, "run", "flag-like", "flags-third", "--set", "data.like=" + path("flag/prepared"));
    sampled(model, "update", "flag-none", "flags-none", "--from", path("flag-third"));
    JsonNode priors = manifest("flag").at("/data/priors");
    assertEquals("normal(0.0, 5.0)", priors.path(1).asText(), priors.toString());
    for (String later : List.of("flag-third", "flag-like", "flag-none")) {
      assertEquals(priors, manifest(later).at("/data/priors"), later);
    }
  }

  private void sampled(String[] model, String command, String output, String in, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--set", "data.input=" + path(in), "--set", "output=" + path(output)));
    all.addAll(List.of(model));
    all.addAll(List.of(more));
    shell.samples(all.toArray(String[]::new));
  }

  private static void flags(String name, int rows, IntUnaryOperator flag) throws IOException {
    Random random = new Random(7);
    List<String> lines = new ArrayList<>(List.of("bought,flag"));
    for (int n = 0; n < rows; n++) {
      lines.add((random.nextBoolean() ? "yes," : "no,") + flag.applyAsInt(n));
    }
    Files.createDirectories(folder.resolve(name).getParent());
    Files.write(folder.resolve(name), lines);
  }

  @Test
  void givenAgainItGoesOnAndOnceMoreItAddsToTheUpdatedRun() throws IOException {
    String[] from = {"--from", path("first")};
    run(shell, "update", "again", "february", from);
    byte[] draws = Files.readAllBytes(folder.resolve("again/draws.csv"));
    run(shell, "update", "again", "february", from);
    assertArrayEquals(draws, Files.readAllBytes(folder.resolve("again/draws.csv")));
    Random random = new Random(2);
    rows("march/c.csv", 300, random);
    run(shell, "update", "third", "march", "--from", path("again"));
    assertEquals(3_700, manifest("third").at("/data/rows").asInt());
    JsonNode data = manifest("third").at("/configuration/data");
    assertEquals(path("again/prepared"), data.path("after").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"firefly", "multilevel"})
  void effectsOfGroupsTakeLaterRowsAndNewLevels(String algorithm) throws IOException {
    String of = algorithm + "/";
    Random random = new Random(3);
    rows(of + "march/a.csv", 3_000, 8, random);
    rows(of + "april/b.csv", 300, 10, random);
    Files.createDirectories(folder.resolve(of + "both"));
    Files.copy(folder.resolve(of + "march/a.csv"), folder.resolve(of + "both/a.csv"));
    Files.copy(folder.resolve(of + "april/b.csv"), folder.resolve(of + "both/b.csv"));
    String[] model = {
      "--set", "model.formula=bought ~ age + (1 | shop)", "--set", "sampler.algorithm=" + algorithm
    };
    run(shell, "run", of + "first", of + "march", model);
    run(shell, "update", of + "second", of + "april", "--from", path(of + "first"));
    String[] like = Arrays.copyOf(model, model.length + 2);
    like[model.length] = "--set";
    like[model.length + 1] = "data.like=" + path(of + "first/prepared");
    run(shell, "run", of + "at-once", of + "both", like);
    assertEquals(
        manifest(of + "at-once").at("/data/fingerprint"),
        manifest(of + "second").at("/data/fingerprint"));
    for (String table : List.of("summary.csv", "effects/shop.csv")) {
      double[] expected = column(of + "at-once", table, "mean");
      double[] sd = column(of + "at-once", table, "sd");
      double[] actual = column(of + "second", table, "mean");
      assertEquals(expected.length, actual.length, table);
      for (int j = 0; j < expected.length; j++) {
        assertEquals(expected[j], actual[j], 0.25 * sd[j], table + " mean " + j);
        assertEquals(1, column(of + "second", table, "sd")[j] / sd[j], 0.2, table + " sd " + j);
      }
    }
    String effects = Files.readString(folder.resolve(of + "second/effects/shop.csv"));
    assertTrue(effects.contains("s9"), effects);
    assertFalse(Files.readString(folder.resolve(of + "first/effects/shop.csv")).contains("s9"));
    if (algorithm.equals("firefly")) {
      assertTrue(shell.err().isEmpty() || !shell.err().contains("all rows are read"), shell.err());
    }
    run(shell, "update", of + "third", "february", "--from", path(of + "second"));
    assertEquals(3_700, manifest(of + "third").at("/data/rows").asInt());
  }

  private void refused(String words, String... command) {
    assertEquals(2, shell.run(command), shell.err());
    assertTrue(shell.err().contains(words), shell.err());
    assertFalse(Files.exists(folder.resolve("never")), "nothing is left");
  }

  @Test
  void whatCannotBeIsRefused() {
    String out = "output=" + path("never");
    String input = "data.input=" + path("february");
    refused("--from: ", "update", "--from", path("january"), "--set", input, "--set", out);
    refused("data.input is missing", "update", "--from", path("first"), "--set", out);
    refused(
        "whose rows are in ",
        "update",
        "--from",
        path("first"),
        "--set",
        "data.input=" + path("january"),
        "--set",
        out);
    refused(
        "data.like",
        "update",
        "--from",
        path("first"),
        "--set",
        input,
        "--set",
        out,
        "--set",
        "data.like=" + path("first/prepared"));
  }
}
