package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.Session;

/**
 * Runs folders of small inputs that once failed. {@code -Dlampyris.cases} names the folder that
 * holds them; {@code -Dlampyris.validation=all} runs them, some minutes in all. A case has run.sh,
 * whose calls of {@code $LAMPYRIS} are run in this process, and meta.json, whose "exp" has the
 * right values: of coefficients, of the number of a group's levels ("groups:g"), of the first
 * prediction ("near"), or two folders of predictions that have to agree ("same_mean"). A case may
 * also be refused, by exit code 2 or 3; never may it end by an internal error.
 */
class CasesIT {
  /** What a case without figures prints: a word of the true cause or the remedy. */
  private static final Map<String, List<String>> WORDS =
      Map.of(
          "m05_nested_groups", List.of("data.query"),
          "m06_uncorrelated", List.of("||"),
          "m07_poly_in_group", List.of("poly"),
          "m10_group_per_row", List.of("sd_id", "sigma"),
          "m16_functions", List.of("scale", "ns", "as.factor", "cut", "ifelse", "relevel"),
          "m20_gaussian_offset", List.of("offset"),
          "r03_code_column_later_text", List.of("code"),
          "r23_thousands", List.of("data.csv"),
          "r34_parquet_int_double", List.of());

  /** Least squares of tables whose meta.json has the value that they were generated with. */
  private static final Map<String, Map<String, Double>> LEAST_SQUARES =
      Map.of("e28_gaussian_billions", Map.of("x", 98_528_799.73));

  /** Numbers of meta.json that are no coefficients. */
  private static final Set<String> OTHER = Set.of("near", "ncoef", "_abs", "_tol");

