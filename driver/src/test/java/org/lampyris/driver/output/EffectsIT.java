package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/** What an algorithm tells of the effects of groups, from a table to files. */
class EffectsIT {
  private static final String HEADER = "variable,level,effect,rows,mean,sd,q5,median,q95,rhat,ess";

  private static final List<String> CITIES = List.of("Aa", "b \"c\", d", "é/ö", "x y");

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  /** Σ y and Σ x by city, then rows. */
  private static final TreeMap<String, double[]> BY_CITY = new TreeMap<>();

  @BeforeAll
  static void table() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,x,city,the code"));
    for (int n = 0; n < 200; n++) {
      String city = CITIES.get(n % 9 % 4);
      double x = n % 13 + 0.5;
      int y = n * 5 % 11 > 4 ? 1 : 0;
      lines.add("%d,%s,\"%s\",%d".formatted(y, x, city.replace("\"", "\"\""), n % 30));
      double[] of = BY_CITY.computeIfAbsent(city, name -> new double[3]);
      of[0] += 2 * y - 1;
      of[1] += x;
      of[2]++;
    }
    Files.write(folder.resolve("t.csv"), lines);
    Files.writeString(
        folder.resolve("job.yaml"),
        """
        data: {input: %s, label: y, block_rows: 64, standardize: unit}
        model:
          random:
            - {group: city, effects: ["(Intercept)", x], prior: {sd: "exponential(1)"}}
            - {group: the code}
        sampler: {algorithm: known-effects, chains: 2, draws: 40, warmup: 0}
        """
            .formatted(folder.resolve("t.csv")));
  }

  private String[] command(String name, String output, String... settings) {
    List<String> all =
        new ArrayList<>(List.of(name, "--config", folder.resolve("job.yaml").toString(), "--set"));
    all.add("output=" + folder.resolve(output));
    for (String setting : settings) {
      all.addAll(List.of("--set", setting));
    }
    return all.toArray(String[]::new);
  }

  private int run(String... command) {
    return KnownEffects.with(folder, () -> shell.run(command));
  }

  private void samples(String... command) {
    int exit = run(command);
    assertTrue(exit == 0 || exit == 4, () -> exit + ": " + shell.err());
  }

  private static List<String[]> csv(String output, String file) throws IOException {
    Path path = folder.resolve(output).resolve("effects").resolve(file);
    return CsvText.read(new Configuration(), new org.apache.hadoop.fs.Path(path.toString()));
  }

  @Test
  void effectsComeOutByLevelAndDrawsHaveTheirParameters() throws IOException {
    samples(command("run", "a", "data.partitions=1"));
    samples(command("run", "b", "data.partitions=3"));
    assertCities("a");
    assertCities("b");
    assertEquals(31, csv("a", "the-code.csv").size());
    assertEquals("r_the code[0,Intercept]", csv("a", "the-code.csv").get(1)[0]);
    assertEquals("city city.csv the-code the-code.csv", Shell.files(folder.resolve("a/effects")));
    assertEquals(
        "bounds draws draws.csv effects manifest.json prepared report.html sampler_stats steps.json"
            + " summary.csv",
        Shell.files(folder.resolve("a")));
    assertEquals(
        List.of(
            ".chain,.iteration,.draw,lp__,(Intercept),x,sd_city__Intercept,sd_city__x,cor_city__Intercept__x,sd_the"
                + " code__Intercept"),
        Files.readAllLines(folder.resolve("a/draws.csv")).stream()
            .limit(1)
            .map(line -> line.replace("\"", ""))
            .toList());
    JsonNode manifest = new ObjectMapper().readTree(folder.resolve("a/manifest.json").toFile());
    assertEquals(6, manifest.at("/data/coefficients").size());
    assertEquals("exponential(1.0)", manifest.at("/data/priors/3").asText());
    assertEquals("lkj(1.0)", manifest.at("/data/priors/4").asText());
    JsonNode effects = manifest.path("effects");
    assertEquals("effects/the-code", effects.at("/1/folder").asText());
    assertEquals(8, effects.at("/0/rows").asInt());
    assertEquals(30, effects.at("/1/levels").asInt());
    assertEquals("city", manifest.at("/configuration/model/random/0/group").asText());
    parquetHasTheSameRows(8);
    anEarlierRunsEffectsGoAway();
  }

  /** The draws of what is beyond θ are as they were drawn. */
  @Test
  void whatIsBeyondThetaIsReportedAsItIs() throws IOException {
    samples(command("run", "c"));
    String[] last = Files.readAllLines(folder.resolve("c/draws.csv")).get(80).split(",");
    assertEquals(
        List.of("10.0", "11.0", "12.0", "13.0"),
        List.of(last).subList(last.length - 4, last.length));
  }

  private static void assertCities(String output) throws IOException {
    List<String[]> lines = csv(output, "city.csv");
    assertEquals(HEADER, String.join(",", lines.get(0)));
    int line = 1;
    for (Map.Entry<String, double[]> entry : BY_CITY.entrySet()) {
      double[] of = entry.getValue();
      for (String effect : List.of("Intercept", "x")) {
        String[] cells = lines.get(line++);
        assertEquals("r_city[%s,%s]".formatted(entry.getKey(), effect), cells[0]);
        assertEquals(entry.getKey(), cells[1]);
        assertEquals(effect, cells[2]);
        assertEquals(String.valueOf((int) of[2]), cells[3]);
        assertEquals(of[0], Double.parseDouble(cells[4]));
        assertEquals("1.0 -1.0", cells[5] + " " + cells[6]);
        assertEquals(effect.equals("x") ? of[1] : of[2], Double.parseDouble(cells[7]), 1e-9);
        assertEquals("2.0 NaN 100.0", cells[8] + " " + cells[9] + " " + cells[10]);
      }
    }
    assertEquals(line, lines.size());
  }

  private void parquetHasTheSameRows(int rows) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()) {
      List<Row> found =
          spark.read().parquet(folder.resolve("a/effects/city").toString()).collectAsList();
      assertEquals(rows, found.size());
      assertEquals(HEADER, String.join(",", found.get(0).schema().fieldNames()));
    }
  }

  private void anEarlierRunsEffectsGoAway() throws IOException {
    String[] without =
        command(
            "sample", "a", "model.random=[]", "sampler.algorithm=metropolis", "sampler.draws=5");
    assertEquals(2, run(without));
    assertTrue(shell.err().contains("already holds draws"), shell.err());
    List<String> again = new ArrayList<>(List.of(without));
    again.add("--overwrite");
    samples(again.toArray(String[]::new));
    assertFalse(Files.exists(folder.resolve("a/effects")));
  }

  @Test
  void aTableWithoutTheGroupsIsToldOf() {
    assertEquals(
        0,
        run(command("prepare", "d", "model.random=[]", "sampler.algorithm=metropolis")),
        shell::err);
    assertEquals(3, run(command("precompute", "d")));
    assertTrue(
        shell
            .err()
            .contains(
                "model.random has effects by the column 'city', but the prepared table has no"
                    + " groups. Prepare the table again"),
        shell.err());
    assertEquals(2, run(command("prepare", "e", "model.random=[{group: city, effects: [xx]}]")));
    assertTrue(
        shell
            .err()
            .contains(
                "model.random lets 'xx' vary by city, which is no coefficient of the table; did you"
                    + " mean 'x'?"),
        shell.err());
  }

  /** Said while there is time to stop, and again beside what was found. */
  @Test
  void eachRowItsOwnGroupIsSaidBeforeSampling() throws IOException {
    List<String> lines = new ArrayList<>(List.of("y,count,id"));
    for (int n = 0; n < 30; n++) {
      lines.add("%s,%d,i%d".formatted(Math.sin(n), n % 4, n));
    }
    Files.write(folder.resolve("own.csv"), lines);
    List<String> command = new ArrayList<>(List.of("run"));
    for (String setting :
        List.of(
            "data.input=" + folder.resolve("own.csv"),
            "model.family=gaussian",
            "model.formula=y ~ 1 + (1 | id)",
            "sampler.chains=1",
            "sampler.warmup=20",
            "sampler.draws=20",
            "output=" + folder.resolve("own"))) {
      command.addAll(List.of("--set", setting));
    }
    List<String> told = new ArrayList<>();
    Shell own = new Shell("local[2]").told(told::add);
    own.samples(command.toArray(String[]::new));
    String said =
        "'id' has 30 groups for 30 rows, so the rows do not determine sigma and sd_id__Intercept";
    assertTrue(own.out().contains("Note: " + said), own.out());
    int warned = first(told, "warning: " + said);
    assertTrue(0 <= warned && warned < first(told, "warm-up"), told.toString());
  }

  private static int first(List<String> lines, String part) {
    return IntStream.range(0, lines.size())
        .filter(at -> lines.get(at).contains(part))
        .findFirst()
        .orElse(-1);
  }
}
