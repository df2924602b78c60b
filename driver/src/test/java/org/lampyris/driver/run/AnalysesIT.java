package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.Session;

/**
 * The job files of docs/analyses.md and docs/session.md, each on a small table with the columns of
 * the real one, and the commands of the session. The tables themselves belong to R's packages and
 * are not here.
 */
class AnalysesIT {
  private static final Path JOBS = Path.of("..", "examples", "analyses");
  private static final Path DOCS = Path.of("..", "docs");
  private static final int ROWS = 120;

  /** A table: its header, cells of row i, and a variable that its summary must name. */
  private record Table(
      String header, BiFunction<Integer, Random, List<Object>> row, String variable) {}

  private static final Map<String, Table> TABLES =
      new TreeMap<>(
          Map.of(
              "birthwt",
              new Table(
                  "low,age,lwt,race,smoke,ht,ui",
                  (i, random) ->
                      List.of(
                          random.nextInt(2),
                          14 + random.nextInt(30),
                          80 + random.nextInt(150),
                          1 + i % 3,
                          random.nextInt(2),
                          random.nextInt(2),
                          random.nextInt(2)),
                  "factor(race)[3]"),
              "cbpp",
              new Table(
                  "herd,incidence,size,period",
                  (i, random) -> {
                    int size = 2 + random.nextInt(30);
                    return List.of(1 + i / 8, random.nextInt(size / 2), size, 1 + i % 4);
                  },
                  "factor(period)[4]"),
              "sleepstudy",
              new Table(
                  "Reaction,Days,Subject",
                  (i, random) ->
                      List.of(
                          250 + 10 * (i % 10) + 30 * random.nextGaussian(), i % 10, 300 + i / 10),
                  "cor_Subject__Intercept__Days"),
              "housing",
              new Table(
                  "Sat,Infl,Type,Cont,Freq",
                  (i, random) ->
                      List.of(
                          List.of("Low", "Medium", "High").get(i % 3),
                          List.of("Low", "Medium", "High").get(i / 3 % 3),
                          List.of("Tower", "Apartment", "Atrium", "Terrace").get(i / 9 % 4),
                          List.of("Low", "High").get(random.nextInt(2)),
                          1 + random.nextInt(80)),
                  "Type[Terrace]"),
              "insurance",
              new Table(
                  "District,Group,Age,Holders,Claims",
                  (i, random) ->
                      List.of(
                          1 + i % 4,
                          List.of("<1l", "1-1.5l", "1.5-2l", ">2l").get(i / 4 % 4),
                          List.of("<25", "25-29", "30-35", ">35").get(i / 16 % 4),
                          50 + random.nextInt(500),
                          random.nextInt(60)),
                  "Age[>35]"),
              "mcycle",
              new Table(
                  "times,accel",
                  (i, random) -> List.of(0.5 * i, 50 * Math.sin(0.1 * i) + random.nextGaussian()),
                  "sds_stimes_1"),
              "lung",
              new Table(
                  "inst,time,status,age,sex,ph.ecog,wt.loss",
                  (i, random) ->
                      List.of(
                          1 + i % 20,
                          1 + random.nextInt(1000),
                          1 + random.nextInt(2),
                          40 + random.nextInt(40),
                          1 + i % 2,
                          i == 13 ? "NA" : i % 4,
                          i % 7 == 0 ? "NA" : i % 30),
                  "ecog")));

  @TempDir private Path folder;

  /** Runs what a page asks of a run, and returns the commands. */
  private List<String> ask(Shell shell, String page, Path output) {
    List<String> asked = new ArrayList<>();
    for (String line : page.lines().filter(one -> one.startsWith("lampyris ")).toList()) {
      List<String> command = new ArrayList<>();
      Matcher words = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(line);
      while (words.find()) {
        String word = words.group(words.group(1) == null ? 2 : 1);
        command.add(
            word.endsWith(".yaml") || word.endsWith(".csv")
                ? JOBS.resolve(word).toString()
                : word.replace("runs/cbpp", output.toString()));
      }
      command.remove(0);
      String name = command.get(0);
      if (!name.equals("run")) {
        if (command.contains("--config")) {
          command.addAll(List.of("--set", "output=" + output));
        }
        shell.samples(command.toArray(String[]::new)); // few draws: summarize says so
        assertFalse(shell.out().isBlank(), line);
        asked.add(name);
      }
    }
    return asked;
  }

  private static List<Path> jobs() throws IOException {
    try (Stream<Path> files = Files.list(JOBS)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private Path table(String name) throws IOException {
    Random random = new Random(4);
    Table table = Objects.requireNonNull(TABLES.get(name), name);
    List<String> lines = new ArrayList<>(List.of(table.header));
    for (int i = 0; i < ROWS; i++) {
      List<Object> cells = table.row.apply(i, random);
      lines.add(String.join(",", cells.stream().map(String::valueOf).toList()));
    }
    return Files.write(folder.resolve(name + ".csv"), lines);
  }

  @Test
  void everyJobFileRunsAndStandsOnThePage() throws IOException {
    String session = Files.readString(DOCS.resolve("session.md"));
    String page = Files.readString(DOCS.resolve("analyses.md")) + session;
    Shell shell = new Shell("local[2]");
    List<String> run = new ArrayList<>();
    // One session for all of them: a command leaves open what it has found open.
    try (SparkSession open =
        SparkSession.builder()
            .config(Session.configuration("analyses"))
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()) {
      for (Path job : jobs()) {
        String name = job.getFileName().toString().replace(".yaml", "");
        assertTrue(page.contains("```yaml\n" + Files.readString(job) + "```"), job.toString());
        Path output = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of("run", "--config", job.toString()));
        for (String setting :
            List.of(
                "data.input=" + table(name),
                "output=" + output,
                "sampler.chains=2",
                "sampler.warmup=50",
                "sampler.draws=50")) {
          command.addAll(List.of("--set", setting));
        }
        shell.samples(command.toArray(String[]::new));
        String summary = Files.readString(output.resolve("summary.csv"));
        assertTrue(summary.contains(Objects.requireNonNull(TABLES.get(name)).variable), summary);
        run.add(name);
        if (name.equals("cbpp")) {
          String report = Files.readString(output.resolve("report.html"));
          assertTrue(report.contains("coefficients; multilevel;"), report.substring(0, 9_000));
          String prior = report.substring(report.indexOf("Prior and posterior"));
          prior = prior.substring(0, prior.indexOf("</table>"));
          assertTrue(prior.contains("sd_herd__Intercept"), prior);
          List<String> asked = ask(shell, session, output);
          assertEquals(
              List.of("config", "loo", "hypothesis", "effects", "predict", "export", "summarize"),
              asked);
        }
      }
      assertEquals("local[2]", open.sparkContext().master());
    }
    assertEquals(List.copyOf(TABLES.keySet()), run);
  }
}