  @TempDir private Path output;
  private final ObjectMapper json = new ObjectMapper();

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    assumeTrue(
        "all".equals(System.getProperty("lampyris.validation")),
        "minutes long: run with -Dlampyris.validation=all");
    Path folder = Path.of(System.getProperty("lampyris.cases", "../shared/cases"));
    assumeTrue(
        Files.isDirectory(folder), () -> "no " + folder.toAbsolutePath() + " (-Dlampyris.cases=…)");
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(one -> Files.exists(one.resolve("run.sh"))).sorted().toList().stream()
          .map(one -> DynamicTest.dynamicTest(one.getFileName().toString(), () -> check(one)));
    }
  }

  private void check(Path folder) throws IOException, InterruptedException {
    String name = folder.getFileName().toString();
    Path out = output.resolve(name);
    StringBuilder printed = new StringBuilder();
    boolean refused = false;
    for (String[] command : commands(folder, out)) {
      Shell shell = new Shell("local[2]");
      int exit = shell.run(command);
      printed.append(shell.out()).append(shell.err());
      System.out.printf("%s: %s ends with %d%n%s", name, command[0], exit, shell.err());
      assertTrue(List.of(0, 2, 3, 4).contains(exit), () -> exit + ": " + shell.err());
      refused |= exit == 2 || exit == 3;
    }
    for (String word : WORDS.getOrDefault(name, List.of())) {
      assertTrue(printed.toString().contains(word), () -> word + " is not in\n" + printed);
    }
    JsonNode expected = json.readTree(folder.resolve("meta.json").toFile()).get("exp");
    if (refused || expected.isNull()) {
      assertFalse(printed.isEmpty(), name);
      return;
    }
    JsonNode better = json.valueToTree(LEAST_SQUARES.get(name));
    compare(better.isNull() ? expected : better, out, printed.toString());
  }

  /** Lets the shell split the lines of run.sh: a stand-in for the launcher writes its words. */
  private List<String[]> commands(Path folder, Path out) throws IOException, InterruptedException {
    Files.createDirectories(out);
    Path words = out.resolve("words");
    Path recorder = out.resolve("recorder.sh");
    Files.writeString(recorder, "for w in \"$@\"; do printf '%s\\0' \"$w\"; done; printf '\\0'");
    ProcessBuilder bash =
        new ProcessBuilder("bash", folder.resolve("run.sh").toAbsolutePath().toString());
    bash.environment().put("LAMPYRIS", "bash " + recorder);
    bash.environment().put("OUT", out.resolve("out").toString());
    bash.redirectOutput(words.toFile()).redirectError(new File("/dev/null"));
    assertEquals(0, bash.start().waitFor(), folder::toString);
    List<String[]> commands = new ArrayList<>();
    for (String command : Files.readString(words).split("\0\0", -1)) {
      if (command.isEmpty()) {
        continue;
      }
      List<String> arguments = new ArrayList<>(List.of(command.split("\0", -1)));
      int memory = arguments.indexOf("--driver-memory");
      if (memory >= 0) {
        arguments.subList(memory, memory + 2).clear();
      }
      commands.add(arguments.toArray(String[]::new));
    }
    return commands;
  }

  private void compare(JsonNode expected, Path out, String printed) throws IOException {
    Path run = out.resolve("out/run");
    Map<String, double[]> summary = summary(run);
    if (expected.has("near")) {
      assertEquals(expected.get("near").asDouble(), means(out, expected, "show").get(0), 0.5);
    }
    if (expected.has("same_mean")) {
      List<String> folders = List.of(json.convertValue(expected.get("same_mean"), String[].class));
      assertEquals(means(out, folders.get(0)), means(out, folders.get(1)), printed);
    }
    if (expected.has("vals")) {
      List<double[]> found = List.copyOf(summary.values());
      for (int j = 0; j < expected.get("vals").size(); j++) {
        close(expected.get("vals").get(j).asDouble(), found.get(j), 0, "coefficient " + j);
      }
    }
    for (Map.Entry<String, JsonNode> one : expected.properties()) {
      if (one.getKey().startsWith("groups:")) {
        String group = one.getKey().substring("groups:".length());
        assertEquals(one.getValue().asInt(), levels(run, group), printed);
      } else if (one.getValue().isNumber() && !OTHER.contains(one.getKey())) {
        close(
            one.getValue().asDouble(),
            Objects.requireNonNull(summary.get(one.getKey()), one.getKey()),
            expected.path("_tol").asDouble(0.001),
            one.getKey());
      }
    }
  }

  /** Half a posterior sd: the draws are few, and the prior is not flat. */
  private static void close(double expected, double[] meanAndSd, double relative, String name) {
    assertEquals(
        expected, meanAndSd[0], Math.max(0.5 * meanAndSd[1], relative * Math.abs(expected)), name);
  }

  private static Map<String, double[]> summary(Path run) throws IOException {
    Map<String, double[]> summary = new LinkedHashMap<>();
    Files.readAllLines(run.resolve("summary.csv")).stream()
        .skip(1)
        .map(line -> line.split(","))
        .forEach(
            cells ->
                summary.put(
                    cells[0],
                    new double[] {Double.parseDouble(cells[1]), Double.parseDouble(cells[3])}));
    return summary;
  }

  private static int levels(Path run, String group) throws IOException {
    try (SparkSession spark = spark()) {
      return (int)
          spark
              .read()
              .parquet(run.resolve("effects/" + group).toString())
              .select("level")
              .distinct()
              .count();
    }
  }

  private static List<Double> means(Path out, JsonNode expected, String key) throws IOException {
    return means(out, expected.get(key).asText());
  }

  private static List<Double> means(Path out, String folder) throws IOException {
    try (SparkSession spark = spark()) {
      return spark
          .read()
          .parquet(out.resolve("out/" + folder + "/predictions").toString())
          .select("`.mean`")
          .collectAsList()
          .stream()
          .map(row -> row.isNullAt(0) ? Double.NaN : row.getDouble(0))
          .toList();
    }
  }

  private static SparkSession spark() {
    return SparkSession.builder()
        .config(Session.configuration("test").setMaster("local[1]"))
        .getOrCreate();
  }
}
